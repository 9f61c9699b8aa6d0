#include "core/filter/laboratory/bank_coverage.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "core/filter/laboratory/spectrum.h"

namespace sscope {

namespace {

constexpr double kTightRounding = 1e-10;
constexpr double kOrthogonal = 1e-14;

double inner(const AxisTaps& a, const AxisTaps& b) {
  const std::int64_t first = std::max(-a.anchor, -b.anchor), last = std::min(a.size() - a.anchor, b.size() - b.anchor);
  double sum = 0;
  for (std::int64_t i = first; i < last; ++i)
    sum += a.weights[static_cast<std::size_t>(i + a.anchor)] * b.weights[static_cast<std::size_t>(i + b.anchor)];
  return sum;
}

double inner(const SeparableTerm& a, const SeparableTerm& b) {
  return inner(a.axis[0], b.axis[0]) * inner(a.axis[1], b.axis[1]) * inner(a.axis[2], b.axis[2]);
}

// The inner product with `tap(x, y, z)`, by offsets from the anchors, over the part of the dense box from `first` to
// `last`.
template <class Tap>
double inner(const DenseTaps& a, const std::array<std::int64_t, 3>& first, const std::array<std::int64_t, 3>& last,
             const Tap& tap, const Control& control) {
  double sum = 0;
  for (std::int64_t z = first[2]; z < last[2]; ++z)
    for (std::int64_t y = first[1]; y < last[1]; ++y) {
      control.check();
      for (std::int64_t x = first[0]; x < last[0]; ++x)
        sum += a.at(x + a.anchor[0], y + a.anchor[1], z + a.anchor[2]) * tap(x, y, z);
    }
  return sum;
}

// The intersection of both boxes, by offsets from the anchors.
struct Overlap {
  std::array<std::int64_t, 3> first{}, last{};
  Overlap(const std::array<std::int64_t, 3>& sizeA, const std::array<std::int64_t, 3>& anchorA,
          const std::array<std::int64_t, 3>& sizeB, const std::array<std::int64_t, 3>& anchorB) {
    for (std::size_t a = 0; a < 3; ++a) {
      first[a] = std::max(-anchorA[a], -anchorB[a]);
      last[a] = std::min(sizeA[a] - anchorA[a], sizeB[a] - anchorB[a]);
    }
  }
};

double inner(const DenseTaps& a, const SeparableTerm& b, const Control& control) {
  const auto& [bx, by, bz] = b.axis;
  const Overlap both(a.size, a.anchor, {bx.size(), by.size(), bz.size()}, {bx.anchor, by.anchor, bz.anchor});
  const auto at = [](const AxisTaps& taps, std::int64_t offset) {
    return taps.weights[static_cast<std::size_t>(offset + taps.anchor)];
  };
  return inner(
      a, both.first, both.last,
      [&](std::int64_t x, std::int64_t y, std::int64_t z) { return at(bx, x) * at(by, y) * at(bz, z); }, control);
}

}  // namespace

std::array<std::int64_t, 3> coveragePoints(std::span<const Stencil> filters, int dimensions) {
  const std::uint64_t least = dimensions == 3 ? 32 : 64, most = dimensions == 3 ? 64 : 512;
  std::array<std::int64_t, 3> points{1, 1, 1};
  for (std::size_t a = 0; a < static_cast<std::size_t>(dimensions); ++a) {
    std::uint64_t wanted = least;
    for (const Stencil& filter : filters)
      wanted = std::max(wanted, static_cast<std::uint64_t>(2 * filter.size()[a] - 1));
    points[a] = static_cast<std::int64_t>(std::min(std::bit_ceil(wanted), most));
  }
  return points;
}

BankCoverage bankCoverage(std::span<const Stencil> filters, const std::array<std::int64_t, 3>& points,
                          const Control& control) {
  BankCoverage coverage;
  for (std::size_t a = 0; a < 3; ++a) coverage.frequencies[a] = centeredFrequencies(points[a]);
  coverage.power.assign(static_cast<std::size_t>(points[0] * points[1] * points[2]), 0.0);
  coverage.everyFrequency = true;
  std::vector<UnitTaps> units;
  std::optional<int> largest;
  for (const Stencil& filter : filters) {
    const UnitTaps& unit = units.emplace_back(unitTaps(filter));
    if (unit.some) largest = std::max(largest.value_or(unit.exponent), unit.exponent);
  }
  const int common = std::abs(largest.value_or(0)) > kOrdinaryExponent ? *largest : 0;
  coverage.exponent = 2 * common;
  for (const auto& [filter, exponent, some] : units) {
    const auto size = filter.size();
    // |H|^2 has the 2 n - 1 coefficients of an autocorrelation.
    for (std::size_t a = 0; a < 3; ++a) coverage.everyFrequency &= points[a] >= 2 * size[a] - 1;
    const auto values = spectrum(filter, coverage.frequencies, control);
    for (std::size_t i = 0; i < values.size(); ++i)
      coverage.power[i] += std::ldexp(std::norm(values[i]), 2 * (exponent - common));
  }
  return coverage;
}

FrameBounds frameBounds(const BankCoverage& coverage) {
  FrameBounds bounds;
  const auto [lowest, highest] = std::ranges::minmax_element(coverage.power);
  if (lowest == coverage.power.end()) return bounds;
  const auto at = [&](std::vector<double>::const_iterator value) {
    auto place = static_cast<std::size_t>(value - coverage.power.begin());
    std::array<double, 3> frequency{};
    for (std::size_t a = 0; a < 3; ++a) {
      frequency[a] = coverage.frequencies[a][place % coverage.frequencies[a].size()];
      place /= coverage.frequencies[a].size();
    }
    return frequency;
  };
  bounds.lower = *lowest;
  bounds.upper = *highest;
  bounds.lowerAt = at(lowest);
  bounds.upperAt = at(highest);
  // Rounding of a zero.
  if (bounds.lower <= kSpectrumRounding * bounds.upper) bounds.lower = 0;
  bounds.tight =
      coverage.everyFrequency && bounds.upper > 0 && bounds.upper - bounds.lower <= kTightRounding * bounds.upper;
  return bounds;
}

RadialProfile radialProfile(const BankCoverage& coverage, const std::array<double, 3>& spacing) {
  RadialProfile profile;
  profile.width = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < 3; ++a)
    if (coverage.frequencies[a].size() > 1)
      profile.width = std::min(profile.width, 1 / (static_cast<double>(coverage.frequencies[a].size()) * spacing[a]));
  if (!std::isfinite(profile.width)) return profile;
  struct Shell {
    double lowest = std::numeric_limits<double>::infinity(), sum = 0, highest = 0;
    std::int64_t count = 0;
  };
  std::vector<Shell> shells;
  auto power = coverage.power.begin();
  for (const double z : coverage.frequencies[2])
    for (const double y : coverage.frequencies[1])
      for (const double x : coverage.frequencies[0]) {
        const double radius = std::hypot(x / spacing[0], y / spacing[1], z / spacing[2]);
        const auto n = static_cast<std::size_t>(std::lround(radius / profile.width));
        if (n >= shells.size()) shells.resize(n + 1);
        Shell& shell = shells[n];
        shell.lowest = std::min(shell.lowest, *power);
        shell.highest = std::max(shell.highest, *power);
        shell.sum += *power++;
        ++shell.count;
      }
  for (std::size_t n = 0; n < shells.size(); ++n) {
    const Shell& shell = shells[n];
    if (shell.count == 0) continue;
    profile.frequency.push_back(static_cast<double>(n) * profile.width);
    profile.lowest.push_back(shell.lowest);
    profile.mean.push_back(shell.sum / static_cast<double>(shell.count));
    profile.highest.push_back(shell.highest);
  }
  return profile;
}

