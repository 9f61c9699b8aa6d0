#pragma once
// What the kinds of figures share while they are painted: the surface, the style of a series, axes and legend.

#include <QBrush>
#include <QColor>
#include <QFont>
#include <QPainter>
#include <QPalette>
#include <QRectF>
#include <QString>
#include <span>
#include <vector>

#include "core/ladder/figure.h"
#include "core/measure/measurement.h"

namespace sscope {

// Where a point of the figure lies on the widget.
struct FigureMark {
  QRectF area;
  std::size_t series = 0, point = 0;
};

struct FigureCanvas {
  QPainter& painter;
  QRectF area;  // below title and legend
  const Figure& figure;
  std::span<const Measurement> measurements;
  QFont font;
  QPalette palette;
  const FigureMark* lit = nullptr;  // under the mouse or the keyboard
  std::vector<FigureMark>& marks;   // filled while painting

  [[nodiscard]] double line() const;  // height of a line of text
  [[nodiscard]] double width(const QString& text) const;
  [[nodiscard]] QColor text() const { return palette.color(QPalette::Text); }
  [[nodiscard]] QColor pale() const { return palette.color(QPalette::PlaceholderText); }
  [[nodiscard]] bool isLit(std::size_t series, std::size_t point) const {
    return lit && lit->series == series && lit->point == point;
  }
};

void drawCurves(FigureCanvas& canvas);
void drawBars(FigureCanvas& canvas);
void drawHeatMaps(FigureCanvas& canvas);
void drawFigureTable(FigureCanvas& canvas);
// Heights their content asks for, without title, legend and note.
[[nodiscard]] double barsHeight(const Figure& figure, double line);
[[nodiscard]] double heatMapsHeight(const Figure& figure, double line, double width);
[[nodiscard]] double figureTableHeight(const Figure& figure, double line);

// Measured series have their engine's color, in a shade and with a marker of the rung's own; published ones are gray,
// dashed, hollow or hatched, with the marker of the rung they tell about.
struct SeriesStyle {
  QColor color;
  int marker = 0;
  bool published = false;
  int dash = 0;
};
[[nodiscard]] SeriesStyle styleOf(const Figure& figure, std::size_t series, const QPalette& palette);
[[nodiscard]] QPen linePen(const SeriesStyle& style, double width);
void drawMarker(QPainter& painter, const SeriesStyle& style, const QPointF& at, double radius, const QColor& inside);

// A stretch of an axis: values to pixels, and where its ticks are.
struct AxisScale {
  double low = 0, high = 1;
  bool log = false;
  double from = 0, to = 1;      // pixels
  double factor = 1;            // written numbers are values times this
  QString title;                // "kernels N", "time per kernel, ms"
  std::vector<double> ticks{};  // in values

  [[nodiscard]] double at(double value) const;
  [[nodiscard]] bool shows(double value) const { return !log || value > 0; }
  [[nodiscard]] QString label(double tick) const;
};
// `values` are all that is drawn along it; zero-based unless it is logarithmic or `tight`.
[[nodiscard]] AxisScale scaleFor(const Axis& axis, const std::vector<double>& values, bool tight, double from,
                                 double to, int mostTicks);
// "12.4 ms", "45.2 GFLOP/s", "63 %".
[[nodiscard]] QString figureValue(const Axis& axis, double value);

// Lines of the legend for this width; draws them when there is a painter.
double layLegend(const Figure& figure, const QFont& font, const QPalette& palette, const QRectF& area,
                 QPainter* painter);

// Quartiles of a point in the unit of its value, as far as they follow from its measurement.
struct PointSpread {
  double low = 0, high = 0;
};
[[nodiscard]] std::optional<PointSpread> spreadAt(const FigureCanvas& canvas, const FigurePoint& point, double value,
                                                  const Axis& axis);

}  // namespace sscope
