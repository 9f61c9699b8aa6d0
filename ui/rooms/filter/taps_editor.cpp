#include "ui/rooms/filter/taps_editor.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/filter/families/family.h"
#include "core/filter/stencil.h"
#include "core/filter/taps_edit.h"
#include "core/options/option.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/color_scale.h"

namespace sscope {

namespace {

// Larger grids scroll.
constexpr int kFittingColumns = 9, kFittingRows = 15;

// Narrow cells have smaller and fewer digits.
constexpr int kWideColumns = 4, kMiddleColumns = 6;
constexpr double kNarrowFont = 0.85;

int digitsFor(int columns) { return columns <= kWideColumns ? 4 : columns <= kMiddleColumns ? 3 : 2; }

// Cells hold all digits for editing and show few.
class ShortNumbers : public QStyledItemDelegate {
 public:
  explicit ShortNumbers(QTableWidget* table) : QStyledItemDelegate(table), table_(table) {}
  [[nodiscard]] QString displayText(const QVariant& value, const QLocale& /*locale*/) const override {
    return numberText(value.toString().toDouble(), digitsFor(table_->columnCount()));
  }
  // Selected cells keep the color of their value and get a frame.
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem plain = option;
    plain.state &= ~(QStyle::State_Selected | QStyle::State_HasFocus);
    QStyledItemDelegate::paint(painter, plain, index);
    if (!option.state.testFlag(QStyle::State_Selected)) return;
    constexpr int kFrame = 2;
    painter->setPen(QPen(option.palette.color(QPalette::Highlight), kFrame));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(option.rect.adjusted(1, 1, -1, -1));
  }

 private:
  QTableWidget* table_;
};

}  // namespace

TapsGrid::TapsGrid(QWidget* parent) : QTableWidget(parent) {
  setObjectName(QStringLiteral("taps"));
  setAccessibleName(tr("Taps, x to the right, y down"));
  setItemDelegate(new ShortNumbers(this));
  horizontalHeader()->hide();
  verticalHeader()->hide();
  horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  horizontalHeader()->setMinimumSectionSize(em(this, 1));
  setSelectionMode(QAbstractItemView::ContiguousSelection);
  connect(this, &QTableWidget::cellChanged, this, [this](int row, int column) {
    if (!showing_) Q_EMIT typed(row, column, item(row, column)->text().trimmed());
  });
}

void TapsGrid::showSlice(const DenseTaps& taps, std::int64_t z) {
  const QScopedValueRollback<bool> showing(showing_, true);
  taps_ = taps;
  slice_ = z;
  const auto rows = static_cast<int>(taps.size[1]), columns = static_cast<int>(taps.size[0]);
  setRowCount(rows);
  setColumnCount(columns);
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      if (item(y, x) == nullptr) setItem(y, x, new QTableWidgetItem);
      QTableWidgetItem& cell = *item(y, x);
      const QString digits = toQt(formatOption(taps.at(x, y, z)));
      cell.setText(digits);
      cell.setTextAlignment(Qt::AlignCenter);
      const bool anchor = x == taps.anchor[0] && y == taps.anchor[1] && z == taps.anchor[2];
      QFont digitFont = font();
      digitFont.setBold(anchor);
      if (columns > kWideColumns) digitFont.setPointSizeF(kNarrowFont * digitFont.pointSizeF());
      cell.setFont(digitFont);
      cell.setToolTip(anchor ? tr("%1, the anchor").arg(digits) : digits);
    }
  paintCells();
  fit();
}

void TapsGrid::paintCells() {
  const QScopedValueRollback<bool> showing(showing_, true);
  const TapsFigures figures = figuresOf(taps_);
  const double largest = std::max(std::abs(figures.smallest), std::abs(figures.largest));
  const QColor zero = palette().color(QPalette::Base);
  for (int y = 0; y < rowCount(); ++y)
    for (int x = 0; x < columnCount(); ++x) {
      const double tap = taps_.at(x, y, slice_);
      const QColor color = largest > 0 ? tapColor(tap / largest, zero) : zero;
      item(y, x)->setBackground(color);
      item(y, x)->setForeground(tap == 0 ? palette().color(QPalette::PlaceholderText) : inkOn(color));
    }
}

void TapsGrid::fit() {
  const int rows = rowCount();
  const bool fits = columnCount() <= kFittingColumns;
  for (int y = 0; y < rows; ++y) setRowHeight(y, em(this, 1.5));
  horizontalHeader()->setDefaultSectionSize(em(this, 2.6));
  horizontalHeader()->setSectionResizeMode(fits ? QHeaderView::Stretch : QHeaderView::Fixed);
  setHorizontalScrollBarPolicy(fits ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAlwaysOn);
  setVerticalScrollBarPolicy(rows <= kFittingRows ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAlwaysOn);
  setFixedHeight(std::min(rows, kFittingRows) * em(this, 1.5) + 2 * frameWidth() +
                 (fits ? 0 : horizontalScrollBar()->sizeHint().height()));
}

