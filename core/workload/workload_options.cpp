#include "core/workload/workload_options.h"

namespace sscope {

void addBoundaryOptions(std::vector<Option>& options) {
  std::vector<std::string> names{std::string(toString(Boundary::nearest))};
  for (const Boundary boundary : kBoundaries)
    if (boundary != Boundary::nearest) names.emplace_back(toString(boundary));
  options.push_back(choiceOption("boundary", "Boundary", names, "what lies outside"));
  options.push_back(
      realOption("constant", "Constant", 0, -1e300, 1e300, "", "the value outside with boundary=constant"));
  options.push_back(integerOption("seed", "Seed", 1, 0, INT64_MAX, "of the noise and the taps"));
}

Boundary boundaryOf(const OptionValues& values) { return *parseBoundary(textOf(values, "boundary")); }

}  // namespace sscope
