#pragma once
// Dialogs of the window: what to open, a part of a file, and the list of shortcuts.

#include <QDialog>
#include <QFileDialog>
#include <string>
#include <vector>

#include "core/volume/volume_io.h"

class QMenuBar;
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

struct ShortcutRow {
  QString menu;  // "File"
  QString what;  // "Open"
  QString keys;  // "Ctrl+O"
};

// Entries with keys of all menus and submenus, in their order.
[[nodiscard]] std::vector<ShortcutRow> shortcutsOf(const QMenuBar& bar);

// Lists the shortcuts of the menus, and mouse and keys in the pictures.
class ShortcutDialog : public QDialog {
  Q_OBJECT
 public:
  ShortcutDialog(const QMenuBar& bar, QWidget* parent);
};

}  // namespace sscope
