#pragma once
// Choosing what to open: a file, several files that are the slices of one volume, or a pattern typed in their place.

#include <QFileDialog>

namespace sscope {

class OpenDialog : public QFileDialog {
  Q_OBJECT
 public:
  // Begins in the folder that was opened from last, and remembers the next one.
  OpenDialog(const QString& title, QWidget* parent);

  void accept() override;

 Q_SIGNALS:
  void chosen(const QStringList& paths);

 private:
  [[nodiscard]] QString typedPattern() const;  // empty: something else was typed
  void tell(const QStringList& paths);
};

}  // namespace sscope
