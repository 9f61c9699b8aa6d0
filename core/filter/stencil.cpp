#include "core/filter/stencil.h"

#include <algorithm>
#include <cmath>

namespace sscope {

std::array<std::int64_t, 3> Stencil::anchor() const {
  if (!separable()) return dense.anchor;
  std::array<std::int64_t, 3> before{0, 0, 0};
  for (const SeparableTerm& term : terms)
    for (std::size_t a = 0; a < 3; ++a) before[a] = std::max(before[a], term.axis[a].anchor);
  return before;
}

std::array<std::int64_t, 3> Stencil::size() const {
  if (!separable()) return dense.size;
  const auto before = anchor();
  std::array<std::int64_t, 3> size{1, 1, 1};
  for (const SeparableTerm& term : terms)
    for (std::size_t a = 0; a < 3; ++a)
      size[a] = std::max(size[a], before[a] + term.axis[a].size() - term.axis[a].anchor);
  return size;
}

DenseTaps Stencil::expanded() const {
  if (!separable()) return dense;
  DenseTaps out;
  out.size = size();
  out.anchor = anchor();
  out.weights.assign(static_cast<std::size_t>(out.count()), 0.0);
  for (const SeparableTerm& term : terms) {
    const auto& [x, y, z] = term.axis;
    for (std::int64_t k = 0; k < z.size(); ++k)
      for (std::int64_t j = 0; j < y.size(); ++j)
        for (std::int64_t i = 0; i < x.size(); ++i) {
          const std::int64_t px = i - x.anchor + out.anchor[0];
          const std::int64_t py = j - y.anchor + out.anchor[1];
          const std::int64_t pz = k - z.anchor + out.anchor[2];
          out.weights[static_cast<std::size_t>((pz * out.size[1] + py) * out.size[0] + px)] +=
              x.weights[static_cast<std::size_t>(i)] * y.weights[static_cast<std::size_t>(j)] *
              z.weights[static_cast<std::size_t>(k)];
        }
  }
  return out;
}

double Stencil::absoluteSum() const {
  double sum = 0;
  for (const double w : expanded().weights) sum += std::abs(w);
  return sum;
}

std::int64_t Stencil::denseTaps() const {
  const auto extent = size();
  return extent[0] * extent[1] * extent[2];
}

std::int64_t Stencil::separableTaps() const {
  std::int64_t taps = 0;
  for (const SeparableTerm& term : terms)
    for (const AxisTaps& axis : term.axis)
      if (!axis.identity()) taps += axis.size();
  return std::max<std::int64_t>(taps, 1);
}

Stencil flipped(Stencil filter) {
  std::reverse(filter.dense.weights.begin(), filter.dense.weights.end());
  for (std::size_t a = 0; a < 3; ++a) filter.dense.anchor[a] = filter.dense.size[a] - 1 - filter.dense.anchor[a];
  for (SeparableTerm& term : filter.terms)
    for (AxisTaps& axis : term.axis) {
      std::reverse(axis.weights.begin(), axis.weights.end());
      axis.anchor = axis.size() - 1 - axis.anchor;
    }
  return filter;
}

Stencil factored(Stencil filter) {
  if (filter.separable()) return filter;
  const DenseTaps& taps = filter.dense;
  const auto largest = std::max_element(taps.weights.begin(), taps.weights.end(),
                                        [](double a, double b) { return std::abs(a) < std::abs(b); });
  if (largest == taps.weights.end() || *largest == 0.0) return filter;
  const std::int64_t at = largest - taps.weights.begin();
  const std::array<std::int64_t, 3> pivot{at % taps.size[0], at / taps.size[0] % taps.size[1],
                                          at / (taps.size[0] * taps.size[1])};
  // Rank one means every tap is the product of the three lines through the largest one.
  SeparableTerm term;
  for (std::size_t a = 0; a < 3; ++a) {
    term.axis[a].weights.clear();
    term.axis[a].anchor = taps.anchor[a];
    for (std::int64_t i = 0; i < taps.size[a]; ++i) {
      auto p = pivot;
      p[a] = i;
      const double w = taps.at(p[0], p[1], p[2]);
      term.axis[a].weights.push_back(a == 0 ? w : w / *largest);
    }
  }
  for (std::int64_t z = 0; z < taps.size[2]; ++z)
    for (std::int64_t y = 0; y < taps.size[1]; ++y)
      for (std::int64_t x = 0; x < taps.size[0]; ++x) {
        const double product = term.axis[0].weights[static_cast<std::size_t>(x)] *
                               term.axis[1].weights[static_cast<std::size_t>(y)] *
                               term.axis[2].weights[static_cast<std::size_t>(z)];
        // Each error is relative to its own tap, because small taps may matter beside large ones.
        if (!(std::abs(product - taps.at(x, y, z)) <= 1e-12 * std::abs(taps.at(x, y, z)))) return filter;
      }
  filter.terms = {term};
  return filter;
}

namespace {
std::int64_t radiusOf(double sigma, double truncate) {
  return static_cast<std::int64_t>(std::floor(truncate * sigma + 0.5));  // scipy.ndimage's rounding
}
}  // namespace

AxisTaps gaussianTaps(double sigma, int order, double truncate) {
  if (sigma <= 0) return {};
  const std::int64_t radius = std::max<std::int64_t>(radiusOf(sigma, truncate), order > 0 ? 1 : 0);
  AxisTaps taps;
  taps.anchor = radius;
  taps.weights.clear();
  double sum = 0, sumXX = 0;
  for (std::int64_t i = -radius; i <= radius; ++i) {
    const auto x = static_cast<double>(i);
    const double g = std::exp(-x * x / (2 * sigma * sigma));
    taps.weights.push_back(g);
    sum += g;
    sumXX += g * x * x;
  }
  for (std::int64_t i = -radius; i <= radius; ++i) {
    const auto x = static_cast<double>(i);
    double& w = taps.weights[static_cast<std::size_t>(i + radius)];
    if (order == 0) {
      w /= sum;
    } else if (order == 1) {
      w *= x / sumXX;  // sum w x = 1
    } else {
      w *= x * x / sumXX - 1 / sum;  // sum w = 0; scaled below so that sum w x^2 = 2
    }
  }
  if (order == 2) {
    double moment = 0;
    for (std::int64_t i = -radius; i <= radius; ++i)
      moment += taps.weights[static_cast<std::size_t>(i + radius)] * static_cast<double>(i * i);
    for (double& w : taps.weights) w *= 2 / moment;
  }
  return taps;
}

double gaussianTailMass(double sigma, double truncate) {
  if (sigma <= 0) return 0;
  const std::int64_t radius = radiusOf(sigma, truncate);
  const std::int64_t far = static_cast<std::int64_t>(std::ceil(12 * sigma)) + 1;
  double kept = 0, lost = 0;
  for (std::int64_t i = -far; i <= far; ++i) {
    const auto x = static_cast<double>(i);
    (std::abs(i) <= radius ? kept : lost) += std::exp(-x * x / (2 * sigma * sigma));
  }
  return lost / (kept + lost);
}

AxisTaps boxTaps(std::int64_t n) {
  return {std::vector<double>(static_cast<std::size_t>(n), 1.0 / static_cast<double>(n)), n / 2};
}

AxisTaps scaled(AxisTaps taps, double factor) {
  for (double& w : taps.weights) w *= factor;
  return taps;
}

DenseTaps boxOfTaps(const std::array<std::int64_t, 3>& size) {
  DenseTaps taps;
  taps.size = size;
  for (std::size_t a = 0; a < 3; ++a) taps.anchor[a] = size[a] / 2;
  taps.weights.assign(static_cast<std::size_t>(taps.count()), 0.0);
  return taps;
}

}  // namespace sscope
