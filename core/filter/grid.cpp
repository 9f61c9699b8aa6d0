#include "core/filter/grid.h"

#include <algorithm>
#include <string>
#include <variant>

#include "core/base/error.h"
#include "core/volume/geometry.h"

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

std::size_t axisOf(const OptionValues& values, const FilterGrid& grid) {
  const auto axis = static_cast<std::size_t>(textOf(values, "axis")[0] - 'x');
  if (axis >= static_cast<std::size_t>(grid.dimensions))
    throw Error(ErrorKind::Usage, "axis=z needs a volume, and this image has one slice", "use axis=x or axis=y");
  return axis;
}

void requireLengths(const std::string& what, const FilterGrid& grid, const std::string& instead) {
  const std::string axis = grid.withoutLength();
  if (axis.empty()) return;
  const std::string along = grid.hasUnit ? " along " + axis : "";
  throw Error(ErrorKind::Usage, what + " cannot be used here: the data do not give the length of a voxel" + along,
              "give it with --spacing, as --spacing 0.1,0.1,0.5um (in the window: Correct...), or " + instead);
}

std::array<double, 3> voxelsAlongAxes(const OptionValues& values, std::string_view name, const FilterGrid& grid) {
  const Length length = std::get<Length>(values.find(name)->second);
  std::array<double, 3> result{length.value, length.value, length.value};
  if (length.millimeters)
    requireLengths(std::string(name) + "=" + quoted(length), grid,
                   "give the length in voxels, as " + std::string(name) + "=1.5");
  if (length.millimeters)
    for (std::size_t a = 0; a < 3; ++a) result[a] /= grid.spacing[a];
  for (int a = 0; a < grid.dimensions; ++a)
    if (result[static_cast<std::size_t>(a)] > 64)
      throw Error(ErrorKind::Usage, std::string(name) + "=" + quoted(length) + " is more than 64 voxels on this data",
                  "choose a shorter length");
  return result;
}

Option voxelShapeOption() {
  return choiceOption(kVoxelShape, "Voxels", {"cubes", "spacing"},
                      "How differences count: alike along all axes, or less along the longer edges of voxels.");
}

std::array<double, 3> voxelEdges(const OptionValues& values, const FilterGrid& grid) {
  if (textOf(values, kVoxelShape) == "cubes") return {1, 1, 1};
  // If no edge is known, voxels count as cubes.
  if (std::none_of(grid.known.begin(), grid.known.begin() + grid.dimensions, [](bool known) { return known; }))
    return {1, 1, 1};
  FilterGrid ratios = grid;  // edges in any unit
  ratios.hasUnit = true;
  requireLengths(std::string(kVoxelShape) + "=spacing", ratios, "use " + std::string(kVoxelShape) + "=cubes");
  return edgeRatios(grid);
}

bool isLength(const OptionValues& values, std::string_view name) {
  return std::get<Length>(values.find(name)->second).millimeters;
}

std::array<double, 3> edgeRatios(const FilterGrid& grid) {
  std::array<double, 3> edges{1, 1, 1};
  const double shortest = *std::min_element(grid.spacing.begin(), grid.spacing.begin() + grid.dimensions);
  for (std::size_t a = 0; a < static_cast<std::size_t>(grid.dimensions); ++a) edges[a] = grid.spacing[a] / shortest;
  return edges;
}

}  // namespace sscope
