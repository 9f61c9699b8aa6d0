#pragma once
// The scale of an axis: values to pixels, ticks at round values and their labels.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/measure/measurement.h"
#include "core/report/figure.h"

namespace sscope::report {

struct AxisScale {
  double low = 0, high = 1;
  bool log = false;
  double from = 0, to = 1;      // pixels
  double factor = 1;            // labels show values times this
  std::string title;            // "kernels N", "time per kernel, ms"
  std::vector<double> ticks{};  // in values

  [[nodiscard]] double at(double value) const;
  [[nodiscard]] bool shows(double value) const { return !log || value > 0; }
  [[nodiscard]] std::string label(double tick) const;
};

// `values` are all values drawn along the axis. Starts at zero unless logarithmic or `tight`. About `mostTicks` ticks.
[[nodiscard]] AxisScale scaleFor(const Axis& axis, std::vector<double> values, bool tight, double from, double to,
                                 int mostTicks);

// Round values from 0 to the first at or above `highest`, at most `most` steps of 1, 2 or 5 times a power of ten.
[[nodiscard]] std::vector<double> zeroBasedTicks(double highest, int most);
// The label of a tick, without trailing zeros.
[[nodiscard]] std::string tickText(double value);
// "12.4 ms", "45.2 GFLOP/s", "63 %".
[[nodiscard]] std::string valueText(const Axis& axis, double value);

// Quartiles of a point in the unit of its value, if they follow from its measurement.
struct PointSpread {
  double low = 0, high = 0;
};
[[nodiscard]] std::optional<PointSpread> spreadAt(std::span<const Measurement> measurements, const FigurePoint& point,
                                                  double value, const Axis& axis);

}  // namespace sscope::report
