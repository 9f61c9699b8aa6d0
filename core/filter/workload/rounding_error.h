#pragma once
// The errors of sums in single precision, and the share of integers that these leave in doubt.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/filter/workload/filter_workload.h"

namespace sscope {

// The error of a sum in single precision: relative * sum + absolute; sums that may be negative have only an absolute
// error. By the usual bound for n roundings in a row, n u / (1 - n u) times the sum of magnitudes (N. Higham, Accuracy
// and Stability of Numerical Algorithms, section 3.1), and zero where all taps are multiples of a power of two and
// everything stays below 2^24 of it.
struct RoundingError {
  double relative = 0, absolute = 0;
};
// The order of sums: over the dense box of taps, or by passes of the stencil's terms, with or without a known order.
// PassesTapByTap: each pass begins with its first tap and adds one after the other to one sum, but equal taps in any
// order.
// Then a rounding is relative to the partial sum, which for most taps is a part of the sum: the errors of a pass are
// bounded by its sums of 1, 2, ... taps instead of the whole sum for each.
enum class SumOrder : std::uint8_t { Dense, Passes, PassesTapByTap };
// For input of 8 or 16 bits; the value outside the data must be finite.
[[nodiscard]] RoundingError roundingError(const FilterWorkload& workload, const Stencil& stencil, SumOrder order);

// The error of the pass along `axis` alone, in an exact sum over its results; only for a single term and
// PassesTapByTap, else empty.
[[nodiscard]] std::optional<RoundingError> passError(const FilterWorkload& workload, const Stencil& stencil,
                                                     std::size_t axis);

// The expected share of outputs whose integers these sums leave in doubt; empty if integers are not computed this way:
// only those of up to 16 bits from such elements are. With 8 bits few sums are in doubt, with 16 bits all or none: with
// n roundings single precision misses a sum of 2^15 by up to n / 512, unless all taps are multiples of a power of two.
[[nodiscard]] std::optional<double> doubtfulShare(const FilterWorkload& workload, const Stencil& stencil,
                                                  SumOrder order);

// The same for sums with a given error.
[[nodiscard]] double doubtfulShare(const RoundingError& error, const FilterWorkload& workload, const Stencil& stencil);

// Whether weighted means of integers of at most 16 bits are computed this way, and those in doubt (rangeError in
// core/filter/range_window.h) again in double precision.
[[nodiscard]] bool roundsMeans(const FilterWorkload& workload);

}  // namespace sscope
