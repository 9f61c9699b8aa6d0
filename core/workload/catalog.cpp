#include "core/workload/catalog.h"

#include <algorithm>

namespace sscope {

ArraySpec WorkloadKind::inputSpec(const std::array<std::int64_t, 3>& shape_, const OptionValues& values) const {
  return {input(values),
          extent ? extent(shape_, values) : std::array{shape_[0], shape_[1], shape_[2], std::int64_t{1}}};
}

const WorkloadKind* findWorkloadKind(std::string_view name) {
  const auto& catalog = workloadCatalog();
  const auto found =
      std::find_if(catalog.begin(), catalog.end(), [&](const WorkloadKind& kind) { return kind.name == name; });
  return found == catalog.end() ? nullptr : &*found;
}

void addBoundaryOptions(std::vector<Option>& options) {
  std::vector<std::string> names{std::string(toString(Boundary::nearest))};
  for (const Boundary boundary : kBoundaries)
    if (boundary != Boundary::nearest) names.emplace_back(toString(boundary));
  options.push_back(choiceOption("boundary", "Boundary", names, "the values outside the data"));
  options.push_back(
      realOption("constant", "Constant", 0, -1e300, 1e300, "", "the value outside with boundary=constant"));
  options.push_back(integerOption("seed", "Seed", 1, 0, INT64_MAX, "of the noise and the taps"));
}

Boundary boundaryOf(const OptionValues& values) { return *parseBoundary(textOf(values, "boundary")); }

}  // namespace sscope
