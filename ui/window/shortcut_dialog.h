#pragma once
// Lists all shortcuts: those of the menus, and mouse and keys in the pictures.

#include <QDialog>
#include <vector>

class QMenuBar;

namespace sscope {

struct ShortcutRow {
  QString menu;  // "File"
  QString what;  // "Open"
  QString keys;  // "Ctrl+O"
};

// Entries with keys of all menus and submenus, in their order.
[[nodiscard]] std::vector<ShortcutRow> shortcutsOf(const QMenuBar& bar);

class ShortcutDialog : public QDialog {
  Q_OBJECT
 public:
  ShortcutDialog(const QMenuBar& bar, QWidget* parent);
};

}  // namespace sscope
