#include "core/wavelet/shrinkage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "core/base/error.h"
#include "core/wavelet/row_sums.h"
#include "core/wavelet/threshold.h"

namespace sscope {

namespace {

struct Moments {
  double squares = 0, largest = 0;
  std::int64_t count = 0;
  Moments& operator+=(const Moments& other) {
    squares += other.squares;
    largest = std::max(largest, other.largest);
    count += other.count;
    return *this;
  }
};

// Calls visit(total, |c|) for every finite coefficient of the box.
template <class Total, class Visit>
Total overMagnitudes(const ConstArrayView& view, const Box& box, const Control& control, const Visit& visit) {
  return dispatch(view.type, [&](auto tag) {
    const auto* data = view.as<decltype(tag)>();
    return sumOverRows<Total>(view, box, control, [&](Total& total, std::int64_t first, std::int64_t elements) {
      for (std::int64_t i = 0; i < elements; ++i) {
        const double magnitude = std::abs(static_cast<double>(data[first + i * view.stride[0]]));
        if (std::isfinite(magnitude)) visit(total, magnitude);
      }
    });
  });
}

Moments momentsOf(const ConstArrayView& view, const Box& box, const Control& control) {
  return overMagnitudes<Moments>(view, box, control, [](Moments& total, double magnitude) {
    total.squares += magnitude * magnitude;
    total.largest = std::max(total.largest, magnitude);
    ++total.count;
  });
}

// The largest coefficient if the band holds noise only: all of the band is removed.
double bayesThreshold(const Moments& band, double sigma, ThresholdMode mode) {
  constexpr double kHard = 3;  // in sigma: BayesShrink has no hard thresholds
  if (band.count == 0) return 0;
  const double signal = band.squares / static_cast<double>(band.count) - sigma * sigma;
  if (!(signal > 0)) return band.largest;
  return std::min(mode == ThresholdMode::Soft ? sigma * sigma / std::sqrt(signal) : kHard * sigma, band.largest);
}

// The data for a band's risk at the thresholds k * width: the number of magnitudes in each step, and their squares.
constexpr std::size_t kSteps = 1024;
struct Histogram {
  std::array<std::int64_t, kSteps> count{};
  std::array<double, kSteps> squares{};
  Histogram& operator+=(const Histogram& other) {
    for (std::size_t i = 0; i < kSteps; ++i) {
      count[i] += other.count[i];
      squares[i] += other.squares[i];
    }
    return *this;
  }
};

// Stein's unbiased estimate of the risk, in units of sigma^2: of soft thresholding n - 2 #{|c| <= t} + sum min(c^2,
// t^2); of hard thresholding the sum is over |c| <= t alone, and its jumps add 2 t times the density of magnitudes at
// t. It is exact at the tested thresholds, a thousand from 0 to the universal one, except for that density, which is
// counted within a quarter of sigma.
double sureThreshold(const ConstArrayView& view, const Box& box, const Moments& band, double sigma, ThresholdMode mode,
                     const Control& control) {
  const auto n = static_cast<double>(band.count);
  if (band.count == 0 || sigma <= 0) return 0;
  const double universal = std::min(sigma * std::sqrt(2 * std::log(std::max(n, 2.0))), band.largest);
  const double width = universal / kSteps;
  if (!(width > 0)) return 0;
  const auto histogram = overMagnitudes<Histogram>(view, box, control, [width](Histogram& total, double magnitude) {
    const double step = std::ceil(magnitude / width) - 1;  // in (step, step + 1] widths
    if (step >= static_cast<double>(kSteps)) return;
    const auto i = static_cast<std::size_t>(std::max(step, 0.0));
    ++total.count[i];
    total.squares[i] += magnitude * magnitude;
  });
  std::array<double, kSteps + 1> upTo{};  // the number in all smaller steps
  for (std::size_t i = 0; i < kSteps; ++i) upTo[i + 1] = upTo[i] + static_cast<double>(histogram.count[i]);
  const auto reach = static_cast<std::size_t>(std::clamp(0.25 * sigma / width, 1.0, kSteps / 4.0));
  double best = n, threshold = 0, squares = 0;
  for (std::size_t i = 0; i < kSteps; ++i) {
    const double below = upTo[i + 1];
    squares += histogram.squares[i] / (sigma * sigma);
    const double t = width * static_cast<double>(i + 1), inSigmas = t / sigma;
    const std::size_t first = i + 1 > reach ? i + 1 - reach : 0, last = std::min(i + 1 + reach, kSteps);
    const double density = (upTo[last] - upTo[first]) * sigma / (width * static_cast<double>(last - first));
    const double risk = n - 2 * below + squares +
                        (mode == ThresholdMode::Soft ? (n - below) * inSigmas * inSigmas : 2 * inSigmas * density);
    if (risk < best) {
      best = risk;
      threshold = t;
    }
  }
  return threshold;
}

// Excludes the positions of repeated samples behind the data's end, whose details are zero.
Box withoutRepeats(const PyramidBand& band, const Pyramid& pyramid) {
  Box box = band.box;
  for (std::size_t a = 0; a < 3; ++a) {
    if (!pyramid.axes[a]) continue;
    const std::int64_t there = std::max<std::int64_t>(pyramid.original[a] >> band.level, 1);
    box.end[a] = std::min(box.end[a], box.begin[a] + there);
  }
  return box;
}

}  // namespace

std::string_view toString(ShrinkageRule rule) {
  switch (rule) {
    case ShrinkageRule::Bayes: return "bayes";
    case ShrinkageRule::Sure: return "sure";
    case ShrinkageRule::Visu: return "visu";
  }
  return {};
}

std::optional<ShrinkageRule> parseShrinkageRule(std::string_view text) {
  for (const ShrinkageRule rule : {ShrinkageRule::Bayes, ShrinkageRule::Sure, ShrinkageRule::Visu})
    if (toString(rule) == text) return rule;
  return {};
}

Shrinkage shrinkageFor(const ConstArrayView& coefficients, const Pyramid& pyramid, ShrinkageRule rule,
                       ThresholdMode mode, const std::optional<double>& sigma, const Control& control) {
  if (sigma && !(*sigma >= 0))
    throw Error(ErrorKind::Usage, "the standard deviation of the noise cannot be negative", "give 0 or more");
  Shrinkage shrinkage;
  shrinkage.sigma = sigma ? *sigma : suggestThreshold(coefficients, pyramid, control).sigma;
  for (const PyramidBand& band : pyramid.bands()) {
    if (band.averages() || rule == ShrinkageRule::Visu) {
      shrinkage.thresholds.push_back(band.averages() ? 0 : universalThreshold(shrinkage.sigma, pyramid));
      continue;
    }
    const Box box = withoutRepeats(band, pyramid);
    const Moments moments = momentsOf(coefficients, box, control);
    shrinkage.thresholds.push_back(rule == ShrinkageRule::Bayes
                                       ? bayesThreshold(moments, shrinkage.sigma, mode)
                                       : sureThreshold(coefficients, box, moments, shrinkage.sigma, mode, control));
  }
  return shrinkage;
}

std::string noNoiseNotice(double sigma) {
  if (sigma > 0) return {};
  return "no noise was found in the finest details, so that every threshold is 0 and nothing is removed; give the "
         "noise or a threshold";
}

}  // namespace sscope
