#include "ui/window/open_dialog.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
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
  // The desktop's own dialog takes names of files that exist, and no patterns.
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
      tr("%1 holds several parts; choose one to open.").arg(QFileInfo(toQt(parseSelection(name).path)).fileName()),
      this);
  about->setWordWrap(true);
  list_ = named(new QTreeWidget(this), "parts", tr("What the file holds"));
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

}  // namespace sscope

#include "moc_open_dialog.cpp"
