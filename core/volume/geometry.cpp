#include "core/volume/geometry.h"

#include <utility>

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

}  // namespace sscope
