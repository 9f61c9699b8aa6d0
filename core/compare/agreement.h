#pragma once
// How far two results of the same case agree, from all their elements: norms, the worst element, units of the last
// place, and a histogram of the differences.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/control.h"
#include "core/volume/array_view.h"
#include "core/volume/volume.h"
#include "core/workload/workload.h"

namespace sscope::compare {

// The distance of two finite elements in units of the last place of the larger one, 0 for equal ones (also 0 and -0);
// of integers, their difference. A unit is never smaller than the type's smallest number.
[[nodiscard]] double ulpsBetween(ElementType type, double a, double b);

// Counts of elements by their distance: [0] is equal, [1] at most 1 unit, [k] more than 2^(k-2) and at most 2^(k-1),
// and the last one all larger distances.
inline constexpr std::size_t kUlpBins = 56;
using UlpCounts = std::array<std::int64_t, kUlpBins>;
[[nodiscard]] std::size_t ulpBin(double ulps);
// "equal", "1", "2", "3..4", "5..8", "more": the distances in a bin.
[[nodiscard]] std::string ulpBinText(std::size_t bin);

// An element at which two results differ.
struct ElementAt {
  std::array<std::int64_t, 3> voxel{0, 0, 0};
  std::int64_t component = 0;
  double first = 0, second = 0;
  double ulps = 0;  // infinite where one is finite and the other is not, or one is NaN, or infinities differ in sign
};

// The agreement of one output. The difference is first - second.
struct Agreement {
  ElementType type = ElementType::f32;
  std::int64_t elements = 0;   // all of them
  std::int64_t equal = 0;      // the same number, or NaN in both
  std::int64_t nonFinite = 0;  // NaN or Inf in one of the two and not the same in the other
  // Over the elements that are finite in both:
  double meanAbsolute = 0;    // L1 norm over their number
  double rootMeanSquare = 0;  // L2 norm over the root of their number
  double maximum = 0;         // of the absolute difference
  double relative = 0;        // L2 norm over that of `second`; infinite where only `second` is 0
  double largestUlps = 0;     // of an element, on its own scale: large where terms cancel
  UlpCounts counts{};         // without those of nonFinite
  // The largest absolute difference, or the first of nonFinite; empty: all are equal.
  std::optional<ElementAt> worst;
};

// Views of one type and the same extents (else Error(Usage)). Throws Canceled within 100 ms.
[[nodiscard]] Agreement agreementOf(const ConstArrayView& first, const ConstArrayView& second, const Control& control);

// The reference of an output, rounded to its type: slow (Workload::referenceSeconds for all outputs
// together), with progress. Throws Error(Memory), Canceled.
[[nodiscard]] Volume referenceResult(const Workload& workload, std::span<const ConstArrayView> inputs,
                                     std::size_t output, const Control& control);

// Bins of absolute differences, four per power of ten, over the whole range of a double.
inline constexpr int kBinsPerDecade = 4;
inline constexpr int kLowestDecade = -324, kHighestDecade = 309;
inline constexpr std::size_t kDifferenceBins =
    static_cast<std::size_t>(kHighestDecade - kLowestDecade) * kBinsPerDecade;

struct DifferenceHistogram {
  std::array<std::int64_t, kDifferenceBins> counts{};
  std::int64_t equal = 0;      // the same number, or NaN in both
  std::int64_t nonFinite = 0;  // NaN or Inf in one and not the same in the other

  // The bin of a difference other than 0, and the lower end of a bin.
  [[nodiscard]] static std::size_t binOf(double difference);
  [[nodiscard]] static double lowerEdge(std::size_t bin);
  // From the first bin with elements to the one after the last; begin equals end where all are empty.
  struct Range {
    std::size_t begin = 0, end = 0;
  };
  [[nodiscard]] Range filled() const;
};

// Views of one type and the same extents (else Error(Usage)). Throws Canceled within 100 ms.
[[nodiscard]] DifferenceHistogram differenceHistogram(const ConstArrayView& first, const ConstArrayView& second,
                                                      const Control& control);

// "from,to,elements", one line per bin with elements; equal elements are in the line from 0 to 0.
[[nodiscard]] std::string toCsv(const DifferenceHistogram& histogram);

// "(3, 4, 5): 1.5 for 1.25", with enough digits that different numbers look different; "-" without an element.
[[nodiscard]] std::string placeText(ElementType type, const std::optional<ElementAt>& at);
// A number, or the text "nan", "inf" or "-inf".
[[nodiscard]] nlohmann::json finiteOrText(double value);
[[nodiscard]] nlohmann::json toJson(const ElementAt& at);

}  // namespace sscope::compare
