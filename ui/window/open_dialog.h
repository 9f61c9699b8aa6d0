#pragma once
// Dialogs that choose what to open: files or a pattern, and a part of a file.

#include <QDialog>
#include <QFileDialog>
#include <string>
#include <vector>

#include "core/volume/volume_io.h"

class QTreeWidget;

namespace sscope {

// Chooses a file, several files as slices of one volume, or a typed pattern.
class OpenDialog : public QFileDialog {
  Q_OBJECT
 public:
  // Starts in the last used folder, and remembers the next one.
  OpenDialog(const QString& title, QWidget* parent);

  void accept() override;

 Q_SIGNALS:
  void chosen(const QStringList& paths);

 private:
  [[nodiscard]] QString typedPattern() const;  // empty: no pattern was typed
  void emitChosen(const QStringList& paths);
};

// Chooses one of the series, arrays or datasets of a file.
class PartDialog : public QDialog {
  Q_OBJECT
 public:
  // The `parts` of the file `name`; the usual one, or else the first, is preselected.
  PartDialog(const std::string& name, const std::vector<FilePart>& parts, QWidget* parent = nullptr);

  // The name with the selector of the chosen part.
  [[nodiscard]] std::string name() const;

 private:
  std::string name_;
  std::vector<FilePart> parts_;
  QTreeWidget* list_;
};

}  // namespace sscope
