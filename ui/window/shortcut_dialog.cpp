#include "ui/window/shortcut_dialog.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QMenu>
#include <QMenuBar>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "ui/base/look.h"

namespace sscope {

namespace {

QString plain(QString text) {
  text.remove(QLatin1Char('&'));
  return text.remove(QStringLiteral("…"));
}

void collect(const QString& title, const QList<QAction*>& actions, std::vector<ShortcutRow>& rows) {
  for (const QAction* action : actions) {
    if (const QMenu* menu = action->menu()) {
      collect(title, menu->actions(), rows);
      continue;
    }
    // Keys that pictures handle themselves stand in the entry's text, behind a tabulator.
    QString keys = action->text().section(QLatin1Char('\t'), 1);
    QStringList all;
    for (const QKeySequence& each : action->shortcuts()) all << each.toString(QKeySequence::NativeText);
    if (!all.isEmpty()) keys = all.join(QStringLiteral(", "));
    if (!keys.isEmpty()) rows.push_back({title, plain(action->text().section(QLatin1Char('\t'), 0, 0)), keys});
  }
}

}  // namespace

std::vector<ShortcutRow> shortcutsOf(const QMenuBar& bar) {
  std::vector<ShortcutRow> rows;
  for (const QAction* action : bar.actions())
    if (const QMenu* menu = action->menu()) collect(plain(action->text()), menu->actions(), rows);
  return rows;
}

ShortcutDialog::ShortcutDialog(const QMenuBar& bar, QWidget* parent) : QDialog(parent) {
  setWindowTitle(tr("Keyboard shortcuts"));
  std::vector<ShortcutRow> rows = shortcutsOf(bar);
  const QString slices = tr("In a slice"), volume = tr("In the 3D view"), transfer = tr("In its transfer function"),
                list = tr("In the filter list"), sliders = tr("In sliders and numbers");
  for (const ShortcutRow& row : std::initializer_list<ShortcutRow>{
           {slices, tr("Move the crosshair"), tr("click or drag")},
           {slices, tr("Step through slices"), tr("wheel, Up, Down, Page Up, Page Down")},
           {slices, tr("Zoom"), tr("Ctrl+wheel")},
           {slices, tr("Move the picture"), tr("drag with the middle button")},
           {slices, tr("Change window and level"), tr("drag with the right button, or Ctrl+drag")},
           {slices, tr("Move the divider of a swipe"), tr("drag it, Shift+Left, Shift+Right")},
           {slices, tr("Draw or move the line of a profile"), tr("drag, with Shift along an axis")},
           {slices, tr("Move the second end of the line"), tr("Shift+arrow keys")},
           {slices, tr("Move the line"), tr("Ctrl+Shift+arrow keys")},
           {slices, tr("Show alone, and all again"), tr("double-click")},
           {slices, tr("Menu"), tr("right click")},
           {volume, tr("Turn"), tr("drag, arrow keys")},
           {volume, tr("Zoom"), tr("wheel, +, -, drag with the right button")},
           {volume, tr("Move"), tr("Shift+drag, drag with the middle button")},
           {volume, tr("Menu"), tr("right click")},
           {transfer, tr("Choose a point"), tr("click, Page Up, Page Down, Home, End")},
           {transfer, tr("Move the point"), tr("drag, arrow keys, Shift+arrow keys")},
           {transfer, tr("Add a point, or remove it"), tr("double-click, Ins, Del")},
           {transfer, tr("Color of the point"), tr("double-click, Space")},
           {list, tr("Rename"), tr("F2, double-click")},
           {list, tr("Remove"), tr("Del")},
           {list, tr("Switch on or off"), tr("Space")},
           {sliders, tr("Fine steps"), tr("arrow keys, wheel")},
           {sliders, tr("Large steps"), tr("Page Up, Page Down, Shift+arrow keys")},
           {sliders, tr("Back to the default"), tr("double-click on the name")}})
    rows.push_back(row);

  auto* tree = named(new QTreeWidget(this), "shortcuts", windowTitle());
  tree->setHeaderLabels({tr("What"), tr("Keys and mouse")});
  tree->setRootIsDecorated(false);
  tree->setSelectionMode(QAbstractItemView::NoSelection);
  QTreeWidgetItem* section = nullptr;
  for (const ShortcutRow& row : rows) {
    if (!section || section->text(0) != row.menu) {
      section = new QTreeWidgetItem(tree, {row.menu});
      QFont bold = font();
      bold.setBold(true);
      section->setFont(0, bold);
    }
    new QTreeWidgetItem(section, {row.what, row.keys});
  }
  tree->expandAll();
  tree->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  auto* column = new QVBoxLayout(this);
  column->addWidget(tree, 1);
  column->addWidget(buttons);
  resize(em(this, 36), em(this, 34));
}

}  // namespace sscope

#include "moc_shortcut_dialog.cpp"
