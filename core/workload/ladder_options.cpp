#include "core/workload/ladder_options.h"

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

Option textOption(std::string name, std::string label, std::string help) {
  Option option = choiceOption(std::move(name), std::move(label), {""}, std::move(help));
  option.choices.clear();
  return option;
}

Boundary boundaryOf(const OptionValues& values) { return *parseBoundary(textOf(values, "boundary")); }

DenseTaps boxOfTaps(const std::array<std::int64_t, 3>& size) {
  DenseTaps taps;
  taps.size = size;
  for (std::size_t a = 0; a < 3; ++a) taps.anchor[a] = size[a] / 2;
  taps.weights.assign(static_cast<std::size_t>(taps.count()), 0.0);
  return taps;
}

}  // namespace sscope
