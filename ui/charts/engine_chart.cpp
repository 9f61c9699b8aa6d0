#include <algorithm>
#include <cmath>

#include <QContextMenuEvent>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/charts/chart_format.h"
#include "ui/charts/chart_mark.h"
#include "ui/charts/chart_picture.h"
#include "ui/charts/engine_charts.h"
#include "ui/charts/engine_colors.h"

namespace sscope {

namespace {
constexpr double kDimmed = 0.4;  // opacity of what no longer holds
}

// Where things stand, in logical pixels and multiples of the font's height.
struct EngineChart::Frame {
  double line = 0;     // height of a line of text
  double row = 0;      // height of a row
  QRectF names, plot;  // left and right of the zero line
  double legend = 0;   // height of the line above
};

EngineChart::EngineChart(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

EngineChart::Frame EngineChart::frame() const {
  const QFontMetricsF metrics(font());
  Frame f;
  f.line = metrics.height();
  f.row = 1.55 * f.line;
  f.legend = 1.4 * f.line;
  double names = 3 * f.line;
  for (const EngineRow& row : rows_)
    names = std::max(names, metrics.horizontalAdvance(QString::fromStdString(row.id)) * (row.current ? 1.08 : 1));
  names = std::min(names, 0.4 * width()) + 0.5 * f.line;
  const double rowsHeight = f.row * static_cast<double>(std::max<std::size_t>(1, rows_.size()));
  f.names = QRectF(0, f.legend, names, rowsHeight);
  double values = 0;  // room for the text after the longest bar
  for (const EngineRow& row : rows_)
    if (row.measured && row.absentReason.empty())
      values = std::max(values, metrics.horizontalAdvance(valueText(row)) + (markOf(row).isValid() ? f.line : 0));
  const double left = names + 0.25 * f.line;
  f.plot = QRectF(left, f.legend, std::max(4 * f.line, width() - left - values - 0.9 * f.line), rowsHeight);
  return f;
}

void EngineChart::setRows(std::vector<EngineRow> rows) {
  const bool resized = rows.size() != rows_.size();
  rows_ = std::move(rows);
  if (hovered_ >= static_cast<int>(rows_.size())) hovered_ = -1;
  QStringList summary;
  for (const EngineRow& row : rows_)
    summary << QString::fromStdString(row.id) + QStringLiteral(": ") +
                   (!row.absentReason.empty() ? QStringLiteral("absent, ") + QString::fromStdString(row.absentReason)
                    : !row.measured           ? QStringLiteral("not run yet")
                    : row.stale               ? valueText(row) + QStringLiteral(", of an earlier setting")
                                              : valueText(row));
  setAccessibleDescription(summary.join(QStringLiteral("; ")));
  if (resized) updateGeometry();
  update();
}

QSize EngineChart::sizeHint() const {
  const Frame f = frame();
  return {static_cast<int>(22 * f.line), static_cast<int>(std::ceil(f.plot.bottom() + 2.6 * f.line))};
}

QSize EngineChart::minimumSizeHint() const { return {static_cast<int>(12 * frame().line), sizeHint().height()}; }

QRectF EngineChart::barArea(int index) const {
  const Frame f = frame();
  return {f.plot.left(), f.plot.top() + index * f.row, f.plot.width(), f.row};
}

int EngineChart::rowAt(const QPointF& position) const {
  const Frame f = frame();
  const int index = static_cast<int>(std::floor((position.y() - f.plot.top()) / f.row));
  return index >= 0 && index < static_cast<int>(rows_.size()) ? index : -1;
}

void EngineChart::drawRow(QPainter& painter, const Frame& f, std::size_t index, double scale) const {
  const EngineRow& row = rows_[index];
  const bool absent = !row.absentReason.empty();
  const double top = f.plot.top() + static_cast<double>(index) * f.row;
  const QRectF whole(0, top, width(), f.row);
  QColor highlight = palette().color(QPalette::Highlight);
  highlight.setAlphaF(static_cast<int>(index) == hovered_ ? 0.22F : 0.10F);
  if (row.current || static_cast<int>(index) == hovered_) painter.fillRect(whole, highlight);

  const QColor text = palette().color(QPalette::Text);
  const QColor pale = palette().color(QPalette::PlaceholderText);
  painter.setPen(absent ? absentColor() : text);
  QFont bold = font();
  bold.setBold(row.current);
  painter.setFont(bold);
  const QFontMetricsF metrics(bold);
  const QRectF nameArea(f.line * 0.25, top, f.names.width() - f.line * 0.25, f.row);
  painter.drawText(nameArea, Qt::AlignVCenter | Qt::AlignRight,
                   metrics.elidedText(QString::fromStdString(row.id), Qt::ElideRight, nameArea.width()));
  painter.setFont(font());
  const QFontMetricsF plain(font());
  const QRectF bar(f.plot.left(), top + 0.2 * f.row, f.plot.width(), 0.6 * f.row);
  const auto write = [&](const QString& words, const QColor& ink, double from) {
    const QRectF area(from, top, std::max(0.0, width() - from), f.row);
    painter.setPen(ink);
    painter.drawText(area, Qt::AlignVCenter | Qt::AlignLeft, plain.elidedText(words, Qt::ElideRight, area.width()));
  };
  const double gap = 0.4 * f.line;
  if (absent) {
    write(QStringLiteral("absent: ") + QString::fromStdString(row.absentReason), absentColor(), f.plot.left() + gap);
  } else if (!row.measured) {
    write(QStringLiteral("not run yet"), pale, f.plot.left() + gap);
  } else {
    if (row.stale) painter.setOpacity(kDimmed);
    drawBar(painter, row, bar, scale);
    const double from = f.plot.left() + barEnd(row) * scale + gap;
    write(valueText(row), text, from);
    if (const QColor mark = markOf(row); mark.isValid())
      drawMark(painter, {from + plain.horizontalAdvance(valueText(row)) + 0.55 * f.line, top + f.row / 2},
               0.28 * f.line, mark);
    painter.setOpacity(1);
  }
}

// In smaller letters where the panel is too narrow for it.
void EngineChart::drawLegend(QPainter& painter, const QRectF& area) const {
  const auto entries = legend();
  QFont letters = font();
  const auto widthIn = [&](const QFont& f) {
    const QFontMetricsF metrics(f);
    double sum = 0;
    for (const LegendEntry& entry : entries) sum += metrics.horizontalAdvance(entry.name) + 1.9 * metrics.ascent();
    return sum;
  };
  const double wanted = widthIn(letters);
  if (wanted > area.width()) letters.setPointSizeF(letters.pointSizeF() * std::max(0.75, area.width() / wanted));
  const QFontMetricsF metrics(letters);
  const double side = 0.6 * metrics.ascent();
  double x = area.left();
  painter.save();
  painter.setFont(letters);
  for (const LegendEntry& entry : entries) {
    entry.drawSwatch(painter, QRectF(x, area.center().y() - side / 2, 1.2 * side, side));
    x += 1.6 * side;
    painter.setPen(palette().color(QPalette::PlaceholderText));
    const double width = metrics.horizontalAdvance(entry.name);
    painter.drawText(QRectF(x, area.top(), width + 2, area.height()), Qt::AlignVCenter | Qt::AlignLeft, entry.name);
    x += width + 1.1 * side;
  }
  painter.restore();
}

void EngineChart::draw(QPainter& painter) const {
  const Frame f = frame();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(font());
  const QFontMetricsF metrics(font());
  drawLegend(painter, QRectF(0.4 * f.line, 0, width() - 0.8 * f.line, f.legend));

  const Axis scaleAxis = axis();
  const int most = std::clamp(static_cast<int>(f.plot.width() / (3.4 * f.line)), 1, 6);
  const auto ticks = zeroBasedTicks(scaleAxis.highest * scaleAxis.perUnit, most);
  const double scale = f.plot.width() / (ticks.back() / scaleAxis.perUnit);

  QColor grid = palette().color(QPalette::Text);
  const QColor pale = palette().color(QPalette::PlaceholderText);
  const auto xOf = [&](double tick) { return std::round(f.plot.left() + tick / scaleAxis.perUnit * scale) + 0.5; };
  for (const double tick : ticks) {
    grid.setAlphaF(tick == 0 ? 0.55F : 0.13F);
    painter.setPen(QPen(grid, 1));
    painter.drawLine(QPointF(xOf(tick), f.plot.top()), QPointF(xOf(tick), f.plot.bottom() + 0.2 * f.line));
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) drawRow(painter, f, i, scale);

  painter.setPen(pale);
  for (const double tick : ticks) {
    const QString label = QString::number(tick, 'g', 6);
    const double half = metrics.horizontalAdvance(label) / 2;
    const double x = std::min(xOf(tick), width() - half - 1);
    painter.drawText(QRectF(x - half - 1, f.plot.bottom() + 0.25 * f.line, 2 * half + 2, f.line), Qt::AlignCenter,
                     label);
  }
  painter.drawText(QRectF(f.plot.left(), f.plot.bottom() + 1.25 * f.line, f.plot.width(), 1.2 * f.line),
                   Qt::AlignCenter,
                   std::ranges::any_of(rows_, [](const EngineRow& row) { return row.stale; })
                       ? scaleAxis.title + QStringLiteral(" (pale: earlier setting)")
                       : scaleAxis.title);
}

void EngineChart::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  draw(painter);
}

QImage EngineChart::picture(double scale) const {
  return chartPicture(*this, scale, [this](QPainter& painter) { draw(painter); });
}

bool EngineChart::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int row = rowAt(help->pos());
    if (row >= 0) {
      QToolTip::showText(help->globalPos(), tooltip(rows_[static_cast<std::size_t>(row)]), this);
    } else {
      QToolTip::hideText();
    }
    return true;
  }
  if (event->type() == QEvent::FontChange) updateGeometry();
  return QWidget::event(event);
}

void EngineChart::mouseMoveEvent(QMouseEvent* event) {
  const int row = rowAt(event->position());
  const bool clickable = row >= 0 && rows_[static_cast<std::size_t>(row)].absentReason.empty();
  setCursor(clickable ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (row == hovered_) return;
  hovered_ = row;
  update();
}

void EngineChart::leaveEvent(QEvent*) {
  hovered_ = -1;
  update();
}

void EngineChart::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !rect().contains(event->pos())) return;
  const int row = rowAt(event->position());
  if (row < 0 || !rows_[static_cast<std::size_t>(row)].absentReason.empty()) return;
  Q_EMIT engineClicked(QString::fromStdString(rows_[static_cast<std::size_t>(row)].id));
}

void EngineChart::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  menu.addAction(QStringLiteral("Export as PNG…"), this, [this] { Q_EMIT exportRequested(true); });
  menu.addAction(QStringLiteral("Export as CSV…"), this, [this] { Q_EMIT exportRequested(false); });
  menu.exec(event->globalPos());
}

}  // namespace sscope
