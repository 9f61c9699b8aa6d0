#pragma once
// Three rules that choose thresholds for denoising from the data.
// - Bayes: BayesShrink (S. Chang, B. Yu, M. Vetterli, Adaptive wavelet thresholding for image denoising and
//   compression, 2000): in each band sigma^2 over the standard deviation of the signal, sqrt(mean(c^2) - sigma^2); for
//   hard thresholds, which the paper does not have, 3 sigma in every band.
// - Sure: SureShrink (D. Donoho, I. Johnstone, Adapting to unknown smoothness via wavelet shrinkage, 1995): in each
//   band the threshold with the least estimated risk, at most the universal one of the band; hard thresholds use the
//   estimate of their own risk. The paper's exception for sparse bands is left out, since it lost up to 0.8 dB in
//   trials.
// - Visu: VisuShrink (D. Donoho, I. Johnstone, Ideal spatial adaptation by wavelet shrinkage, 1994): one universal
//   threshold sigma sqrt(2 ln n) for all bands; it removes more than the noise from most pictures.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/control.h"
#include "core/volume/array_view.h"
#include "core/wavelet/pyramid.h"
#include "core/wavelet/threshold.h"

namespace sscope {

enum class ShrinkageRule : std::uint8_t { Sure, Bayes, Visu };
[[nodiscard]] std::string_view toString(ShrinkageRule rule);  // "sure", "bayes", "visu"
[[nodiscard]] std::optional<ShrinkageRule> parseShrinkageRule(std::string_view text);

struct Shrinkage {
  double sigma = 0;                // standard deviation of the noise
  std::vector<double> thresholds;  // of each band, as Pyramid::bands(); 0 for the averages, finite for all
  // The threshold of the finest band that is high along every axis, for displays with room for only one.
  [[nodiscard]] double finest() const { return thresholds.empty() ? 0 : thresholds.back(); }
};
// `sigma` >= 0: the known noise; if empty, it is estimated as in suggestThreshold(). Coefficients as in bandEnergies.
// Throws Error(Usage) for a negative sigma, Canceled.
[[nodiscard]] Shrinkage shrinkageFor(const ConstArrayView& coefficients, const Pyramid& pyramid, ShrinkageRule rule,
                                     ThresholdMode mode, const std::optional<double>& sigma = {},
                                     const Control& control = {});

// One sentence where no noise was found, so that denoising changes nothing; else empty.
[[nodiscard]] std::string noNoiseNotice(double sigma);

}  // namespace sscope
