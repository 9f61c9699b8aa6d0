// Horizontal bars, one group a category; a bar stacks the parts of one engine or publication.

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <string>

#include "ui/base/text.h"
#include "ui/charts/engine_colors.h"
#include "ui/rooms/ladder/figure_canvas.h"

namespace sscope {

namespace {

constexpr double kBar = 0.95, kGroupGap = 0.55;  // lines

std::string stackOf(const FigureSeries& series) { return series.stack.empty() ? series.name : series.stack; }

std::vector<std::string> stacksOf(const Figure& figure) {
  std::vector<std::string> stacks;
  for (const FigureSeries& series : figure.series)
    if (std::find(stacks.begin(), stacks.end(), stackOf(series)) == stacks.end()) stacks.push_back(stackOf(series));
  return stacks;
}

// One part of a bar.
struct Piece {
  std::size_t series, point;
  double length;
};

std::vector<Piece> piecesOf(const Figure& figure, const std::string& stack, std::size_t category) {
  std::vector<Piece> pieces;
  for (std::size_t s = 0; s < figure.series.size(); ++s) {
    if (stackOf(figure.series[s]) != stack) continue;
    const auto& points = figure.series[s].points;
    for (std::size_t p = 0; p < points.size(); ++p)
      if (static_cast<std::size_t>(points[p].x) == category) pieces.push_back({s, p, points[p].y});
  }
  return pieces;
}

double totalOf(const std::vector<Piece>& pieces) {
  double total = 0;
  for (const Piece& piece : pieces) total += piece.length;
  return total;
}

// Categories and, within each, only the stacks that have something there.
struct Row {
  std::size_t category;
  std::vector<std::vector<Piece>> bars;
};

std::vector<Row> rowsOf(const Figure& figure) {
  const std::vector<std::string> stacks = stacksOf(figure);
  std::vector<Row> rows;
  for (std::size_t c = 0; c < figure.categories.size(); ++c) {
    Row row{c, {}};
    for (const std::string& stack : stacks)
      if (auto pieces = piecesOf(figure, stack, c); !pieces.empty()) row.bars.push_back(std::move(pieces));
    rows.push_back(std::move(row));
  }
  return rows;
}

// Where the categories are the engines, they give the color.
std::string engineOf(const Figure& figure, const FigureSeries& series, const FigurePoint& point) {
  if (!series.engine.empty()) return series.engine;
  const std::string& category = figure.categories[static_cast<std::size_t>(point.x)];
  return category.substr(0, category.find(": "));
}

void drawPiece(FigureCanvas& canvas, const Piece& piece, const QRectF& box) {
  const FigureSeries& series = canvas.figure.series[piece.series];
  const bool memory = series.part == "memory";
  QPainter& painter = canvas.painter;
  painter.setRenderHint(QPainter::Antialiasing, false);
  if (series.origin == SeriesOrigin::Published) {
    const QColor ink = canvas.pale();
    painter.setPen(QPen(ink, 1));
    painter.setBrush(QBrush(ink, memory ? Qt::BDiagPattern : Qt::Dense6Pattern));
    painter.drawRect(box.adjusted(0, 0, 0, -1));
  } else {
    const std::string engine = engineOf(canvas.figure, series, series.points[piece.point]);
    painter.fillRect(box, phaseColor(engine, memory ? Phase::Download : Phase::Kernel));
  }
  painter.setRenderHint(QPainter::Antialiasing);
  if (canvas.isLit(piece.series, piece.point)) {
    painter.setPen(QPen(canvas.text(), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box);
  }
}

void drawBar(FigureCanvas& canvas, const std::vector<Piece>& pieces, const QRectF& lane, const AxisScale& scale) {
  QPainter& painter = canvas.painter;
  const double line = canvas.line(), total = totalOf(pieces);
  double sum = 0;
  for (const Piece& piece : pieces) {
    const double from = scale.at(sum), to = scale.at(sum + piece.length);
    sum += piece.length;
    const QRectF box(from, lane.top() + 0.1 * lane.height(), std::max(1.0, to - from), 0.8 * lane.height());
    drawPiece(canvas, piece, box);
    // A sliver is still easy to point at.
    QRectF reach(from, lane.top(), std::max(to - from, 0.4 * line), lane.height());
    canvas.marks.push_back({reach, piece.series, piece.point});
  }
  double end = scale.at(total);
  const FigureSeries& last = canvas.figure.series[pieces.back().series];
  const FigurePoint& point = last.points[pieces.back().point];
  if (const auto spread = spreadAt(canvas, point, total, canvas.figure.y)) {
    const double y = lane.center().y(), tick = 0.25 * lane.height();
    const double from = scale.at(spread->low), to = scale.at(spread->high);
    painter.setPen(QPen(canvas.text(), 1.2));
    painter.drawLine(QPointF(from, y), QPointF(to, y));
    for (const double x : {from, to}) painter.drawLine(QPointF(x, y - tick), QPointF(x, y + tick));
    end = std::max(end, to);
  }
  const QFontMetricsF metrics(canvas.font);
  const double start = end + 0.4 * line;
  painter.setPen(last.origin == SeriesOrigin::Published ? canvas.pale() : canvas.text());
  painter.drawText(QRectF(start, lane.top(), std::max(0.0, canvas.area.right() - start), lane.height()),
                   Qt::AlignLeft | Qt::AlignVCenter, figureValue(canvas.figure.y, total));
}

}  // namespace

double barsHeight(const Figure& figure, double line) {
  double height = 2.8 * line;
  for (const Row& row : rowsOf(figure))
    height += (std::max<double>(1, static_cast<double>(row.bars.size())) * kBar + kGroupGap) * line;
  return height;
}

void drawBars(FigureCanvas& canvas) {
  QPainter& painter = canvas.painter;
  const double line = canvas.line();
  const QFontMetricsF metrics(canvas.font);
  const std::vector<Row> rows = rowsOf(canvas.figure);
  double names = 0, texts = 0;
  std::vector<double> totals;
  for (const Row& row : rows) {
    names = std::max(names, canvas.width(toQt(canvas.figure.categories[row.category])));
    for (const auto& bar : row.bars) {
      const double total = totalOf(bar);
      texts = std::max(texts, canvas.width(figureValue(canvas.figure.y, total)));
      const FigurePoint& last = canvas.figure.series[bar.back().series].points[bar.back().point];
      const auto spread = spreadAt(canvas, last, total, canvas.figure.y);
      totals.push_back(spread ? std::max(total, spread->high) : total);
    }
  }
  names = std::min(names, 0.35 * canvas.area.width());
  const QRectF plot = canvas.area.adjusted(names + 0.5 * line, 0.1 * line, -(texts + 0.8 * line), -2.6 * line);
  const int most = std::clamp(static_cast<int>(plot.width() / (3.5 * line)), 1, 8);
  Axis linear = canvas.figure.y;
  linear.log = false;  // bars begin at zero
  const AxisScale scale = scaleFor(linear, totals, false, plot.left(), plot.right(), most);

  QColor grid = canvas.text();
  for (const double tick : scale.ticks) {
    const double x = std::round(scale.at(tick)) + 0.5;
    grid.setAlphaF(tick == 0 ? 0.55F : 0.13F);
    painter.setPen(QPen(grid, 1));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    painter.setPen(canvas.pale());
    const double half = canvas.width(scale.label(tick)) / 2 + 2;
    painter.drawText(QRectF(x - half, plot.bottom() + 0.15 * line, 2 * half, line), Qt::AlignCenter, scale.label(tick));
  }
  painter.setPen(canvas.pale());
  painter.drawText(QRectF(plot.left(), plot.bottom() + 1.2 * line, plot.width(), 1.2 * line), Qt::AlignCenter,
                   scale.title);

  double y = plot.top() + kGroupGap / 2 * line;
  for (const Row& row : rows) {
    const double height = std::max<double>(1, static_cast<double>(row.bars.size())) * kBar * line;
    painter.setPen(row.bars.empty() ? canvas.pale() : canvas.text());
    painter.drawText(QRectF(canvas.area.left(), y, names, height), Qt::AlignRight | Qt::AlignVCenter,
                     metrics.elidedText(toQt(canvas.figure.categories[row.category]), Qt::ElideMiddle, names));
    double top = y;
    for (const auto& bar : row.bars) {
      drawBar(canvas, bar, QRectF(plot.left(), top, plot.width(), kBar * line), scale);
      top += kBar * line;
    }
    y += height + kGroupGap * line;
  }
}

}  // namespace sscope
