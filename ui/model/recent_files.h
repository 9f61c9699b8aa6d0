#pragma once

#include <QObject>
#include <QStringList>

namespace sscope {

// The last files opened, newest first, kept in the user's settings.
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

}  // namespace sscope
