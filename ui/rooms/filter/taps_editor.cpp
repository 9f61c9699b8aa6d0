#include "ui/rooms/filter/taps_editor.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/filter/family.h"
#include "core/filter/recipe.h"
#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

// Larger grids scroll.
constexpr int kFittingColumns = 9, kFittingRows = 15;

DenseTaps tapsFromFile(const std::string& path) {
  auto document = nlohmann::json::parse(readTextFile(path), nullptr, false);
  if (!document.is_object())
    throw makeError(ErrorKind::BadData, TapsEditor::tr("cannot read %1: it is not a JSON object").arg(toQt(path)),
                    TapsEditor::tr(R"(write {"size":[nx,ny,nz],"taps":[...]})"));
  document["type"] = "custom";
  return recipeFromJson(document).taps;
}

// The old taps on the new grid, both anchors on each other. The anchor is as near to the middle of the new grid as it
// can be without losing taps of a grid that grows, or more of one that shrinks than must be.
DenseTaps resized(const DenseTaps& old, const std::array<std::int64_t, 3>& size) {
  DenseTaps taps;
  taps.size = size;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto [low, high] = std::minmax({old.anchor[a], old.anchor[a] + size[a] - old.size[a]});
    taps.anchor[a] = std::clamp(std::clamp(size[a] / 2, low, high), std::int64_t{0}, size[a] - 1);
  }
  taps.weights.assign(static_cast<std::size_t>(taps.count()), 0.0);
  for (std::int64_t z = 0; z < size[2]; ++z)
    for (std::int64_t y = 0; y < size[1]; ++y)
      for (std::int64_t x = 0; x < size[0]; ++x) {
        const std::int64_t ox = x - taps.anchor[0] + old.anchor[0], oy = y - taps.anchor[1] + old.anchor[1],
                           oz = z - taps.anchor[2] + old.anchor[2];
        if (ox < 0 || oy < 0 || oz < 0 || ox >= old.size[0] || oy >= old.size[1] || oz >= old.size[2]) continue;
        taps.weights[static_cast<std::size_t>((z * size[1] + y) * size[0] + x)] = old.at(ox, oy, oz);
      }
  return taps;
}

}  // namespace

TapsEditor::TapsEditor(QWidget* parent) : QWidget(parent) {
  auto* sizes = new QHBoxLayout;
  sizes->setSpacing(em(this, 0.2));
  sizes->addWidget(new QLabel(tr("Size"), this));
  const QString axes[] = {tr("x"), tr("y"), tr("z")};
  for (int a = 0; a < 3; ++a) {
    size_[a] = new QSpinBox(this);
    size_[a]->setRange(1, kLargestEdge);
    size_[a]->setAccessibleName(tr("Taps along %1").arg(axes[a]));
    size_[a]->setToolTip(tr("Taps along %1, 1 to %2; load longer ones (up to %3) from a file")
                             .arg(axes[a])
                             .arg(kLargestEdge)
                             .arg(kMaximumAxisTaps));
    size_[a]->setObjectName(QStringLiteral("tapsSize-%1").arg(axes[a]));
    // 15 is not 1 on the way: what is typed counts when it is finished.
    size_[a]->setKeyboardTracking(false);
    sizes->addWidget(size_[a], 1);
    connect(size_[a], &QSpinBox::valueChanged, this, &TapsEditor::resizeTaps);
  }
  slice_ = new QSpinBox(this);
  slice_->setAccessibleName(tr("z slice of the grid"));
  connect(slice_, &QSpinBox::valueChanged, this, &TapsEditor::showSlice);
  auto* file = new QPushButton(icon("open"), tr("Load…"), this);
  file->setToolTip(tr("Load taps from a JSON file, or paste rows of numbers into the grid"));
  connect(file, &QPushButton::clicked, this, &TapsEditor::chooseFile);
  auto* second = new QHBoxLayout;
  second->addWidget(slice_, 1);
  second->addWidget(file);

  grid_ = new QTableWidget(this);
  grid_->setObjectName(QStringLiteral("taps"));
  grid_->setAccessibleName(tr("Taps, x to the right, y down"));
  grid_->horizontalHeader()->hide();
  grid_->verticalHeader()->hide();
  grid_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  grid_->horizontalHeader()->setMinimumSectionSize(em(this, 1));
  connect(grid_, &QTableWidget::cellChanged, this, &TapsEditor::cellEdited);
  note_ = quietLabel({}, this);
  note_->setWordWrap(true);

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(em(this, 0.25));
  column->addLayout(sizes);
  column->addLayout(second);
  column->addWidget(grid_);
  column->addWidget(note_);
  connect(&loading_, &BackgroundTask::failed, this, &TapsEditor::failed);
}

