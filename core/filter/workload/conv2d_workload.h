#pragma once
// Workload "conv2d": one non-separable 2D convolution with a filter of any width and height (U. Dastgeer and C.
// Kessler, "A performance-portable generic component for 2D convolution computations on GPU-based systems").

#include "core/filter/workload/filter_workload.h"
#include "core/options/option.h"

namespace sscope {

// One image f32 -> f32. Work is counted densely: 2 * width * height * pixels.
class Conv2dWorkload : public FilterWorkload {
 public:
  // width 1..31, height 1..31, boundary, constant, seed.
  [[nodiscard]] static const std::vector<Option>& options();
  // Taps with uniform noise in 0..1, divided by their sum, anchored at size / 2. Throws Error(Usage) for invalid values
  // and for volumes.
  Conv2dWorkload(const ArraySpec& input, const OptionValues& values);

  [[nodiscard]] std::string_view name() const override { return "conv2d"; }
  [[nodiscard]] nlohmann::json parameters() const override;
  [[nodiscard]] Work work() const override { return workAs(true); }
  // Null: the ladder is about whole images.
  [[nodiscard]] std::unique_ptr<Workload> restrictedTo(const Box& /*region*/) const override { return nullptr; }
  [[nodiscard]] std::unique_ptr<Workload> cutTo(const Box& region) const override;

  // Extents, anchor and taps, x fastest.
  [[nodiscard]] const DenseTaps& taps() const { return stencil(0).dense; }
};

}  // namespace sscope
