#include "core/filter/families/structure_tensor.h"

#include <algorithm>

#include "core/filter/families/gradient_part.h"
#include "core/filter/families/hessian.h"

namespace sscope {

NamedNodes addStructureTensor(ProgramPart& part, const OptionValues& values, const FilterGrid& grid,
                              const std::array<double, 3>& steps, std::size_t input) {
  const auto gradient = addGradient(part, values, grid, steps, input);
  const auto rho = voxelsAlongAxes(values, "rho", grid);
  FilterGrid inSquares = grid;
  inSquares.unit = 1;
  NamedNodes products;
  for (const auto& [name, first, second] : kSecondDerivatives) {
    if (std::max(first, second) >= gradient.size()) continue;
    const std::size_t product =
        addFormula(part, first == second ? "a^2" : "a * b", {{"a", gradient[first]}, {"b", gradient[second]}});
    products.emplace_back(name, addDerivative(part, rho, {0, 0, 0}, realOf(values, "truncate"), inSquares, product));
  }
  return products;
}

}  // namespace sscope
