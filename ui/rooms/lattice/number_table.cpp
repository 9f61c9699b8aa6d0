#include "ui/rooms/lattice/number_table.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>

#include "ui/base/look.h"

namespace sscope {

namespace {

constexpr int kShownRows = 4;

QPixmap squareOf(const QColor& color, int side, double scale) {
  QPixmap pixmap(QSize(side, side) * scale);
  pixmap.setDevicePixelRatio(scale);
  pixmap.fill(color);
  return pixmap;
}

}  // namespace

NumberTable::NumberTable(const QString& accessibleName, QWidget* parent) : QTableWidget(parent) {
  setAccessibleName(accessibleName);
  setEditTriggers(NoEditTriggers);
  setSelectionBehavior(SelectRows);
  setAlternatingRowColors(true);
  setShowGrid(false);
  setFrameShape(NoFrame);
  setWordWrap(false);
  // Tab leaves the table.
  setTabKeyNavigation(false);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(em(this, 1.5));
  horizontalHeader()->setHighlightSections(false);
}

void NumberTable::setRows(const QStringList& columns, int texts, const std::vector<Row>& rows) {
  setColumnCount(static_cast<int>(columns.size()));
  setHorizontalHeaderLabels(columns);
  setRowCount(static_cast<int>(rows.size()));
  for (int r = 0; r < rowCount(); ++r) {
    const Row& row = rows[static_cast<std::size_t>(r)];
    for (int c = 0; c < columnCount(); ++c) {
      QTableWidgetItem* cell = item(r, c);
      if (!cell) setItem(r, c, cell = new QTableWidgetItem);
      cell->setText(row.cells.value(c));
      cell->setToolTip(row.tooltip);
      cell->setTextAlignment((c < texts ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
      if (c == 0 && row.color.isValid())
        cell->setData(Qt::DecorationRole, squareOf(row.color, em(this, 0.6), devicePixelRatioF()));
    }
  }
  for (int c = 0; c < columnCount(); ++c)
    horizontalHeaderItem(c)->setTextAlignment((c < texts ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  resizeColumnsToContents();
}

QString NumberTable::cell(int row, int column) const {
  const QTableWidgetItem* found = item(row, column);
  return found ? found->text() : QString();
}

QSize NumberTable::sizeHint() const {
  return {em(this, 24), horizontalHeader()->sizeHint().height() + kShownRows * em(this, 1.5) + em(this, 0.4)};
}

void NumberTable::keyPressEvent(QKeyEvent* event) {
  if (!event->matches(QKeySequence::Copy)) {
    QTableWidget::keyPressEvent(event);
    return;
  }
  QStringList lines;
  for (int r = 0; r < rowCount(); ++r) {
    QStringList cells;
    bool selected = false;
    for (int c = 0; c < columnCount(); ++c) {
      cells << cell(r, c);
      selected = selected || (item(r, c) && item(r, c)->isSelected());
    }
    if (selected) lines << cells.join(QLatin1Char('\t'));
  }
  QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace sscope

#include "moc_number_table.cpp"
