#pragma once
// Figures on the report page: SVG or, for tables, HTML.

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "core/measure/measurement.h"
#include "core/report/figure.h"

namespace sscope::report {

// One color for each rung throughout a page, one marker for each device.
class Palette {
 public:
  [[nodiscard]] std::uint32_t colorOf(const FigureSeries& series);  // 0xRRGGBB
  [[nodiscard]] int markerOf(const FigureSeries& series);

 private:
  std::map<std::string, int> colors_, markers_;
};

// `measurements` are the figure's; without them there are no whiskers.
[[nodiscard]] std::string draw(const Figure& figure, Palette& palette, std::span<const Measurement> measurements = {});

// A bar for each of the rows (pointers into `measurements`) with its median, colored by engine; empty if none has
// results.
[[nodiscard]] Figure medianFigure(std::span<const Measurement> measurements, std::span<const Measurement* const> rows);

}  // namespace sscope::report