void TapsEditor::setTaps(const DenseTaps& taps) {
  if (taps == taps_ && grid_->rowCount() > 0) return;
  const bool resized = taps_.size != taps.size;
  taps_ = taps;
  const bool small = std::all_of(taps.size.begin(), taps.size.end(), [](std::int64_t n) { return n <= kLargestEdge; });
  for (std::size_t a = 0; a < 3; ++a) {
    const QSignalBlocker block(size_[a]);
    size_[a]->setValue(static_cast<int>(std::min<std::int64_t>(taps.size[a], kLargestEdge)));
    size_[a]->setEnabled(small);
  }
  {
    const QSignalBlocker block(slice_);
    const int last = static_cast<int>(taps.size[2]);
    const bool fresh = slice_->maximum() != last;
    slice_->setRange(1, last);
    // What stands before and after the number.
    const QStringList around = tr("slice # of %1").arg(last).split(QLatin1Char('#'));
    slice_->setPrefix(around.value(0));
    slice_->setSuffix(around.value(1));
    if (fresh) slice_->setValue(static_cast<int>(taps.anchor[2]) + 1);
    slice_->setVisible(small && last > 1);
  }
  grid_->setVisible(small);
  double sum = 0;
  for (const double w : taps.weights) sum += w;
  const QString anchor =
      tr("anchor at (%1, %2, %3), counted from 0").arg(taps.anchor[0]).arg(taps.anchor[1]).arg(taps.anchor[2]);
  note_->setText(small ? tr("sum %1 · %2").arg(numberText(sum), anchor)
                       : tr("%1 x %2 x %3 taps from a file; the grid edits up to %4 along each axis")
                             .arg(taps.size[0])
                             .arg(taps.size[1])
                             .arg(taps.size[2])
                             .arg(kLargestEdge));
  if (!small) return;
  showSlice();
  // A larger grid begins with zeros; what matters is around the anchor.
  if (resized)
    grid_->scrollToItem(grid_->item(static_cast<int>(taps.anchor[1]), static_cast<int>(taps.anchor[0])),
                        QAbstractItemView::PositionAtCenter);
}

void TapsEditor::showSlice() {
  showing_ = true;
  const auto rows = static_cast<int>(taps_.size[1]);
  const auto columns = static_cast<int>(taps_.size[0]);
  grid_->setRowCount(rows);
  grid_->setColumnCount(columns);
  const int z = std::clamp(slice_->value() - 1, 0, static_cast<int>(taps_.size[2]) - 1);
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) {
      auto* item = new QTableWidgetItem(numberText(taps_.at(x, y, z)));
      item->setTextAlignment(Qt::AlignCenter);
      const bool anchor = x == taps_.anchor[0] && y == taps_.anchor[1] && z == taps_.anchor[2];
      QFont font = item->font();
      font.setBold(anchor);
      item->setFont(font);
      if (anchor) item->setToolTip(tr("the anchor"));
      grid_->setItem(y, x, item);
    }
    grid_->setRowHeight(y, em(this, 1.5));
  }
  const bool fits = columns <= kFittingColumns;
  grid_->horizontalHeader()->setDefaultSectionSize(em(this, 2.6));
  grid_->horizontalHeader()->setSectionResizeMode(fits ? QHeaderView::Stretch : QHeaderView::Fixed);
  grid_->setHorizontalScrollBarPolicy(fits ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAlwaysOn);
  grid_->setVerticalScrollBarPolicy(rows <= kFittingRows ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAlwaysOn);
  grid_->setFixedHeight(std::min(rows, kFittingRows) * em(this, 1.5) + 2 * grid_->frameWidth() +
                        (fits ? 0 : grid_->horizontalScrollBar()->sizeHint().height()));
  showing_ = false;
}

void TapsEditor::cellEdited(int row, int column) {
  if (showing_) return;
  const QString typed = grid_->item(row, column)->text().trimmed();
  bool good = false;
  const double weight = typed.toDouble(&good);
  const int z = slice_->value() - 1;
  if (!good || !std::isfinite(weight)) {
    Q_EMIT corrected(tr("“%1” is not a number; kept %2").arg(typed, numberText(taps_.at(column, row, z))));
    showSlice();
    return;
  }
  DenseTaps taps = taps_;
  taps.weights[static_cast<std::size_t>((z * taps.size[1] + row) * taps.size[0] + column)] = weight;
  Q_EMIT corrected({});
  setTaps(taps);
  Q_EMIT edited(taps_);
}

void TapsEditor::resizeTaps() {
  setTaps(resized(taps_, {size_[0]->value(), size_[1]->value(), size_[2]->value()}));
  Q_EMIT edited(taps_);
}

void TapsEditor::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Paste)) {
    paste();
    return;
  }
  QWidget::keyPressEvent(event);
}

// Rows of numbers, as from a spreadsheet or a text: they become the grid.
void TapsEditor::paste() {
  static const QRegularExpression separators(QStringLiteral("[\\s,;\\[\\]]+"));
  DenseTaps taps;
  taps.weights.clear();
  qsizetype columns = 0, rows = 0;
  for (const QString& line : QApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
    const QStringList cells = line.split(separators, Qt::SkipEmptyParts);
    if (cells.isEmpty()) continue;
    if (rows > 0 && cells.size() != columns) {
      Q_EMIT corrected(tr("The pasted rows have different lengths; nothing was changed"));
      return;
    }
    columns = cells.size();
    ++rows;
    for (const QString& cell : cells) {
      bool good = false;
      taps.weights.push_back(cell.toDouble(&good));
      if (!good || !std::isfinite(taps.weights.back())) {
        Q_EMIT corrected(tr("“%1” is not a number; nothing was changed").arg(cell));
        return;
      }
    }
  }
  if (rows == 0 || rows > kLargestEdge || columns > kLargestEdge) {
    Q_EMIT corrected(tr("Paste 1 to %1 rows of 1 to %1 numbers").arg(kLargestEdge));
    return;
  }
  taps.size = {columns, rows, 1};
  taps.anchor = {columns / 2, rows / 2, 0};
  setTaps(taps);
  Q_EMIT edited(taps_);
}

void TapsEditor::chooseFile() {
  auto* dialog = new QFileDialog(this, tr("Load taps"), {}, tr("Taps (*.json)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this, &TapsEditor::load);
  dialog->show();
}

void TapsEditor::load(const QString& path) {
  loading_.start([this, name = fromQt(path)](const Control& /*control*/) -> BackgroundTask::Finish {
    return [this, taps = tapsFromFile(name)] {
      setTaps(taps);
      Q_EMIT edited(taps_);
    };
  });
}

}  // namespace sscope
