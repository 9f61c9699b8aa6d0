#include "core/volume/geometry.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/base/words.h"
#include "core/volume/length_unit.h"

namespace sscope {

std::string_view toString(StepSource source) {
  switch (source) {
    case StepSource::Given: return "given";
    case StepSource::Derived: return "derived";
    case StepSource::Assumed: return "assumed";
  }
  return {};
}

bool Geometry::hasLength(std::size_t axis) const {
  return steps[axis] != StepSource::Assumed && millimetersIn(unit).has_value();
}

Geometry inUnit(Geometry geometry, const std::string& unit) {
  if (!millimetersIn(geometry.unit)) return geometry;
  for (std::size_t a = 0; a < 3; ++a) {
    geometry.spacing[a] = convertLength(geometry.spacing[a], geometry.unit, unit);
    geometry.origin[a] = convertLength(geometry.origin[a], geometry.unit, unit);
  }
  geometry.unit = unit;
  return geometry;
}

Geometry inMillimeters(Geometry geometry) { return inUnit(std::move(geometry), "mm"); }

namespace {

constexpr std::string_view kRemedy = " are refused: give it with --spacing (in the window: Correct...)";
constexpr const char* kAxisNames[] = {"x", "y", "z"};

}  // namespace

void setSteps(Geometry& geometry, const std::array<AxisStep, 3>& axes) {
  std::array<std::string, 3> units;
  for (std::size_t a = 0; a < 3; ++a) units[a] = lengthUnit(axes[a].unit);
  const auto* const length =
      std::find_if(units.begin(), units.end(), [](const std::string& u) { return millimetersIn(u).has_value(); });
  const bool some = length != units.end();
  const bool alike = units[0] == units[1] && (units[1] == units[2] || units[2].empty());
  const std::string unit = some ? *length : alike ? units[0] : std::string();
  if (some && millimetersIn(geometry.unit)) geometry = inUnit(std::move(geometry), unit);
  geometry.unit = unit;
  for (std::size_t a = 0; a < 3; ++a) {
    const AxisStep& axis = axes[a];
    const bool known = std::isfinite(axis.step) && axis.step > 0;
    const bool convertible = !some || millimetersIn(units[a]).has_value();
    geometry.steps[a] = known && convertible ? axis.source : StepSource::Assumed;
    geometry.spacing[a] = !known ? 1 : some && convertible ? convertLength(axis.step, units[a], unit) : axis.step;
  }
}

std::string assumedNotice(const Geometry& geometry, const std::array<std::int64_t, 3>& extent) {
  if (!millimetersIn(geometry.unit)) return {};
  std::vector<std::string> assumed;
  for (std::size_t a = 0; a < 3; ++a)
    if (geometry.steps[a] == StepSource::Assumed && extent[a] > 1) assumed.emplace_back(kAxisNames[a]);
  const std::string axes = listed(assumed);
  if (axes.empty()) return {};
  const std::string what =
      axes == "z" ? "the file gives no gap between slices" : "the file gives no step along " + axes;
  return what + "; 1 is assumed there, and lengths along " + axes + std::string(kRemedy);
}

bool isAssumedNotice(const std::string& notice) { return notice.ends_with(kRemedy); }

}  // namespace sscope
