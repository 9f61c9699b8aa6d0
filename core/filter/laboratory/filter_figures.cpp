#include "core/filter/laboratory/filter_figures.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/filter/low_rank.h"

namespace sscope {

namespace {

constexpr std::int64_t kMostTaps = 30'000'000;
constexpr std::int64_t kMostRanked = 300'000;  // taps of which a rank is looked for; a tenth of a second
constexpr double kRankTolerance = 1e-12;

void addMoments(const DenseTaps& taps, FilterFigures& figures, const Control& control) {
  std::array<double, 3> first{}, second{};
  for (std::int64_t z = 0; z < taps.size[2]; ++z)
    for (std::int64_t y = 0; y < taps.size[1]; ++y) {
      control.check();
      for (std::int64_t x = 0; x < taps.size[0]; ++x) {
        const double w = taps.at(x, y, z);
        const std::array<std::int64_t, 3> at{x - taps.anchor[0], y - taps.anchor[1], z - taps.anchor[2]};
        figures.sum += w;
        figures.absoluteSum += std::abs(w);
        figures.squares += w * w;
        for (std::size_t a = 0; a < 3; ++a) first[a] += w * static_cast<double>(at[a]);
      }
    }
  if (figures.sumsToZero()) return;
  for (std::size_t a = 0; a < 3; ++a) figures.center[a] = first[a] / figures.sum;
  if (figures.sum < 0) return;
  for (std::int64_t z = 0; z < taps.size[2]; ++z)
    for (std::int64_t y = 0; y < taps.size[1]; ++y) {
      control.check();
      for (std::int64_t x = 0; x < taps.size[0]; ++x) {
        const std::array<std::int64_t, 3> at{x - taps.anchor[0], y - taps.anchor[1], z - taps.anchor[2]};
        for (std::size_t a = 0; a < 3; ++a) {
          const double distance = static_cast<double>(at[a]) - figures.center[a];
          second[a] += taps.at(x, y, z) * distance * distance;
        }
      }
    }
  for (std::size_t a = 0; a < 3; ++a)
    if (second[a] >= 0) figures.sigma[a] = std::sqrt(second[a] / figures.sum);
}

}  // namespace

bool FilterFigures::sumsToZero() const { return std::abs(sum) <= 1e-12 * absoluteSum; }

FilterFigures figuresOf(const Stencil& filter, const Control& control) {
  FilterFigures figures;
  figures.size = filter.size();
  figures.denseProducts = filter.denseTaps();
  if (figures.denseProducts > kMostTaps)
    throw Error(ErrorKind::Usage,
                "a filter of " + std::to_string(figures.denseProducts) + " taps has too many to add up",
                "choose a smaller one");
  const DenseTaps taps = filter.expanded();
  addMoments(taps, figures, control);
  if (filter.lostTailMass > 0) figures.lostTailMass = filter.lostTailMass;
  std::int64_t lines = 0;
  for (const std::int64_t size : figures.size) lines += size > 1 ? size : 0;
  const auto take = [&](std::int64_t terms, std::int64_t products) {
    if (figures.terms && *figures.terms <= terms) return;
    figures.terms = terms;
    figures.separableProducts = products;
  };
  if (filter.separable()) take(static_cast<std::int64_t>(filter.terms.size()), filter.separableTaps());
  if (taps.count() <= kMostRanked)
    if (const auto rank = crossRank(taps, kRankTolerance, kMostSeparableTerms))
      take(static_cast<std::int64_t>(*rank), std::max<std::int64_t>(1, static_cast<std::int64_t>(*rank) * lines));
  return figures;
}

}  // namespace sscope
