#include "core/cpu/filter/method_choice.h"

#include <algorithm>
#include <cmath>

namespace sscope::cpu {

namespace {

// Only the ratio of the two estimates matters. Their unit is one multiply-add of a dense filter; the constants come
// from measured boxes of 3 to 13 taps in two and three dimensions (docs/performance.md).
constexpr double kTapAlongX = 2.5;   // loads cross cache lines and are not shared between rows
constexpr double kPassOverhead = 3;  // a trip through the cache

double denseCost(const Filter& filter) { return static_cast<double>(filter.denseTaps()); }

double separableCost(const Filter& filter) {
  double cost = 0;
  for (const SeparableTerm& term : filter.terms)
    for (std::size_t a = 0; a < 3; ++a) {
      // Axes that are not touched are skipped, but only when there is nothing to add up.
      if (filter.terms.size() == 1 && term.axis[a].identity()) continue;
      cost += static_cast<double>(term.axis[a].size()) * (a == 0 ? kTapAlongX : 1) + kPassOverhead;
    }
  return cost;
}

std::string rounded(double value) { return std::to_string(static_cast<std::int64_t>(std::lround(value))); }

std::string names(const FilterWorkload& workload, const std::vector<bool>& dense, bool wanted) {
  std::string text;
  for (std::size_t f = 0; f < dense.size(); ++f)
    if (dense[f] == wanted) text += (text.empty() ? "" : ", ") + workload.filters()[f].name;
  return text;
}

}  // namespace

MethodChoice chooseMethods(const FilterWorkload& workload, MethodRequest request) {
  MethodChoice choice;
  std::string notSeparable;
  for (const Filter& filter : workload.filters()) {
    if (!filter.separable()) notSeparable += (notSeparable.empty() ? "" : ", ") + filter.name;
    const bool cheaper = denseCost(filter) <= separableCost(filter);
    const bool dense = !filter.separable() || request == MethodRequest::Dense ||
                       (request == MethodRequest::Automatic && cheaper && !workload.denseMayDiffer(filter));
    choice.dense.push_back(dense);
  }
  if (request == MethodRequest::Separable && !notSeparable.empty())
    choice.why = notSeparable + " cannot be factored and runs densely";
  if (request != MethodRequest::Automatic) return choice;
  const Filter& first = workload.filters()[0];
  if (workload.filters().size() == 1) {
    const bool forNaN = !choice.dense[0] && denseCost(first) <= separableCost(first);
    const std::string exact = forNaN ? ", which keep NaN and Inf where the terms reach" : "";
    choice.why = !first.separable() ? "dense: the taps cannot be factored"
                                    : std::string(choice.dense[0] ? "dense" : "separable") + ": estimated " +
                                          rounded(denseCost(first)) + " operations per voxel densely, " +
                                          rounded(separableCost(first)) + " in passes" + exact;
    return choice;
  }
  const bool anySum = std::any_of(workload.filters().begin(), workload.filters().end(),
                                  [&](const Filter& f) { return workload.denseMayDiffer(f); });
  const std::string exact = anySum ? "; sums of products in passes, which keep NaN and Inf in place" : "";
  const std::string dense = names(workload, choice.dense, true), passes = names(workload, choice.dense, false);
  choice.why = (dense.empty() ? "" : "dense: " + dense) + (dense.empty() || passes.empty() ? "" : "; ") +
               (passes.empty() ? "" : "separable: " + passes) + " (fewer estimated operations per voxel" + exact + ")";
  return choice;
}

std::string unsupportedReason(const FilterWorkload& workload, MethodRequest request) {
  const auto& filters = workload.filters();
  if (request == MethodRequest::Separable &&
      std::none_of(filters.begin(), filters.end(), [](const Filter& filter) { return filter.separable(); }))
    return "no filter of the bank is separable";
  return denseRestriction(workload, request == MethodRequest::Dense);
}

namespace {

// The axis whose elements fill the vectors: x, where elements are neighbors in memory, unless the region is a
// slice across x.
std::size_t vectorAxis(const FilterWorkload& workload) {
  constexpr std::int64_t kEnough = 32;
  if (workload.region().size(0) >= kEnough) return 0;
  std::size_t longest = 0;
  for (std::size_t a = 1; a < 3; ++a)
    if (workload.region().size(static_cast<int>(a)) > 4 * workload.region().size(static_cast<int>(longest)))
      longest = a;
  return longest;
}

AxisOrder withRows(std::size_t x, bool swap) {
  const std::size_t lower = x == 0 ? 1 : 0, upper = x == 2 ? 1 : 2;
  return swap ? AxisOrder{x, upper, lower} : AxisOrder{x, lower, upper};
}

}  // namespace

// Rows share input vectors when there are several of them and several taps across.
AxisOrder denseOrder(const FilterWorkload& workload, const std::vector<std::size_t>& filters) {
  const std::size_t x = vectorAxis(workload);
  const AxisOrder plain = withRows(x, false);
  std::array<std::int64_t, 3> taps{1, 1, 1};
  for (const std::size_t f : filters)
    for (std::size_t a = 0; a < 3; ++a) taps[a] = std::max(taps[a], workload.filters()[f].size()[a]);
  const auto sharing = [&](std::size_t axis) {
    return std::min({taps[axis], workload.region().size(static_cast<int>(axis)), std::int64_t{5}});
  };
  return withRows(x, sharing(plain[2]) > sharing(plain[1]));
}

// Planes are walked along, which needs no halo; an image filtered in its plane is one plane. A slice of a volume is
// walked along its rows instead, so that the planes it needs beside it are packed once.
AxisOrder separableOrder(const FilterWorkload& workload, std::size_t filter) {
  const std::size_t x = vectorAxis(workload);
  const AxisOrder plain = withRows(x, false);
  const auto size = [&](std::size_t axis) { return workload.region().size(static_cast<int>(axis)); };
  const bool slice = size(plain[1]) > 4 * size(plain[2]) && workload.filters()[filter].size()[plain[2]] > 1;
  return withRows(x, slice);
}

}  // namespace sscope::cpu
