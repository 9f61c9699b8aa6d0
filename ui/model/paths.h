#pragma once
// Paths of files: the recent ones, and several files as one name.

#include <QObject>
#include <QString>
#include <QStringList>

namespace sscope {

// The last opened files, newest first, stored in the user's settings.
class RecentFiles : public QObject {
  Q_OBJECT
 public:
  explicit RecentFiles(QObject* parent = nullptr);
  void add(const QString& path);
  void clear();
  [[nodiscard]] const QStringList& paths() const { return paths_; }

 Q_SIGNALS:
  void changed();

 private:
  void store();
  QStringList paths_;
};

// Whether the file name holds a printf number or a wildcard and no file has exactly that name.
[[nodiscard]] bool isPattern(const QString& path);

// A single path is returned unchanged; several files become the pattern that matches exactly these, or their folder if
// they are all its files. Throws Error(Usage) if neither is possible.
[[nodiscard]] QString nameOf(const QStringList& files);

}  // namespace sscope
