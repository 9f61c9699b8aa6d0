#include "ui/rooms/filter/taps_grid.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <algorithm>
#include <cmath>

#include "core/filter/taps.h"
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

// Cells hold every digit, which is what is edited, and show few.
class ShortNumbers : public QStyledItemDelegate {
 public:
  explicit ShortNumbers(QTableWidget* table) : QStyledItemDelegate(table), table_(table) {}
  [[nodiscard]] QString displayText(const QVariant& value, const QLocale& /*locale*/) const override {
    return numberText(value.toString().toDouble(), digitsFor(table_->columnCount()));
  }
  // Selected cells keep their color, which says what they hold, and get a frame.
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

}  // namespace sscope

#include "moc_taps_grid.cpp"