DenseTaps TapsGrid::selectedTaps() const {
  const QList<QTableWidgetSelectionRange> ranges = selectedRanges();
  if (ranges.size() != 1) return sliceOf(taps_, slice_);
  const QTableWidgetSelectionRange& range = ranges[0];
  DenseTaps taps = boxOfTaps({range.columnCount(), range.rowCount(), 1});
  auto to = taps.weights.begin();
  for (int y = range.topRow(); y <= range.bottomRow(); ++y)
    for (int x = range.leftColumn(); x <= range.rightColumn(); ++x) *to++ = taps_.at(x, y, slice_);
  return taps;
}

std::array<std::int64_t, 2> TapsGrid::selectedPlace() const {
  const QList<QTableWidgetSelectionRange> ranges = selectedRanges();
  if (ranges.size() != 1) return {0, 0};
  return {ranges[0].leftColumn(), ranges[0].topRow()};
}

void TapsGrid::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) {
    Q_EMIT copyRequested();
  } else if (event->matches(QKeySequence::Paste)) {
    Q_EMIT pasteRequested();
  } else if (event->matches(QKeySequence::Delete) && state() != QAbstractItemView::EditingState) {
    Q_EMIT cleared();
  } else {
    QTableWidget::keyPressEvent(event);
  }
}

void TapsGrid::changeEvent(QEvent* event) {
  QTableWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && rowCount() > 0) paintCells();
}

TapsEditor::TapsEditor(const FileTools& tools, QWidget* parent) : QWidget(parent) {
  files_ = new TapsFiles(tools, this);
  slice_ = named(new QSpinBox(this), "tapsSlice", tr("z slice of the grid"));
  connect(slice_, &QSpinBox::valueChanged, this, &TapsEditor::showSlice);
  menus_ = new TapsMenus(this);
  grid_ = new TapsGrid(this);
  note_ = quietLabel({}, this);
  note_->setObjectName(QStringLiteral("tapsNote"));
  note_->setWordWrap(true);

  auto* column = bareLayout<QVBoxLayout>(this, em(this, 0.25));
  column->addLayout(buildSizes());
  column->addWidget(menus_);
  column->addWidget(slice_);
  column->addWidget(grid_);
  column->addWidget(note_);
  connect(menus_, &TapsMenus::chosen, this, &TapsEditor::change);
  connect(menus_, &TapsMenus::fileChosen, this, &TapsEditor::doWithFile);
  connect(grid_, &TapsGrid::typed, this, &TapsEditor::typeCell);
  connect(grid_, &TapsGrid::copyRequested, this, [this] { copy(grid_->selectedTaps()); });
  connect(grid_, &TapsGrid::pasteRequested, this, &TapsEditor::paste);
  connect(grid_, &TapsGrid::cleared, this, [this] {
    change(tr("Clear taps"), [this](const DenseTaps& taps) {
      DenseTaps cleared = taps;
      const int z = slice_->value() - 1;
      for (const QModelIndex& cell : grid_->selectionModel()->selectedIndexes())
        cleared.weights[static_cast<std::size_t>((z * taps.size[1] + cell.row()) * taps.size[0] + cell.column())] = 0;
      return cleared;
    });
  });
  connect(files_, &TapsFiles::failed, this, &TapsEditor::failed);
  connect(files_, &TapsFiles::read, this, [this](const DenseTaps& taps, const QString& step) {
    change(step, [&taps](const DenseTaps& /*old*/) { return taps; });
  });
}

QHBoxLayout* TapsEditor::buildSizes() {
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
    // Applies a number only when it is complete: typing 15 must not apply 1.
    size_[a]->setKeyboardTracking(false);
    sizes->addWidget(size_[a], 1);
    connect(size_[a], &QSpinBox::valueChanged, this, &TapsEditor::resizeTaps);
  }
  return sizes;
}

void TapsEditor::setTaps(const DenseTaps& taps) {
  if (taps == taps_ && grid_->rowCount() > 0) return;
  const bool resized = taps_.size != taps.size;
  taps_ = taps;
  const bool small = std::all_of(taps.size.begin(), taps.size.end(), [](std::int64_t n) { return n <= kLargestEdge; });
  menus_->follow(taps);
  showSizes();
  grid_->setVisible(small);
  slice_->setVisible(small && taps.size[2] > 1);
  showFigures(small);
  if (!small) return;
  showSlice();
  // Larger grids show the region of the anchor first.
  if (resized)
    grid_->scrollToItem(grid_->item(static_cast<int>(taps.anchor[1]), static_cast<int>(taps.anchor[0])),
                        QAbstractItemView::PositionAtCenter);
}

