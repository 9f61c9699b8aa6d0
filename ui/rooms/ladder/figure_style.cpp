// How a series looks, and the legend that says so.

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/base/text.h"
#include "ui/charts/engine_colors.h"
#include "ui/rooms/ladder/figure_canvas.h"

namespace sscope {

namespace {

constexpr int kMarkers = 6;

// Rungs are numbered in the order in which they first appear, over all engines and publications, so that a rung has
// the same marker everywhere in the figure.
int rungNumber(const Figure& figure, const std::string& variant) {
  std::vector<std::string> seen;
  for (const FigureSeries& series : figure.series)
    if (std::find(seen.begin(), seen.end(), series.variant) == seen.end()) seen.push_back(series.variant);
  return static_cast<int>(std::find(seen.begin(), seen.end(), variant) - seen.begin());
}

// How many other series of the same engine (or, published, of the same kind) come before this one.
int siblingNumber(const Figure& figure, std::size_t index) {
  const FigureSeries& series = figure.series[index];
  std::vector<std::string> seen;
  for (std::size_t i = 0; i < index; ++i) {
    const FigureSeries& other = figure.series[i];
    const bool sibling = other.origin == series.origin && other.engine == series.engine;
    const std::string& key = series.origin == SeriesOrigin::Published ? other.hardware : other.variant;
    const std::string& mine = series.origin == SeriesOrigin::Published ? series.hardware : series.variant;
    if (sibling && key != mine && std::find(seen.begin(), seen.end(), key) == seen.end()) seen.push_back(key);
  }
  return static_cast<int>(seen.size());
}

// Measured series of one rung on one engine that differ in parameters only: how many come before this one.
int variationNumber(const Figure& figure, std::size_t index) {
  const FigureSeries& series = figure.series[index];
  return static_cast<int>(std::count_if(figure.series.begin(),
                                        figure.series.begin() + static_cast<std::ptrdiff_t>(index),
                                        [&](const FigureSeries& other) {
                                          return other.origin == SeriesOrigin::Measured &&
                                                 other.engine == series.engine && other.variant == series.variant;
                                        }));
}

QPolygonF polygon(int marker, const QPointF& at, double r) {
  QPolygonF shape;
  const auto corner = [&](double angle, double radius) {
    shape << at + QPointF(radius * std::cos(angle), radius * std::sin(angle));
  };
  constexpr double kTurn = 2 * 3.14159265358979323846;
  const auto regular = [&](int corners, double first, double radius) {
    for (int i = 0; i < corners; ++i) corner(kTurn * (first + static_cast<double>(i) / corners), radius);
  };
  switch (marker) {
    case 1: regular(4, 0.125, r * 1.2); break;  // square
    case 2: regular(3, -0.25, r * 1.3); break;  // triangle
    case 3: regular(4, 0, r * 1.3); break;      // diamond
    case 4: regular(3, 0.25, r * 1.3); break;   // triangle on its tip
    default: regular(6, 0, r * 1.15); break;    // hexagon
  }
  return shape;
}

}  // namespace

double FigureCanvas::line() const { return QFontMetricsF(font).height(); }
double FigureCanvas::width(const QString& words) const { return QFontMetricsF(font).horizontalAdvance(words); }

SeriesStyle styleOf(const Figure& figure, std::size_t index, const QPalette& palette) {
  static constexpr int kLightness[] = {100, 145, 70, 180, 55, 120};
  const FigureSeries& series = figure.series[index];
  SeriesStyle style;
  style.published = series.origin == SeriesOrigin::Published;
  const bool varied = !style.published && figure.kind == FigureKind::Curves;
  const int variation = varied ? variationNumber(figure, index) : 0;
  style.marker = (rungNumber(figure, series.variant) + variation) % kMarkers;
  const int sibling = siblingNumber(figure, index) + variation;
  if (style.published) {
    style.color = palette.color(QPalette::PlaceholderText);
    style.dash = sibling;
  } else if (series.engine.empty()) {
    style.color = palette.color(QPalette::Text);
  } else {
    style.color = engineColor(series.engine).lighter(kLightness[sibling % 6]);
  }
  return style;
}

QPen linePen(const SeriesStyle& style, double width) {
  static constexpr Qt::PenStyle kDashes[] = {Qt::DashLine, Qt::DotLine, Qt::DashDotLine, Qt::DashDotDotLine};
  return QPen(style.color, width, style.published ? kDashes[style.dash % 4] : Qt::SolidLine, Qt::RoundCap,
              Qt::RoundJoin);
}

void drawMarker(QPainter& painter, const SeriesStyle& style, const QPointF& at, double radius, const QColor& inside) {
  painter.setPen(QPen(style.color, std::max(1.0, radius * 0.35)));
  painter.setBrush(inside);
  if (style.marker == 0) {
    painter.drawEllipse(at, radius, radius);
  } else {
    painter.drawPolygon(polygon(style.marker, at, radius));
  }
}

double layLegend(const Figure& figure, const QFont& font, const QPalette& palette, const QRectF& area,
                 QPainter* painter) {
  const QFontMetricsF metrics(font);
  const double line = metrics.height(), swatch = 1.5 * line, gap = 0.9 * line;
  double x = area.left(), y = area.top();
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    const QString name = toQt(figure.series[i].name);
    const double width = std::min(swatch + 0.3 * line + metrics.horizontalAdvance(name), area.width());
    if (x > area.left() && x + width > area.right()) {
      x = area.left();
      y += 1.15 * line;
    }
    if (painter) {
      const SeriesStyle style = styleOf(figure, i, palette);
      const QPointF middle(x + swatch / 2, y + line / 2);
      if (figure.kind == FigureKind::StackedBars) {
        const QRectF box(x + 0.25 * swatch, y + 0.2 * line, 0.6 * swatch, 0.6 * line);
        const bool memory = figure.series[i].part == "memory";
        const QColor color = style.published || figure.series[i].engine.empty()
                                 ? style.color
                                 : phaseColor(figure.series[i].engine, memory ? Phase::Download : Phase::Kernel);
        painter->setPen(QPen(color, 1));
        painter->setBrush(style.published ? QBrush(color, memory ? Qt::BDiagPattern : Qt::Dense6Pattern)
                                          : QBrush(color));
        painter->drawRect(box);
      } else {
        painter->setPen(linePen(style, 0.1 * line));
        painter->drawLine(QPointF(x, middle.y()), QPointF(x + swatch, middle.y()));
        drawMarker(*painter, style, middle, 0.22 * line, style.published ? palette.color(QPalette::Base) : style.color);
      }
      painter->setPen(palette.color(style.published ? QPalette::PlaceholderText : QPalette::Text));
      const double room = area.right() - x - swatch - 0.3 * line;
      painter->drawText(QRectF(x + swatch + 0.3 * line, y, room, line), Qt::AlignVCenter | Qt::AlignLeft,
                        metrics.elidedText(name, Qt::ElideRight, room));
    }
    x += width + gap;
  }
  return y + 1.15 * line - area.top();
}

}  // namespace sscope
