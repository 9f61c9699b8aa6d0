#pragma once
// How far sums in single precision may lie from the true ones, and how many of them leave an integer in doubt then.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/filter/workload/filter_workload.h"

namespace sscope {

// How far a sum in single precision may lie from the true one: relative * sum + absolute, where sums that may be
// negative have an absolute error alone. By the usual bound for n roundings in a row, n u / (1 - n u) times the sum of
// magnitudes (N. Higham, Accuracy and Stability of Numerical Algorithms, section 3.1), and zero where all taps are
// multiples of a power of two and everything stays below 2^24 of it.
struct RoundingError {
  double relative = 0, absolute = 0;
};
// How sums are made: over the dense box of taps, or by passes of the stencil's terms; of these, also in which order.
// TapByTap: each pass begins with its first tap and adds one after the other to one sum, but equal taps in any order.
// Then a rounding errs by no more than what is summed by then, which for most taps is a part of the sum:
// the errors of a pass are bounded by its sums of 1, 2, ... taps instead of as many times the whole sum.
enum class SumOrder : std::uint8_t { Dense, Passes, PassesTapByTap };
// Input of 8 or 16 bits; the value outside the data is finite.
[[nodiscard]] RoundingError roundingError(const FilterWorkload& workload, const Stencil& stencil, SumOrder order);

// Of the pass along `axis` alone, in a sum over its results that is exact itself; nothing where that is not known: only
// of one term, PassesTapByTap.
[[nodiscard]] std::optional<RoundingError> passError(const FilterWorkload& workload, const Stencil& stencil,
                                                     std::size_t axis);

// The expected share of outputs whose integers such sums leave in doubt; nothing where integers are not found so: only
// those of up to 16 bits, from such elements. Of 8 bits few sums are in doubt. Of 16 bits all or none: with n roundings
// single precision misses a sum of 2^15 by up to n / 512, unless all taps are multiples of a power of two.
[[nodiscard]] std::optional<double> doubtfulShare(const FilterWorkload& workload, const Stencil& stencil,
                                                  SumOrder order);

// The same of sums with some other error.
[[nodiscard]] double doubtfulShare(const RoundingError& error, const FilterWorkload& workload, const Stencil& stencil);

// Whether integers that are weighted means of integers of at most 16 bits are made so, and those in doubt (rangeError
// in core/filter/range_window.h) again in double precision.
[[nodiscard]] bool roundsMeans(const FilterWorkload& workload);

}  // namespace sscope
