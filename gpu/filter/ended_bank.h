#pragma once
// Filters whose sums end in formulas, in the kernel that makes the sums (filter_fused.kernel).

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/filter/method/method_choice.h"
#include "core/filter/program/ended_filters.h"
#include "gpu/filter/methods.h"

namespace sscope {

// A formula of more steps, or one of eigenvalues, is left to a kernel of its own, where more work items are in flight.
inline constexpr std::size_t kMostEndingSteps = 100;

// The filters of a step.
struct FilterGroup {
  std::vector<std::size_t> filters;
  bool together = false;  // by one kernel
  // Of the plan, in the order in which the step leaves them: sums, and then formulas of them (EndedFilters::endings).
  std::vector<std::size_t> outputs{}, endings{};
  bool operator==(const FilterGroup&) const = default;
};
// What steps of a choice would compute, as if there were room for all.
[[nodiscard]] std::vector<FilterGroup> groupsOf(const MethodChoice& choice);

// Gives each group its outputs; of filters that are not ended, these are their own.
void placeOutputs(std::vector<FilterGroup>& groups);
// Also each formula to the group of all filters that it reads. False: there is none for one of them.
[[nodiscard]] bool placeOutputs(std::vector<FilterGroup>& groups, const EndedFilters& ended);

// The choice, but that all filters are computed together which a formula reads and which would have all axes at once
// anyway, in one kernel or several: their sums have the same bits (filter_fused.kernel).
[[nodiscard]] MethodChoice joinedForEndings(const EndedFilters& ended, MethodChoice choice);
// Why formulas do not end kernels of such a choice, as half a sentence; empty if they do.
[[nodiscard]] std::string endedRestriction(const EndedFilters& ended, const MethodChoice& choice);
// The seconds that a choice is expected to take once it is joined so; `methods`: of the device.
[[nodiscard]] double endedSeconds(const EndedFilters& ended, const MethodChoice& choice,
                                  std::span<const Method> methods, const CostModel& model);

// What the kernel of a group is told of its formulas.
struct FusedEnding {
  std::string functions;            // KernelSource::functions
  std::vector<std::string> values;  // fusedLists()
  std::vector<double> numbers;      // behind the weights
};
[[nodiscard]] FusedEnding fusedEnding(const EndedFilters& ended, const FilterGroup& group);

}  // namespace sscope
