#pragma once
// Denoising by setting small wavelet coefficients to zero (D. Donoho and I. Johnstone, Ideal spatial adaptation by
// wavelet shrinkage, 1994).

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/control.h"
#include "core/engine/resident_array.h"
#include "core/volume/array_view.h"
#include "core/wavelet/pyramid.h"

namespace sscope {

enum class ThresholdMode : std::uint8_t {
  Soft,  // shrinks toward zero by the threshold: smooth results
  Hard   // keeps larger coefficients unchanged: sharp results, more artifacts
};
[[nodiscard]] std::string_view toString(ThresholdMode mode);  // "soft", "hard"
[[nodiscard]] std::optional<ThresholdMode> parseThresholdMode(std::string_view text);

// A threshold for each band of a pyramid, in the order of Pyramid::bands(), or one for all of them.
class BandThresholds {
 public:
  BandThresholds(double all) : all_(all) {}  // NOLINT(google-explicit-constructor): a number is one for all
  explicit BandThresholds(std::vector<double> each) : each_(std::move(each)) {}
  [[nodiscard]] double operator[](std::size_t band) const { return each_.empty() ? all_ : each_[band]; }

 private:
  double all_ = 0;
  std::vector<double> each_;
};

struct ThresholdSuggestion {
  double sigma = 0;      // estimated standard deviation of the noise
  double threshold = 0;  // sigma sqrt(2 ln n), n samples
};
// sigma sqrt(2 ln n), where n counts the samples before extension.
[[nodiscard]] double universalThreshold(double sigma, const Pyramid& pyramid);
// VisuShrink's universal threshold. sigma is the median of |coefficient| over the finest diagonal band (high along
// every transformed axis), divided by the normal distribution's 0.6745; coefficients that read constant data are left
// out where there are many. 0 if no others are left. Coefficients as in bandEnergies. Throws Canceled.
[[nodiscard]] ThresholdSuggestion suggestThreshold(const ConstArrayView& coefficients, const Pyramid& pyramid,
                                                   const Control& control = {});

// One coefficient after the threshold.
template <class T>
[[nodiscard]] T thresholded(T coefficient, double threshold, ThresholdMode mode) {
  const auto value = static_cast<double>(coefficient);
  if (std::abs(value) <= threshold) return 0;
  if (mode == ThresholdMode::Hard) return coefficient;
  return static_cast<T>(value > 0 ? value - threshold : value + threshold);
}

// Applies the thresholds (>= 0) to `from` and writes to `to`, which has the same type and strides and may be the same
// array: coefficients with |c| <= threshold become zero, the others follow `mode`; the averages are kept. Returns the
// remaining energy of each band. Throws Canceled, with a part of it done.
std::vector<BandEnergy> applyThreshold(const ConstArrayView& from, const ArrayView& to, const Pyramid& pyramid,
                                       const BandThresholds& thresholds, ThresholdMode mode,
                                       const Control& control = {});

// The inverse transform of coefficients that stay where an earlier run computed them: a new threshold needs no copy of
// the coefficients or of the result.
class VolumePool;

// The ability of plans of an inverse transform on devices.
class ResidentInverse {
 public:
  virtual ~ResidentInverse() = default;
  // The same as Plan::runResident() on applyThreshold() of these coefficients, which stay as they are: the output of
  // Pyramid's extents stays where it is computed. `coefficients` has the type and extents of the workload's input.
  // Empty where they are no longer in the memory of the plan's device. On devices without doubles, thresholds are
  // rounded down to single precision. Throws what runs throw.
  [[nodiscard]] virtual std::optional<ResidentRun> runThresholded(ResidentArray& coefficients,
                                                                  const BandThresholds& thresholds, ThresholdMode mode,
                                                                  VolumePool& memory, const Control& control) = 0;
};

}  // namespace sscope
