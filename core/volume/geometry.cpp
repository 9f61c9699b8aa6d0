#include "core/volume/geometry.h"

#include "core/volume/length_unit.h"

namespace sscope {

Geometry inMillimeters(Geometry geometry) {
  const auto factor = millimetersIn(geometry.unit);
  if (!factor) return geometry;
  for (std::size_t a = 0; a < 3; ++a) {
    geometry.spacing[a] *= *factor;
    geometry.origin[a] *= *factor;
  }
  geometry.unit = "mm";
  return geometry;
}

}  // namespace sscope
