#pragma once
// Workload "dwt": the periodized orthogonal wavelet transform and its inverse (I. Daubechies, Ten Lectures on Wavelets,
// 1992; alignment as PyWavelets' mode "periodization").

#include "core/base/ability.h"
#include "core/options/option.h"
#include "core/wavelet/pyramid.h"
#include "core/wavelet/wavelet.h"
#include "core/workload/free_boundaries.h"
#include "core/workload/periodic_part.h"
#include "core/workload/workload.h"

namespace sscope {

// One array of one component, f32 -> f32 or f64 -> f64. Forward: data to coefficients in the pyramid's layout; extents
// that are not multiples of 2^levels are extended to the next one by repeating the last sample, and the output has the
// extended extents. Inverse: coefficients, whose extents must be such multiples, to data of the same extents; the
// caller crops them to the original extents. Work: 2 * taps per element, axis and level. Free boundaries, of one level:
// forward takes an even number of n >= taps samples along each transformed axis to the n - taps + 2 coefficients of the
// functions that lie within them, inverse is its transpose, which grows by as many, so that inverse followed by forward
// is exact. Work is counted for the coefficients. reach() is the whole input and restrictedTo() is not supported,
// because a box holds coefficients of several levels.
class DwtWorkload final : public Workload, public FreeBoundaries {
 public:
  // wavelet, levels, convention, boundary, direction, dimensions, input, seed.
  [[nodiscard]] static const std::vector<Option>& options();
  // Throws Error(Usage): unknown wavelet, too many levels (naming the largest), other element types, several
  // components, extents that free boundaries cannot take.
  DwtWorkload(const ArraySpec& input, const OptionValues& values);

  [[nodiscard]] std::string_view name() const override { return "dwt"; }
  [[nodiscard]] nlohmann::json parameters() const override;
  [[nodiscard]] std::vector<ArraySpec> inputs() const override { return {input_}; }
  [[nodiscard]] std::vector<ArraySpec> outputs() const override;
  [[nodiscard]] Work work() const override;
  [[nodiscard]] Precision precision() const override;
  [[nodiscard]] std::int64_t termsPerOutput() const override;
  [[nodiscard]] double referenceSeconds() const override;
  void reference(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box, std::span<double> values,
                 const Control& control) const override;
  void referenceMagnitude(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                          std::span<double> values, const Control& control) const override;

  [[nodiscard]] const ArraySpec& input() const { return input_; }
  // In the chosen convention, so that engines need not distinguish them.
  [[nodiscard]] const Wavelet& wavelet() const { return *wavelet_; }
  [[nodiscard]] const Pyramid& pyramid() const { return pyramid_; }
  [[nodiscard]] bool forward() const { return forward_; }

  // Planes along an axis that is not transformed. Null for others, whose coefficients lie in bands, for free
  // boundaries, and for a box that is cut along several axes.
  [[nodiscard]] std::unique_ptr<Workload> cutTo(const Box& region) const override;
  [[nodiscard]] const void* findAbility(const std::type_info& ability) const override {
    return abilityAmong<FreeBoundaries>(ability, this);
  }
  [[nodiscard]] std::unique_ptr<Workload> periodic() const override;
  [[nodiscard]] Embedding embedding() const override;
  // Zero: the corner of the coefficients corresponds to no sample position.
  [[nodiscard]] std::array<std::int64_t, 3> outputOrigin() const override { return {0, 0, 0}; }

 private:
  void requireFreeExtents() const;
  // Samples of free boundaries beyond the coefficients.
  [[nodiscard]] std::int64_t grown(std::size_t axis) const {
    return boundary_ == DataBoundary::Free && pyramid_.axes[axis] ? wavelet_->taps() - 2 : 0;
  }

  ArraySpec input_;
  WaveletConvention convention_;
  DataBoundary boundary_;
  const Wavelet* wavelet_;
  Pyramid pyramid_;
  bool forward_;
  std::optional<PeriodicPart> part_;
};

}  // namespace sscope
