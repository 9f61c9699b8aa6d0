#pragma once
// Workload "bank": N dense kernels of the same size at once on one volume (A. Hast, "Efficient convolution on
// multi-dimensional data, part 2", 2012).

#include "core/filter/workload/filter_workload.h"
#include "core/options/option.h"

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

}  // namespace sscope
