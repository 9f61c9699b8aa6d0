#pragma once
// Workload "dwt": the periodized orthogonal wavelet transform and its inverse (I. Daubechies, Ten Lectures on Wavelets,
// 1992; alignment as PyWavelets' mode "periodization").

#include "core/options/option.h"
#include "core/wavelet/pyramid.h"
#include "core/wavelet/wavelet.h"
#include "core/workload/workload.h"

namespace sscope {

// One array of one component, f32 -> f32 or f64 -> f64. Forward: data to coefficients in the pyramid's layout; extents
// that are no multiple of 2^levels are extended up to the next one by repeating the last sample, and the output has the
// extended extents. Inverse: coefficients, whose extents must be such multiples, to data of the same extents; who wants
// the original extents back crops them. Work: 2 * taps per element, axis and level.
class DwtWorkload final : public Workload {
 public:
  // wavelet, levels, convention, direction, dimensions, input, seed.
  [[nodiscard]] static const std::vector<Option>& options();
  // Throws Error(Usage): unknown wavelet, too many levels (naming the largest), other element types, several
  // components.
  DwtWorkload(const ArraySpec& input, const OptionValues& values);

  [[nodiscard]] std::string_view name() const override { return "dwt"; }
  [[nodiscard]] nlohmann::json parameters() const override;
  [[nodiscard]] std::vector<ArraySpec> inputs() const override { return {input_}; }
  [[nodiscard]] std::vector<ArraySpec> outputs() const override;
  [[nodiscard]] Work work() const override;
  [[nodiscard]] Precision precision() const override;
  [[nodiscard]] std::int64_t termsPerOutput() const override;
  void reference(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box, std::span<double> values,
                 const Control& control) const override;
  void referenceMagnitude(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                          std::span<double> values, const Control& control) const override;

  [[nodiscard]] const ArraySpec& input() const { return input_; }
  // As the convention has it: engines need not know of that.
  [[nodiscard]] const Wavelet& wavelet() const { return *wavelet_; }
  [[nodiscard]] const Pyramid& pyramid() const { return pyramid_; }
  [[nodiscard]] bool forward() const { return forward_; }

 private:
  ArraySpec input_;
  WaveletConvention convention_;
  const Wavelet* wavelet_;
  Pyramid pyramid_;
  bool forward_;
};

}  // namespace sscope
