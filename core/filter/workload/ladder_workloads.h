#pragma once
// The workloads of the filter ladders: banks, one convolution in two dimensions, and the 5 x 5 convolution of bytes.

#include <array>
#include <vector>

#include "core/filter/workload/filter_workload.h"
#include "core/options/option.h"
#include "core/workload/catalog.h"

namespace sscope {

// One input (x, y, z); one output per kernel, with the input's extents. Work is counted densely: 2 * taps * N * voxels.
class BankWorkload : public FilterWorkload {
 public:
  // filters 1..256, size 1..15 (kernels of size^3, or size^2 on images), boundary, constant, output (f32, u8), seed.
  [[nodiscard]] static const std::vector<Option>& options();
  // Kernels with uniform noise in -1..1, divided by the number of taps, anchored at size / 2. Throws Error(Usage).
  BankWorkload(const ArraySpec& input, const OptionValues& values);

  [[nodiscard]] std::string_view name() const override { return "bank"; }
  [[nodiscard]] nlohmann::json parameters() const override;
  [[nodiscard]] Work work() const override { return workAs(true); }
  // Null: the ladder is about whole volumes.
  [[nodiscard]] std::unique_ptr<Workload> restrictedTo(const Box& /*region*/) const override { return nullptr; }
  [[nodiscard]] std::unique_ptr<Workload> cutTo(const Box& region) const override;

  [[nodiscard]] std::int64_t size() const { return size_; }

 private:
  std::int64_t size_;
};

// Workload "conv2d": one non-separable 2D convolution with a filter of any width and height (U. Dastgeer and C.
// Kessler, "A performance-portable generic component for 2D convolution computations on GPU-based systems").

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

// Workload "soup": the 5 x 5 convolution of an 8-bit image (J. Stam, "Convolution Soup: a case study in CUDA
// optimization", 2009).

// out = clamp(round(float(sum of integer taps * in) * scale), 0, 255), u8 -> u8: the sum is exact, the product is one
// float multiplication, rounding is to nearest, ties to even (the talk truncates instead). So all variants must agree
// bit by bit. Work: 2 * 25 * pixels.
class SoupWorkload : public FilterWorkload {
 public:
  static constexpr std::int64_t kSize = 5;

  // boundary, constant (rounded to u8), seed.
  [[nodiscard]] static const std::vector<Option>& options();
  // Integer taps in -8..31 from the seed, non-separable; the scale is one over their sum. Throws Error(Usage).
  SoupWorkload(const ArraySpec& input, const OptionValues& values);

  [[nodiscard]] std::string_view name() const override { return "soup"; }
  [[nodiscard]] nlohmann::json parameters() const override;
  [[nodiscard]] Work work() const override { return workAs(true); }
  // Null: the ladder is about whole images.
  [[nodiscard]] std::unique_ptr<Workload> restrictedTo(const Box& /*region*/) const override { return nullptr; }
  [[nodiscard]] std::unique_ptr<Workload> cutTo(const Box& region) const override;
  [[nodiscard]] Precision precision() const override { return Precision::f32; }
  // Rounds as above, so that the conversion to u8 is exact.
  void reference(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box, std::span<double> values,
                 const Control& control) const override;

  // Row by row, x fastest, anchored in the middle.
  [[nodiscard]] std::array<int, 25> taps() const;
  [[nodiscard]] float scale() const { return scale_; }

 private:
  float scale_;
};

// The ladders of this subject, in display order.
[[nodiscard]] std::vector<WorkloadKind> filterLadders();

}  // namespace sscope
