#pragma once
// The input converted to the arithmetic type and padded by its boundary, for kernels without boundary handling.

#include <array>
#include <vector>

#include "gpu/filter/context.h"
#include "gpu/run/device_run.h"

namespace sscope {

// Slot kGathered holds rows of pitch() numbers, rowsY() rows per slice, for boxes of `size` around every output.
class GatheredRows {
 public:
  GatheredRows(const GatheredRows&) = delete;
  GatheredRows& operator=(const GatheredRows&) = delete;
  // Starts building its kernel.
  GatheredRows(const FilterContext& context, const std::array<std::int64_t, 3>& size,
               const std::array<std::int64_t, 3>& anchor);

  // As the members of FilterStep.
  void needSlices(const Range& outputs, std::vector<bool>& needed) const;
  void needBytes(std::int64_t slices, SlotBytes& bytes) const;
  void finish(const Control& control);
  void compute(DeviceRun& run, const FilterTile& tile, const DeviceRun::Progress& finished);

  // Large enough for the last vector of outputs to read all its boxes.
  [[nodiscard]] std::int64_t pitch() const;
  [[nodiscard]] std::int64_t rowsY() const;
  // Numbers in a row of outputs.
  [[nodiscard]] std::int64_t length() const;

 private:
  [[nodiscard]] Device& device() const { return c_.engine->device(); }
  [[nodiscard]] std::int64_t width() const;
  [[nodiscard]] Range region(std::size_t axis) const { return {c_.region().begin[axis], c_.region().end[axis]}; }
  [[nodiscard]] std::vector<std::int32_t> places(std::size_t axis, const Range& outputs) const;

  FilterContext c_;
  std::array<std::int64_t, 3> size_, anchor_;
  OwnBuffer xTable_, yTable_, zTable_;
  KernelStage gather_;
};

}  // namespace sscope
