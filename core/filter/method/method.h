#pragma once
// How an operator is computed. Engines of a kind have a table of methods (core/cpu/filter/methods.h,
// gpu/filter/methods.h): a new method is a row there and the code that runs it.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/engine/cost_model.h"
#include "core/filter/operator.h"

namespace sscope {

enum class MethodKind : std::uint8_t {
  Dense,
  DenseBaked,
  Separable,
  Fused,
  FusedBank,
  LowRank,
  Fft,
  Weighted,
  Counting,
  Merging,  // from here on order statistics: ranks()
  Selection,
  Bisection,
  Histogram,
  Lines
};
// As in reports and as a variant: "dense-baked".
[[nodiscard]] std::string_view toString(MethodKind kind);
// Whether sums are computed along one axis after the other, in passes or all at once, so that NaN and Inf reach as far
// as each separable term.
[[nodiscard]] constexpr bool keepsTerms(MethodKind kind) {
  return kind == MethodKind::Separable || kind == MethodKind::Fused || kind == MethodKind::FusedBank;
}

// The outputs of an operator.
struct MethodOutputs {
  std::array<std::int64_t, 4> extent{1, 1, 1, 1};  // x, y, z, components
  Precision precision = Precision::f32;
  ElementType ordered =
      ElementType::f32;  // the type in which order statistics are compared (FilterWorkload::orderedAs)

  [[nodiscard]] double count() const {
    return static_cast<double>(extent[0] * extent[1]) * static_cast<double>(extent[2] * extent[3]);
  }
  [[nodiscard]] double realBytes() const { return precision == Precision::f32 ? 4 : 8; }
};

struct Method {
  MethodKind kind = MethodKind::Dense;
  std::string what;  // which operators it takes, after "no filter of the bank is": "separable"
  std::function<bool(const Operator& op, Precision precision)> takes;  // of the workload
  // For an operator that it takes.
  std::function<MethodWork(const Operator& op, const MethodOutputs& outputs)> work;
  bool onlyAsked = false;  // is never chosen automatically
  // Results are within the bound, but differ from the sum over all taps, so it is not used for integers, which must be
  // equal.
  bool approximates = false;
  bool ofBytes = false;  // only for order statistics of 8-bit elements (FilterWorkload::orderedAs)
  // A tile whose numbers differ too much is summed densely, which is much slower than passes, so filters that can be
  // factored use it only on request.
  bool mixesOutputs = false;
  // The part of the work that operators of a bank share if sharesWork() holds for them and all use this method. Empty:
  // none.
  std::function<MethodWork(const Operator& op, const MethodOutputs& outputs)> shared{};
  // Not empty: the method can compute several operators that keep their terms, or the terms of one, together if that is
  // expected to be faster than the alternatives. Returns their work, or nothing if they do not fit into one
  // computation.
  std::function<std::optional<MethodWork>(std::span<const Operator* const> ops, const MethodOutputs& outputs)>
      together{};
};
// Whether both operators read the same voxels for an output.
[[nodiscard]] bool sharesWork(const Operator& a, const Operator& b);

// Dense filters as sums of few separable terms (core/filter/low_rank.h). `work` is that of the engine's passes along
// all axes; `doubles`: the engine has double precision.
[[nodiscard]] Method lowRankMethod(
    std::function<MethodWork(const std::vector<SeparableTerm>& terms, const MethodOutputs& outputs)> work,
    bool doubles);

// Methods for order statistics, the same on all engines. `vectors`: more narrow values are compared at once. Merging:
// medians of boxes of mergesRows(). Selection: medians of at most `mostValues` values, an odd number. Bisection: any
// rank. Histogram: any rank of boxes of bytes. Lines: minima and maxima.
[[nodiscard]] Method mergingMethod(bool vectors);
[[nodiscard]] Method selectionMethod(std::int64_t mostValues, bool vectors);
[[nodiscard]] Method bisectionMethod(bool vectors);
[[nodiscard]] Method histogramMethod();
[[nodiscard]] Method linesMethod(bool vectors);

// Boxes of 3 x 3, 3 x 3 x 3 and 5 x 5, whose rows are sorted once for all outputs that read them.
[[nodiscard]] bool mergesRows(const RankWindow& window);
// Whether the method computes order statistics.
[[nodiscard]] constexpr bool ranks(MethodKind kind) { return kind >= MethodKind::Merging; }

// Means weighted by likeness. A weight takes as long as `perWeight` multiply-adds; comparing patches adds `perSum` for
// each of the sums along the axes.
[[nodiscard]] Method weightedMethod(double perWeight, double perSum);

// Entropies. A value that enters or leaves a histogram takes as long as `perValue` comparisons.
[[nodiscard]] Method countingMethod(double perValue);

}  // namespace sscope
