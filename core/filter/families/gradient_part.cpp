#include "core/filter/families/gradient_part.h"

#include <algorithm>
#include <string>

namespace sscope {

double flatShare(const std::array<double, 3>& steps, const FilterGrid& grid) {
  return kFlatShare / *std::min_element(steps.begin(), steps.begin() + grid.dimensions);
}

Option perOption() {
  return choiceOption("per", "Per", {"sigma", "voxel", "mm"},
                      "The length over which slopes count: of sigma, voxels or mm, or one of these.");
}

std::array<double, 3> stepsOf(const OptionValues& values, const FilterGrid& grid) {
  const std::string per = textOf(values, "per");
  if (per == "voxel" || (per == "sigma" && !isLength(values, "sigma"))) return {1, 1, 1};
  requireLengths("per=mm", grid, "use per=voxel");
  return grid.spacing;
}

std::vector<std::size_t> addGradient(ProgramPart& part, const OptionValues& values, const FilterGrid& grid,
                                     const std::array<double, 3>& steps, std::size_t input) {
  const auto sigma = voxelsAlongAxes(values, "sigma", grid);
  std::vector<std::size_t> nodes;
  for (std::size_t a = 0; a < static_cast<std::size_t>(grid.dimensions); ++a) {
    std::array<int, 3> order{};
    order[a] = 1;
    nodes.push_back(addDerivative(part, sigma, order, realOf(values, "truncate"), grid, input, 1 / steps[a]));
  }
  return nodes;
}

NamedNodes namedGradient(const std::vector<std::size_t>& nodes) {
  NamedNodes names;
  for (std::size_t a = 0; a < nodes.size(); ++a) names.emplace_back("g" + std::string(1, "xyz"[a]), nodes[a]);
  return names;
}

}  // namespace sscope
