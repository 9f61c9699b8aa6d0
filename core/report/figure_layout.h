#pragma once
// A figure as a drawing: the one layout of the window and the report page.

#include <span>
#include <string>
#include <vector>

#include "core/ladder/figure.h"
#include "core/measure/measurement.h"
#include "core/report/display_list.h"

namespace sscope::report {

// How a series looks. The page tells rungs apart by color, the window engines.
struct SeriesLook {
  Paint paint;
  int marker = 0;           // 0 is a circle, then square, triangle, diamond, triangle on its tip, hexagon; modulo 6
  int dash = 0;             // of its line; Polyline::dash
  Fill fill = Fill::Solid;  // of bars and markers
};

struct FigureInk {
  const Figure& figure;
  std::span<const Measurement> measurements;  // that it was made from; without them there are no whiskers
  std::vector<SeriesLook> looks;              // one a series
  const FontMeasure& font;
};

// At least `height` high; title and note are left to whoever shows it.
[[nodiscard]] DisplayList layOut(const FigureInk& ink, double width, double height = 0);

// Parts of it: what is below the legend, from list.height on, which they move to their end.
void layCurves(const FigureInk& ink, DisplayList& list, double height);
void layBars(const FigureInk& ink, DisplayList& list);
void layHeatMaps(const FigureInk& ink, DisplayList& list);
void layTable(const FigureInk& ink, DisplayList& list);

// The marker of a look about a point.
[[nodiscard]] Polyline markerAt(const SeriesLook& look, Point at, double radius);
// Lines fall between pixels: one pixel wide, not two gray ones.
[[nodiscard]] double crisp(double coordinate);
// Bars' series that are one bar: its stack, or itself.
[[nodiscard]] const std::string& stackOf(const FigureSeries& series);
// Whether bars have parts.
[[nodiscard]] bool divided(const Figure& figure);

}  // namespace sscope::report
