#pragma once
// Lays out figures as drawings, for the window and the report page.

#include <span>
#include <string>
#include <vector>

#include "core/measure/measurement.h"
#include "core/report/display_list.h"
#include "core/report/figure.h"

namespace sscope::report {

// The style of a series. Colors distinguish rungs on the page and engines in the window.
struct SeriesLook {
  Paint paint;
  int marker = 0;           // 0 is a circle, then square, triangle, diamond, triangle on its tip, hexagon; modulo 6
  int dash = 0;             // of its line; Polyline::dash
  Fill fill = Fill::Solid;  // of bars and markers
};

struct FigureInk {
  const Figure& figure;
  std::span<const Measurement> measurements;  // the figure's measurements; without them there are no whiskers
  std::vector<SeriesLook> looks;              // one per series
  const FontMeasure& font;
};

// At least `height` high. Without title and note, which the caller shows.
[[nodiscard]] DisplayList layOut(const FigureInk& ink, double width, double height = 0);

// Parts of layOut(): they add what is below the legend at list.height and increase list.height by their own.
void layCurves(const FigureInk& ink, DisplayList& list, double height);
void layBars(const FigureInk& ink, DisplayList& list);
void layHeatMaps(const FigureInk& ink, DisplayList& list);
void layTable(const FigureInk& ink, DisplayList& list);

// The marker of a style, centered at a point.
[[nodiscard]] Polyline markerAt(const SeriesLook& look, Point at, double radius);
// Moves a coordinate to the middle of a pixel, so that a line is one pixel wide instead of two gray ones.
[[nodiscard]] double crisp(double coordinate);
// The stack of a bar's series, or its own name if it has none.
[[nodiscard]] const std::string& stackOf(const FigureSeries& series);
// Whether any bar has several parts.
[[nodiscard]] bool divided(const Figure& figure);

}  // namespace sscope::report
