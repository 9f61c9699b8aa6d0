#include "core/filter/families/gradient_part.h"

#include <string>

namespace sscope {

std::vector<std::size_t> addGradient(ProgramPart& part, const OptionValues& values, const FilterGrid& grid,
                                     std::size_t input) {
  const auto sigma = voxelsAlongAxes(values, "sigma", grid);
  std::vector<std::size_t> nodes;
  for (std::size_t a = 0; a < static_cast<std::size_t>(grid.dimensions); ++a) {
    std::array<int, 3> order{};
    order[a] = 1;
    nodes.push_back(addDerivative(part, sigma, order, realOf(values, "truncate"), grid, input));
  }
  return nodes;
}

NamedNodes namedGradient(const std::vector<std::size_t>& nodes) {
  NamedNodes names;
  for (std::size_t a = 0; a < nodes.size(); ++a) names.emplace_back("g" + std::string(1, "xyz"[a]), nodes[a]);
  return names;
}

}  // namespace sscope
