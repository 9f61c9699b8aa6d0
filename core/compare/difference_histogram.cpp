#include "core/compare/difference_histogram.h"

#include <fmt/core.h>

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/measure/table.h"

namespace sscope::compare {

namespace {

constexpr std::int64_t kCountedRowsAtOnce = 64;

void add(DifferenceHistogram& sum, double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) {
    ++sum.equal;
  } else if (!std::isfinite(a) || !std::isfinite(b)) {
    ++sum.nonFinite;
  } else {
    ++sum.counts[DifferenceHistogram::binOf(a - b)];
  }
}

std::string edgeText(std::size_t bin) { return fmt::format("{:.6g}", DifferenceHistogram::lowerEdge(bin)); }

}  // namespace

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
  if (first.type != second.type || first.extent != second.extent)
    throw Error(ErrorKind::Usage, "results of different types or extents cannot be compared", "compute them again");
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
      tbb::parallel_reduce(tbb::blocked_range<std::int64_t>(0, rows, kCountedRowsAtOnce), DifferenceHistogram{}, part,
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

}  // namespace sscope::compare
