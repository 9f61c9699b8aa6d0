#include "core/compare/agreement.h"

#include <fmt/core.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/arithmetic.h"
#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/measure/compared_output.h"
#include "core/measure/table.h"
#include "core/volume/element_type.h"

namespace sscope::compare {

namespace {

constexpr std::int64_t kRowsAtOnce = 64;

void requireAlike(const ConstArrayView& first, const ConstArrayView& second) {
  if (first.type != second.type || first.extent != second.extent)
    throw Error(ErrorKind::Usage, "results of different types or extents cannot be compared", "compute them again");
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// Of equally bad elements the first one is kept, so that the result does not depend on how the work was shared.
bool worse(const ElementAt& candidate, const std::optional<ElementAt>& known) {
  if (!known) return true;
  const bool infinite = std::isinf(candidate.ulps);
  if (infinite != std::isinf(known->ulps)) return infinite;
  return !infinite && std::abs(candidate.first - candidate.second) > std::abs(known->first - known->second);
}

struct Sums {
  std::int64_t equal = 0, nonFinite = 0, finite = 0;
  double absolute = 0, maximum = 0, ulps = 0;
  ScaledNorm difference, second;
  UlpCounts counts{};
  std::optional<ElementAt> worst;

  void add(ElementType type, ElementAt at) {
    const bool finite_ = std::isfinite(at.first) && std::isfinite(at.second);
    const bool agrees = same(at.first, at.second);
    equal += agrees ? 1 : 0;
    if (!finite_) {
      if (agrees) {
        ++counts[0];
        return;
      }
      ++nonFinite;
      at.ulps = std::numeric_limits<double>::infinity();
    } else {
      ++finite;
      const double distance = at.first - at.second;
      second.add(at.second);
      difference.add(distance);
      absolute += std::abs(distance);
      maximum = std::max(maximum, std::abs(distance));
      at.ulps = ulpsBetween(type, at.first, at.second);
      ulps = std::max(ulps, at.ulps);
      ++counts[ulpBin(at.ulps)];
    }
    if (!agrees && worse(at, worst)) worst = at;
  }

  void add(const Sums& later) {
    equal += later.equal;
    nonFinite += later.nonFinite;
    finite += later.finite;
    absolute += later.absolute;
    maximum = std::max(maximum, later.maximum);
    ulps = std::max(ulps, later.ulps);
    difference.add(later.difference);
    second.add(later.second);
    for (std::size_t bin = 0; bin < kUlpBins; ++bin) counts[bin] += later.counts[bin];
    if (later.worst && worse(*later.worst, worst)) worst = later.worst;
  }
};

template <class T>
void addRow(const ConstArrayView& first, const ConstArrayView& second, std::int64_t y, std::int64_t z, Sums& sums) {
  const T* a = first.as<T>();
  const T* b = second.as<T>();
  for (std::int64_t x = 0; x < first.extent[0]; ++x)
    for (std::int64_t c = 0; c < first.extent[3]; ++c)
      sums.add(first.type, {{x, y, z},
                            c,
                            static_cast<double>(a[first.offset(x, y, z, c)]),
                            static_cast<double>(b[second.offset(x, y, z, c)]),
                            0});
}

void add(DifferenceHistogram& sum, double a, double b) {
  if (same(a, b)) {
    ++sum.equal;
  } else if (!std::isfinite(a) || !std::isfinite(b)) {
    ++sum.nonFinite;
  } else {
    ++sum.counts[DifferenceHistogram::binOf(a - b)];
  }
}

std::string edgeText(std::size_t bin) { return fmt::format("{:.6g}", DifferenceHistogram::lowerEdge(bin)); }

std::string exact(ElementType type, double value) {
  const int digits = type == ElementType::f64 ? 17 : isInteger(type) ? 12 : 9;
  return fmt::format("{:.{}g}", value, digits);
}

}  // namespace

double ulpsBetween(ElementType type, double a, double b) {
  const double distance = std::abs(a - b);
  if (distance == 0) return 0;
  if (isInteger(type)) return distance;
  const bool wide = type == ElementType::f64;
  const int digits = wide ? std::numeric_limits<double>::digits : std::numeric_limits<float>::digits;
  const double smallest =
      wide ? std::numeric_limits<double>::denorm_min() : static_cast<double>(std::numeric_limits<float>::denorm_min());
  const double unit = std::ldexp(1.0, std::ilogb(std::max(std::abs(a), std::abs(b))) - (digits - 1));
  // Where the difference of two doubles overflows, half of each is compared.
  if (std::isinf(distance)) return std::abs(a / 2 - b / 2) / (unit / 2);
  return distance / std::max(unit, smallest);
}

std::size_t ulpBin(double ulps) {
  if (ulps == 0) return 0;
  if (ulps <= 1) return 1;
  return std::min<std::size_t>(kUlpBins - 1, 1 + static_cast<std::size_t>(std::ceil(std::log2(ulps))));
}

std::string ulpBinText(std::size_t bin) {
  if (bin == 0) return "equal";
  if (bin <= 2) return std::to_string(bin);
  if (bin == kUlpBins - 1) return "more";
  const std::int64_t low = std::int64_t{1} << (bin - 2);
  return std::to_string(low + 1) + ".." + std::to_string(2 * low);
}

Agreement agreementOf(const ConstArrayView& first, const ConstArrayView& second, const Control& control) {
  requireAlike(first, second);
  const std::int64_t ny = first.extent[1], rows = ny * first.extent[2];
  std::atomic<std::int64_t> done = 0;
  const auto part = [&](const tbb::blocked_range<std::int64_t>& range, Sums sums) {
    for (std::int64_t row = range.begin(); row < range.end(); ++row) {
      if (control.stopRequested()) return sums;
      dispatch(first.type, [&](auto tag) { addRow<decltype(tag)>(first, second, row % ny, row / ny, sums); });
    }
    const std::int64_t now = done += range.end() - range.begin();
    control.report(static_cast<double>(now) / static_cast<double>(std::max<std::int64_t>(1, rows)), "comparing");
    return sums;
  };
  // Deterministic, because sums of floating-point numbers depend on their order.
  const Sums sums = tbb::parallel_deterministic_reduce(tbb::blocked_range<std::int64_t>(0, rows, kRowsAtOnce), Sums{},
                                                       part, [](Sums earlier, const Sums& later) {
                                                         earlier.add(later);
                                                         return earlier;
                                                       });
  control.check();
  Agreement result;
  result.type = first.type;
  result.elements = first.elements();
  result.equal = sums.equal;
  result.nonFinite = sums.nonFinite;
  if (sums.finite > 0) {
    const auto count = static_cast<double>(sums.finite);
    result.meanAbsolute = sums.absolute / count;
    result.rootMeanSquare = sums.difference.value() / std::sqrt(count);
  }
  result.maximum = sums.maximum;
  result.relative = sums.difference.over(sums.second);
  result.largestUlps = sums.ulps;
  result.counts = sums.counts;
  result.worst = sums.worst;
  return result;
}

Volume referenceResult(const Workload& workload, std::span<const ConstArrayView> inputs, std::size_t output,
                       const Control& control) {
  const ArraySpec spec = workload.outputs().at(output);
  requireMemory(spec.bytes());
  Volume result({spec.extent[0], spec.extent[1], spec.extent[2], static_cast<int>(spec.extent[3])}, spec.type);
  const std::vector<Box> boxes = wholeVolume(spec.extent, workload.referencePiece());
  std::atomic<std::size_t> done = 0;
  tbb::parallel_for(std::size_t{0}, boxes.size(), [&](std::size_t b) {
    if (control.stopRequested()) return;
    const Box& box = boxes[b];
    std::vector<double> values(static_cast<std::size_t>(box.voxels() * spec.extent[3]));
    workload.reference(inputs, output, box, values, control);
    const ArrayView view = result.view();
    dispatch(spec.type, [&](auto tag) {
      using T = decltype(tag);
      std::size_t i = 0;
      bool saturated = false;
      for (std::int64_t z = box.begin[2]; z < box.end[2]; ++z)
        for (std::int64_t y = box.begin[1]; y < box.end[1]; ++y)
          for (std::int64_t x = box.begin[0]; x < box.end[0]; ++x)
            for (std::int64_t c = 0; c < spec.extent[3]; ++c)
              view.as<T>()[view.offset(x, y, z, c)] = roundSaturate<T>(values[i++], saturated);
    });
    control.report(static_cast<double>(++done) / static_cast<double>(boxes.size()), "reference");
  });
  control.check();
  return result;
}

std::size_t DifferenceHistogram::binOf(double difference) {
  const double place = std::floor(kBinsPerDecade * (std::log10(std::abs(difference)) - kLowestDecade));
  return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(kDifferenceBins - 1)));
}

