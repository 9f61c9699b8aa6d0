#pragma once
// Filters whose sums are the operands of formulas that the same kernel computes (filter_fused.kernel).

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/filter/method/method_choice.h"
#include "core/filter/program/ended_filters.h"
#include "gpu/filter/methods.h"

namespace sscope {

// A formula with more steps, or with eigenvalues, gets a kernel of its own, which has more work items in flight.
inline constexpr std::size_t kMostEndingSteps = 100;

// The filters of a step.
struct FilterGroup {
  std::vector<std::size_t> filters;
  bool together = false;  // by one kernel
  // The plan's outputs in the order of the step: sums, and then formulas of them (EndedFilters::endings).
  std::vector<std::size_t> outputs{}, endings{};
  bool operator==(const FilterGroup&) const = default;
};
// The groups that the steps of a choice would compute if there were room for all.
[[nodiscard]] std::vector<FilterGroup> groupsOf(const MethodChoice& choice);

// Assigns each group its outputs: for filters without formulas, their own.
void placeOutputs(std::vector<FilterGroup>& groups);
// Also assigns each formula to the group that computes all filters that it reads. False: there is no such group for one
// of them.
[[nodiscard]] bool placeOutputs(std::vector<FilterGroup>& groups, const EndedFilters& ended);

// The choice, changed so that all filters that a formula reads are computed together, if each of them is computed along
// all axes at once anyway: their sums have the same bits in one kernel or several (filter_fused.kernel).
[[nodiscard]] MethodChoice joinedForEndings(const EndedFilters& ended, MethodChoice choice);
// Why formulas do not end kernels of such a choice, as half a sentence; empty if they do.
[[nodiscard]] std::string endedRestriction(const EndedFilters& ended, const MethodChoice& choice);
// The expected seconds of a choice that is joined in this way; `methods`: of the device.
[[nodiscard]] double endedSeconds(const EndedFilters& ended, const MethodChoice& choice,
                                  std::span<const Method> methods, const CostModel& model);

// The formulas of a group in the terms of its kernel.
struct FusedEnding {
  std::string functions;            // KernelSource::functions
  std::vector<std::string> values;  // fusedLists()
  std::vector<double> numbers;      // behind the weights
};
[[nodiscard]] FusedEnding fusedEnding(const EndedFilters& ended, const FilterGroup& group);

}  // namespace sscope
