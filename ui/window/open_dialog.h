#pragma once
// Chooses what to open: a file, several files as slices of one volume, or a typed pattern.

#include <QFileDialog>

namespace sscope {

class OpenDialog : public QFileDialog {
  Q_OBJECT
 public:
  // Starts in the last used folder, and remembers the next one.
  OpenDialog(const QString& title, QWidget* parent);

  void accept() override;

 Q_SIGNALS:
  void chosen(const QStringList& paths);

 private:
  [[nodiscard]] QString typedPattern() const;  // empty: something else was typed
  void tell(const QStringList& paths);
};

}  // namespace sscope
