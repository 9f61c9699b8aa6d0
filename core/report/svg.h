#pragma once
// Drawings as SVG for the report page. Colors of the theme are variables of the page (page_style).

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "core/base/encoding.h"
#include "core/measure/measurement.h"
#include "core/report/display_list.h"
#include "core/report/figure.h"

namespace sscope::report {

// Two decimals, for coordinates.
[[nodiscard]] std::string number(double value);

// Approximates the page's font by average widths of common sans-serif fonts.
class PageFont : public FontMeasure {
 public:
  [[nodiscard]] double line() const override { return 15; }
  [[nodiscard]] double width(std::string_view text, bool bold = false) const override;
};

// One svg element; targets become tooltips. `label` is for screen readers.
[[nodiscard]] std::string toSvg(const DisplayList& list, std::string_view label);

// One color for each rung throughout a page, one marker for each device.
class Palette {
 public:
  [[nodiscard]] std::uint32_t colorOf(const FigureSeries& series);  // 0xRRGGBB
  [[nodiscard]] int markerOf(const FigureSeries& series);

 private:
  std::map<std::string, int> colors_, markers_;
};

// A figure as SVG or, for tables, as HTML. `measurements` are the figure's; without them there are no whiskers.
[[nodiscard]] std::string draw(const Figure& figure, Palette& palette, std::span<const Measurement> measurements = {});

// A bar for each of the rows (pointers into `measurements`) with its median, colored by engine; empty if none has
// results.
[[nodiscard]] Figure medianFigure(std::span<const Measurement> measurements, std::span<const Measurement* const> rows);

}  // namespace sscope::report
