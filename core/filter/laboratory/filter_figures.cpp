#include "core/filter/laboratory/filter_figures.h"

#include <algorithm>
#include <cmath>

#include "core/filter/laboratory/bank_coverage.h"
#include "core/filter/laboratory/spectrum.h"
#include "core/filter/low_rank.h"

namespace sscope {

namespace {

constexpr std::int64_t kMostTaps = 10'000'000;
constexpr std::int64_t kMostRanked = 300'000;  // the rank of more taps takes longer than a second
constexpr double kRankTolerance = 1e-12;

// Sums over the taps, by offsets x from the anchor: of w, w x and w x^2, and of |w| or a bound of it.
struct Moments {
  double sum = 0, magnitude = 0;
  std::array<double, 3> first{}, second{};
};

Moments momentsOf(const AxisTaps& taps) {
  Moments of;
  for (std::int64_t i = 0; i < taps.size(); ++i) {
    const double w = taps.weights[static_cast<std::size_t>(i)], x = static_cast<double>(i - taps.anchor);
    of.sum += w;
    of.magnitude += std::abs(w);
    of.first[0] += w * x;
    of.second[0] += w * x * x;
  }
  return of;
}

// Sums of products are products of sums; the magnitude counts each term separately.
Moments momentsOf(const std::vector<SeparableTerm>& terms) {
  Moments of;
  for (const SeparableTerm& term : terms) {
    const std::array<Moments, 3> axis{momentsOf(term.axis[0]), momentsOf(term.axis[1]), momentsOf(term.axis[2])};
    of.sum += axis[0].sum * axis[1].sum * axis[2].sum;
    of.magnitude += axis[0].magnitude * axis[1].magnitude * axis[2].magnitude;
    for (std::size_t a = 0; a < 3; ++a) {
      const double others = axis[(a + 1) % 3].sum * axis[(a + 2) % 3].sum;
      of.first[a] += axis[a].first[0] * others;
      of.second[a] += axis[a].second[0] * others;
    }
  }
  return of;
}

Moments momentsOf(const DenseTaps& taps, const Control& control) {
  Moments of;
  for (std::int64_t z = 0; z < taps.size[2]; ++z)
    for (std::int64_t y = 0; y < taps.size[1]; ++y) {
      control.check();
      for (std::int64_t x = 0; x < taps.size[0]; ++x) {
        const double w = taps.at(x, y, z);
        const std::array<std::int64_t, 3> at{x - taps.anchor[0], y - taps.anchor[1], z - taps.anchor[2]};
        of.sum += w;
        of.magnitude += std::abs(w);
        for (std::size_t a = 0; a < 3; ++a) {
          const auto offset = static_cast<double>(at[a]);
          of.first[a] += w * offset;
          of.second[a] += w * offset * offset;
        }
      }
    }
  return of;
}

// The figures of taps times 2^-exponent.
void take(const Moments& of, int exponent, FilterFigures& figures) {
  figures.sum = std::ldexp(of.sum, exponent);
  figures.sumsToZero = std::abs(of.sum) <= 1e-12 * of.magnitude;
  if (figures.sumsToZero) return;
  for (std::size_t a = 0; a < 3; ++a) {
    const double center = of.first[a] / of.sum, moment = of.second[a] / of.sum - center * center;
    figures.center[a] = center;
    // A single tap has a variance only by rounding.
    const double rounding = 1e-12 * (std::abs(of.second[a] / of.sum) + center * center);
    if (of.sum > 0 && moment >= -rounding) figures.sigma[a] = std::sqrt(std::max(0.0, moment));
  }
}

}  // namespace

FilterFigures figuresOf(const Stencil& given, const Control& control) {
  control.check();
  const UnitTaps unit = unitTaps(given);
  const Stencil& filter = unit.taps;
  const int exponent = unit.exponent;
  FilterFigures figures;
  figures.size = filter.size();
  figures.denseProducts = filter.denseTaps();
  figures.noise = std::ldexp(std::sqrt(innerProduct(filter, filter, control)), exponent);
  if (filter.lostTailMass > 0) figures.lostTailMass = filter.lostTailMass;
  if (filter.separable()) {
    const Moments terms = momentsOf(filter.terms);
    take(terms, exponent, figures);
    figures.terms = static_cast<std::int64_t>(filter.terms.size());
    figures.separableProducts = filter.separableTaps();
    if (filter.terms.size() == 1) figures.absoluteSum = std::ldexp(terms.magnitude, exponent);
  }
  if (filter.terms.size() == 1 || figures.denseProducts > kMostTaps) return figures;
  const DenseTaps taps = filter.expanded();
  const Moments written = momentsOf(taps, control);
  figures.absoluteSum = std::ldexp(written.magnitude, exponent);
  if (!filter.separable()) take(written, exponent, figures);
  if (taps.count() > kMostRanked) return figures;
  std::int64_t lines = 0;
  for (const std::int64_t size : figures.size) lines += size > 1 ? size : 0;
  const auto rank = crossRank(taps, kRankTolerance, kMostSeparableTerms, control);
  if (rank && (!figures.terms || static_cast<std::int64_t>(*rank) < *figures.terms)) {
    figures.terms = static_cast<std::int64_t>(*rank);
    figures.separableProducts = std::max<std::int64_t>(1, *figures.terms * lines);
  }
  return figures;
}

}  // namespace sscope
