#include "core/filter/grid.h"

#include "core/volume/length_unit.h"

namespace sscope {

FilterGrid filterGrid(int dimensions, const Geometry& geometry) {
  FilterGrid grid;
  grid.dimensions = dimensions;
  const auto millimeters = millimetersIn(geometry.unit);
  grid.hasUnit = millimeters.has_value();
  for (std::size_t a = 0; a < 3; ++a) grid.spacing[a] = geometry.spacing[a] * millimeters.value_or(1);
  return grid;
}

}  // namespace sscope
