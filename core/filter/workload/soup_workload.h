#pragma once
// Workload "soup": the 5 x 5 convolution of an 8-bit image (J. Stam, "Convolution Soup: a case study in CUDA
// optimization", 2009).

#include <array>

#include "core/filter/workload/filter_workload.h"
#include "core/options/option.h"

namespace sscope {

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

}  // namespace sscope
