#include "core/volume/geometry.h"

#include <string_view>
#include <utility>

namespace sscope {

Geometry inMillimeters(Geometry geometry) {
  constexpr std::pair<std::string_view, double> kUnits[] = {{"nm", 1e-6}, {"um", 1e-3}, {"cm", 10}, {"m", 1e3}};
  for (const auto& [unit, factor] : kUnits) {
    if (geometry.unit != unit) continue;
    for (std::size_t a = 0; a < 3; ++a) {
      geometry.spacing[a] *= factor;
      geometry.origin[a] *= factor;
    }
    geometry.unit = "mm";
    break;
  }
  return geometry;
}

}  // namespace sscope
