#include "gpu/filter/method.h"

namespace sscope {

namespace {

// A pass over memory costs about as much as this many multiply-adds per element.
constexpr double kTapsPerPass = 6;

int passes(const std::vector<SeparableTerm>& terms) {
  int count = 0;
  for (const SeparableTerm& term : terms)
    for (const AxisTaps& axis : term.axis) count += axis.identity() ? 0 : 1;
  return std::max(count, 1);
}

double separableCost(const Filter& filter) {
  return static_cast<double>(filter.separableTaps()) + kTapsPerPass * passes(filter.terms);
}

// Gathering is a second pass over memory.
double denseCost(const Filter& filter) { return static_cast<double>(filter.denseTaps()) + kTapsPerPass * 2; }

FilterMethod denseMethod(const Filter& filter, bool baked) { return {filter.name, {}, filter.expanded(), baked}; }

}  // namespace

double FilterMethod::executedTaps() const {
  if (!separable()) return static_cast<double>(taps.count());
  Filter filter;
  filter.terms = terms;
  return static_cast<double>(filter.separableTaps());
}

std::string whyNotSeparable(const FilterWorkload& workload) {
  for (const Filter& filter : workload.filters())
    if (!factored(filter).separable()) return "the filter " + filter.name + " is not a product of lines along the axes";
  return {};
}

std::vector<FilterMethod> chooseMethods(const FilterWorkload& workload, FilterVariant variant, std::string& why) {
  std::vector<FilterMethod> methods;
  for (const Filter& given : workload.filters()) {
    if (variant == FilterVariant::Dense || variant == FilterVariant::DenseBaked) {
      methods.push_back(denseMethod(given, variant == FilterVariant::DenseBaked));
      continue;
    }
    const Filter filter = factored(given);
    const bool cheaper = separableCost(filter) < denseCost(filter);
    const bool separable =
        filter.separable() && (variant == FilterVariant::Separable || cheaper || workload.denseMayDiffer(filter));
    methods.push_back(separable ? FilterMethod{given.name, filter.terms, {}, false} : denseMethod(given, false));
    if (variant != FilterVariant::Auto) continue;
    const std::string dense = std::to_string(given.denseTaps());
    const std::string apart = std::to_string(filter.separableTaps());
    why += (why.empty() ? "" : "; ") + given.name + ": ";
    if (separable) {
      why += "separable, " + apart + " taps in " + std::to_string(passes(filter.terms)) + " passes instead of " +
             dense + " at once";
      if (!cheaper) why += ", which keep NaN and Inf where the terms reach";
    } else if (filter.separable()) {
      why += "dense, " + dense + " taps at once are cheaper than " + apart + " in " +
             std::to_string(passes(filter.terms)) + " passes";
    } else {
      why += "dense, " + dense + " taps, not separable";
    }
  }
  return methods;
}

}  // namespace sscope