std::vector<UnseenBand> unseenBands(const RadialProfile& profile, double share) {
  std::vector<UnseenBand> bands;
  if (profile.frequency.empty()) return bands;
  const double least = share * std::ranges::max(profile.highest);
  const double half = profile.width / 2;
  for (std::size_t n = 0; n < profile.frequency.size(); ++n) {
    const bool whole = !(profile.highest[n] > least);
    if (!whole && profile.lowest[n] > least) continue;
    const double from = std::max(0.0, profile.frequency[n] - half), to = profile.frequency[n] + half;
    const bool goesOn = !bands.empty() && bands.back().whole == whole && from - bands.back().to < half;
    if (goesOn) {
      bands.back().to = to;
    } else {
      bands.push_back({from, to, whole});
    }
  }
  return bands;
}

double innerProduct(const Stencil& a, const Stencil& b, const Control& control) {
  double sum = 0;
  if (a.separable() && b.separable()) {
    for (const SeparableTerm& s : a.terms)
      for (const SeparableTerm& t : b.terms) sum += inner(s, t);
  } else if (b.separable()) {
    for (const SeparableTerm& term : b.terms) sum += inner(a.dense, term, control);
  } else if (a.separable()) {
    sum = innerProduct(b, a, control);
  } else {
    const DenseTaps& other = b.dense;
    const Overlap both(a.dense.size, a.dense.anchor, other.size, other.anchor);
    sum = inner(
        a.dense, both.first, both.last,
        [&](std::int64_t x, std::int64_t y, std::int64_t z) {
          return other.at(x + other.anchor[0], y + other.anchor[1], z + other.anchor[2]);
        },
        control);
  }
  return sum;
}

std::vector<double> correlationMatrix(std::span<const Stencil> filters, const Control& control) {
  const std::size_t n = filters.size();
  std::vector<double> matrix(n * n), norms;
  std::vector<Stencil> units;
  for (const Stencil& filter : filters) {
    const Stencil& unit = units.emplace_back(unitTaps(filter).taps);
    norms.push_back(std::sqrt(innerProduct(unit, unit, control)));
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const double product =
          norms[i] > 0 && norms[j] > 0 ? innerProduct(units[i], units[j], control) / norms[i] / norms[j] : 0;
      // Orthogonal within rounding.
      const double settled = std::abs(product) > kOrthogonal ? std::clamp(product, -1.0, 1.0) : 0;
      matrix[i * n + j] = matrix[j * n + i] = settled;
    }
  return matrix;
}

}  // namespace sscope
