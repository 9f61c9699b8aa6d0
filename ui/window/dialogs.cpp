#include "ui/window/dialogs.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "core/volume/selection.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/model/paths.h"
#include "ui/window/main_window.h"

namespace sscope {

OpenDialog::OpenDialog(const QString& title, QWidget* parent)
    : QFileDialog(parent, title, QSettings().value(kOpenFolderKey).toString()) {
  setAttribute(Qt::WA_DeleteOnClose);
  setFileMode(QFileDialog::ExistingFiles);
  // The desktop's own dialog does not accept patterns.
  setOption(QFileDialog::DontUseNativeDialog);
  if (auto* name = findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))) {
    name->setPlaceholderText(tr("a file, or a pattern of slices such as slice_*.png"));
    connect(name, &QLineEdit::textChanged, this, [this] {
      const auto* buttons = findChild<QDialogButtonBox*>();
      if (!typedPattern().isEmpty() && buttons) buttons->button(QDialogButtonBox::Open)->setEnabled(true);
    });
  }
  connect(this, &QFileDialog::filesSelected, this, &OpenDialog::emitChosen);
}

QString OpenDialog::typedPattern() const {
  const auto* name = findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
  if (!name || name->text().trimmed().isEmpty()) return {};
  const QString path = directory().absoluteFilePath(name->text().trimmed());
  return isPattern(path) ? path : QString();
}

void OpenDialog::accept() {
  const QString pattern = typedPattern();
  if (pattern.isEmpty()) {
    QFileDialog::accept();
    return;
  }
  emitChosen({pattern});
  QDialog::accept();
}

void OpenDialog::emitChosen(const QStringList& paths) {
  if (paths.isEmpty()) return;
  QSettings().setValue(kOpenFolderKey, QFileInfo(paths.front()).absolutePath());
  Q_EMIT chosen(paths);
}

namespace {

QString extentsText(const FilePart& part) {
  QStringList extents;
  for (const std::int64_t extent : part.extents) extents << QString::number(extent);
  return extents.join(QStringLiteral(" × "));
}

// "Series 2", "mask", "/entry/data".
QString nameText(const FilePart& part) {
  const QString selector = toQt(part.selector),
                name = selector.mid(selector.indexOf(QRegularExpression(QStringLiteral("[=:]"))) + 1);
  return selector.startsWith(QLatin1String("@series=")) ? PartDialog::tr("Series %1").arg(name) : name;
}

}  // namespace

PartDialog::PartDialog(const std::string& name, const std::vector<FilePart>& parts, QWidget* parent)
    : QDialog(parent), name_(name), parts_(parts) {
  setObjectName(QStringLiteral("partDialog"));
  setWindowTitle(tr("Choose what to open"));
  auto* about = new QLabel(
      tr("%1 has several parts. Choose one to open.").arg(QFileInfo(toQt(parseSelection(name).path)).fileName()), this);
  about->setWordWrap(true);
  list_ = named(new QTreeWidget(this), "parts", tr("Parts of the file"));
  list_->setHeaderLabels({tr("Name"), tr("Title"), tr("Size"), tr("Type")});
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  bool titled = false;
  for (const FilePart& part : parts_) {
    auto* row = new QTreeWidgetItem(list_, {nameText(part), toQt(part.title), extentsText(part), toQt(part.type)});
    row->setToolTip(0, toQt(part.selector));
    titled = titled || !part.title.empty();
  }
  list_->setColumnHidden(1, !titled);
  for (int column = 0; column < list_->columnCount(); ++column) list_->resizeColumnToContents(column);
  const auto usual = std::ranges::find(parts_, true, &FilePart::usual);
  list_->setCurrentItem(list_->topLevelItem(usual == parts_.end() ? 0 : static_cast<int>(usual - parts_.begin())));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel, this);
  auto* column = new QVBoxLayout(this);
  column->addWidget(about);
  column->addWidget(list_);
  column->addWidget(buttons);
  resize(em(this, 34), em(this, 20));
  connect(list_, &QTreeWidget::itemActivated, this, &QDialog::accept);
  connect(list_, &QTreeWidget::itemSelectionChanged, this,
          [this, buttons] { buttons->button(QDialogButtonBox::Open)->setEnabled(!list_->selectedItems().isEmpty()); });
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  list_->setFocus();
}

std::string PartDialog::name() const {
  const int row = std::max(0, list_->indexOfTopLevelItem(list_->currentItem()));
  return withPart(name_, parts_[static_cast<std::size_t>(row)]);
}

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
    // The keys that pictures handle are in the text of the entry, after a tab.
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
  QFont bold = font();
  bold.setBold(true);
  for (const ShortcutRow& row : rows) {
    if (!section || section->text(0) != row.menu) {
      section = new QTreeWidgetItem(tree, {row.menu});
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

#include "moc_dialogs.cpp"
