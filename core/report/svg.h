#pragma once
// Pieces of SVG and HTML for the report page. Colors that depend on the theme are CSS classes of the page (page_style).

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/ladder/figure.h"

namespace sscope::report {

// &, <, > and quotes as entities.
[[nodiscard]] std::string escaped(std::string_view text);
// Two decimals, for coordinates.
[[nodiscard]] std::string number(double value);
// A tick's text: short, without needless zeros.
[[nodiscard]] std::string tickText(double value);

// <text class='css' ...>; anchor: start, middle, end.
[[nodiscard]] std::string textAt(double x, double y, std::string_view anchor, std::string_view text,
                                 std::string_view css = "");
// <rect style>; the style holds its attributes.
[[nodiscard]] std::string rectangle(double left, double top, double width, double height, const std::string& style);
[[nodiscard]] std::string svgOpen(double width, double height, std::string_view label);

// A scale from values to pixels with its ticks at round values.
class Scale {
 public:
  // Linear ones start at 0 and end at a tick at or above `high`; logarithmic ones run from tick to tick around both.
  Scale(double low, double high, bool log, double from, double to);
  [[nodiscard]] double at(double value) const;
  [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }
  // Ticks at these values instead.
  void tickAt(std::vector<double> values) { ticks_ = std::move(values); }

 private:
  double low_, high_;
  bool log_;
  double from_, to_;
  std::vector<double> ticks_;
};

// One color for each rung throughout a page, one marker for each device.
class Palette {
 public:
  [[nodiscard]] std::string colorOf(const FigureSeries& series);
  [[nodiscard]] std::size_t markerOf(const FigureSeries& series);

 private:
  std::map<std::string, std::size_t> colors_, markers_;
};

// The series' name without its device.
[[nodiscard]] std::string familyOf(const FigureSeries& series);

// A color of the map from dark violet to yellow (matplotlib's viridis), fraction 0..1.
[[nodiscard]] std::string mapColor(double fraction);

}  // namespace sscope::report