double DifferenceHistogram::lowerEdge(std::size_t bin) {
  return std::pow(10.0, static_cast<double>(bin) / kBinsPerDecade + kLowestDecade);
}

DifferenceHistogram::Range DifferenceHistogram::filled() const {
  const auto some = [](std::int64_t count) { return count > 0; };
  const auto begin = std::ranges::find_if(counts, some);
  if (begin == counts.end()) return {};
  const auto end = std::find_if(counts.rbegin(), counts.rend(), some).base();
  return {static_cast<std::size_t>(begin - counts.begin()), static_cast<std::size_t>(end - counts.begin())};
}

DifferenceHistogram differenceHistogram(const ConstArrayView& first, const ConstArrayView& second,
                                        const Control& control) {
  requireAlike(first, second);
  const std::int64_t ny = first.extent[1], rows = ny * first.extent[2];
  const auto part = [&](const tbb::blocked_range<std::int64_t>& range, DifferenceHistogram sum) {
    for (std::int64_t row = range.begin(); row < range.end() && !control.stopRequested(); ++row)
      dispatch(first.type, [&](auto tag) {
        const auto* a = first.as<decltype(tag)>();
        const auto* b = second.as<decltype(tag)>();
        for (std::int64_t x = 0; x < first.extent[0]; ++x)
          for (std::int64_t c = 0; c < first.extent[3]; ++c)
            add(sum, static_cast<double>(a[first.offset(x, row % ny, row / ny, c)]),
                static_cast<double>(b[second.offset(x, row % ny, row / ny, c)]));
      });
    return sum;
  };
  const DifferenceHistogram sum =
      tbb::parallel_reduce(tbb::blocked_range<std::int64_t>(0, rows, kRowsAtOnce), DifferenceHistogram{}, part,
                           [](DifferenceHistogram all, const DifferenceHistogram& more) {
                             for (std::size_t i = 0; i < kDifferenceBins; ++i) all.counts[i] += more.counts[i];
                             all.equal += more.equal;
                             all.nonFinite += more.nonFinite;
                             return all;
                           });
  control.check();
  return sum;
}

