#include "core/filter/grid.h"

#include "core/volume/length_unit.h"

namespace sscope {

std::string FilterGrid::withoutLength() const {
  for (std::size_t a = 0; a < static_cast<std::size_t>(dimensions); ++a)
    if (!hasUnit || !known[a]) return {"xyz"[a]};
  return {};
}

FilterGrid filterGrid(int dimensions, const Geometry& geometry) {
  FilterGrid grid;
  grid.dimensions = dimensions;
  const auto millimeters = millimetersIn(geometry.unit);
  grid.hasUnit = millimeters.has_value();
  for (std::size_t a = 0; a < 3; ++a) {
    grid.known[a] = geometry.steps[a] != StepSource::Assumed;
    grid.spacing[a] = millimeters ? convertLength(geometry.spacing[a], geometry.unit, "mm") : geometry.spacing[a];
  }
  return grid;
}

}  // namespace sscope
