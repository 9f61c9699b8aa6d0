#pragma once
// What a break-even map has on its axes: read from text, and proposed for a computation.

#include <string>
#include <string_view>
#include <vector>

#include "core/compare/break_even.h"
#include "core/compare/case.h"

namespace sscope::compare {

inline constexpr std::int64_t kLongestEdge = 1 << 14;
inline constexpr std::size_t kMostOnAxis = 32;

// "1, 2.5,4": finite numbers, at least one and at most kMostOnAxis, separated by commas. Throws Error(Usage)
// that names what is not one.
[[nodiscard]] std::vector<double> numbersFrom(std::string_view text);
// The same of whole numbers from 1 to kLongestEdge.
[[nodiscard]] std::vector<std::int64_t> edgesFrom(std::string_view text);
// Throws Error(Usage) where an edge or a value is named twice: each has one place on its axis.
void requireDistinct(const BreakEvenAxes& axes);
// "1, 2.5, 4".
[[nodiscard]] std::string axisText(const std::vector<double>& values);

// Of a bank: how many of its filters run, from the first on; beyond its end they are computed again.
inline constexpr const char* kFilterCount = "filters";

// Names of numbers that can vary: those of the bank's filters that are on and kFilterCount, or the workload's options
// but for its seed.
[[nodiscard]] std::vector<std::string> variedParameters(const CaseRecipe& recipe);
// Values around the one that it has; empty for one that there is not.
[[nodiscard]] std::vector<double> proposedValues(const CaseRecipe& recipe, const std::string& parameter);
// Sizes of images or volumes that take seconds.
[[nodiscard]] std::vector<std::int64_t> proposedEdges(const CaseRecipe& recipe);

}  // namespace sscope::compare