std::string toCsv(const DifferenceHistogram& histogram) {
  TextRows rows{{"from", "to", "elements"}, {"0", "0", std::to_string(histogram.equal)}};
  for (std::size_t bin = 0; bin < kDifferenceBins; ++bin)
    if (histogram.counts[bin] > 0)
      rows.push_back({edgeText(bin), edgeText(bin + 1), std::to_string(histogram.counts[bin])});
  if (histogram.nonFinite > 0) rows.push_back({"NaN", "NaN", std::to_string(histogram.nonFinite)});
  return csvTable(rows);
}

std::string placeText(ElementType type, const std::optional<ElementAt>& at) {
  if (!at) return "-";
  std::string text = "(" + std::to_string(at->voxel[0]) + ", " + std::to_string(at->voxel[1]) + ", " +
                     std::to_string(at->voxel[2]) + ")";
  if (at->component > 0) text += " component " + std::to_string(at->component);
  return text + ": " + exact(type, at->first) + " for " + exact(type, at->second);
}

nlohmann::json finiteOrText(double value) {
  if (std::isfinite(value)) return value;
  if (std::isnan(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

nlohmann::json toJson(const ElementAt& at) {
  return {{"voxel", at.voxel},
          {"component", at.component},
          {"value", finiteOrText(at.first)},
          {"wanted", finiteOrText(at.second)},
          {"ulps", finiteOrText(at.ulps)}};
}

}  // namespace sscope::compare