void TapsEditor::showSizes() {
  for (std::size_t a = 0; a < 3; ++a) {
    const QSignalBlocker block(size_[a]);
    size_[a]->setValue(static_cast<int>(std::min<std::int64_t>(taps_.size[a], kLargestEdge)));
    size_[a]->setEnabled(*std::ranges::max_element(taps_.size) <= kLargestEdge);
  }
  const QSignalBlocker block(slice_);
  const int last = static_cast<int>(taps_.size[2]);
  const bool fresh = slice_->maximum() != last;
  slice_->setRange(1, last);
  // The texts before and after the number.
  const QStringList texts = tr("slice # of %1").arg(last).split(QLatin1Char('#'));
  slice_->setPrefix(texts.value(0));
  slice_->setSuffix(texts.value(1));
  if (fresh) slice_->setValue(static_cast<int>(taps_.anchor[2]) + 1);
}

void TapsEditor::showFigures(bool small) {
  const TapsFigures figures = figuresOf(taps_);
  // A sum that differs from 0 only by rounding is shown as 0.
  constexpr double kRounding = 1e-14;
  const double sum = std::abs(figures.sum) <= kRounding * figures.magnitude ? 0 : figures.sum;
  QStringList parts{tr("sum %1").arg(numberText(sum)), tr("min %1").arg(numberText(figures.smallest)),
                    tr("max %1").arg(numberText(figures.largest)),
                    tr("%1 of %2 nonzero").arg(figures.nonzero).arg(taps_.count()),
                    tr("anchor (%1, %2, %3) from 0").arg(taps_.anchor[0]).arg(taps_.anchor[1]).arg(taps_.anchor[2])};
  if (!small)
    parts << tr("%1 x %2 x %3 taps; the grid edits up to %4 along each axis")
                 .arg(taps_.size[0])
                 .arg(taps_.size[1])
                 .arg(taps_.size[2])
                 .arg(kLargestEdge);
  note_->setText(parts.join(QStringLiteral(" · ")));
}

void TapsEditor::showSlice() {
  grid_->showSlice(taps_, std::clamp(slice_->value() - 1, 0, static_cast<int>(taps_.size[2]) - 1));
}

void TapsEditor::change(const QString& step, const TapsMenus::Make& make) {
  DenseTaps changed;
  try {
    changed = make(taps_);
  } catch (const Error& error) {
    Q_EMIT corrected(toQt(error.what()));
    return;
  }
  Q_EMIT corrected({});
  if (changed == taps_) return;  // no step without a change
  setTaps(changed);
  Q_EMIT edited(taps_, step);
}

void TapsEditor::typeCell(int row, int column, const QString& text) {
  const int z = slice_->value() - 1;
  double tap = 0;
  try {
    tap = tapFromText(fromQt(text));
  } catch (const Error&) {
    Q_EMIT corrected(tr("“%1” is not a number; kept %2").arg(text, numberText(taps_.at(column, row, z))));
    showSlice();
    return;
  }
  change(tr("Change a tap"), [&](const DenseTaps& taps) {
    DenseTaps changed = taps;
    changed.weights[static_cast<std::size_t>((z * taps.size[1] + row) * taps.size[0] + column)] = tap;
    return changed;
  });
  showSlice();  // shows a fraction as its value, also if the value did not change
}

void TapsEditor::resizeTaps() {
  change(tr("Resize the taps"), [this](const DenseTaps& taps) {
    return resized(taps, {size_[0]->value(), size_[1]->value(), size_[2]->value()});
  });
}

void TapsEditor::copy(const DenseTaps& taps) { QApplication::clipboard()->setText(toQt(tapsText(taps))); }

// Rows of numbers, as from a spreadsheet or a text, replace equally many selected cells, or one of several slices, or
// the whole grid.
void TapsEditor::paste() {
  change(tr("Paste taps"), [this](const DenseTaps& taps) {
    DenseTaps pasted = tapsFromText(fromQt(QApplication::clipboard()->text()), kLargestEdge);
    if (!grid_->isVisibleTo(this)) return pasted;
    const auto [x, y] = grid_->selectedPlace();
    const int z = slice_->value() - 1;
    if (pasted.size == grid_->selectedTaps().size) return withBlock(taps, {x, y, z}, pasted);
    const bool slice = taps.size[2] > 1 && pasted.size == std::array<std::int64_t, 3>{taps.size[0], taps.size[1], 1};
    return slice ? withBlock(taps, {0, 0, z}, pasted) : pasted;
  });
}

void TapsEditor::doWithFile(TapsMenus::File what) {
  switch (what) {
    case TapsMenus::File::Load: files_->chooseTaps(); break;
    case TapsMenus::File::Import: files_->chooseImage(); break;
    case TapsMenus::File::Save: files_->chooseTarget(taps_); break;
    case TapsMenus::File::Copy: copy(taps_); break;
    case TapsMenus::File::Paste: paste(); break;
  }
}

}  // namespace sscope

#include "moc_taps_editor.cpp"
