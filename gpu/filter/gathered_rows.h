#pragma once
// The input as numbers of the arithmetic, with its boundary around it: what kernels read that know no boundary.

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "gpu/filter/context.h"

namespace sscope {

// In the slot Gathered: rows of pitch() numbers, rowsY() of them a slice, for boxes of `size` around every output.
class GatheredRows {
 public:
  // Starts building its kernel.
  GatheredRows(const FilterContext& context, const std::array<std::int64_t, 3>& size,
               const std::array<std::int64_t, 3>& anchor);

  // As the members of FilterStep.
  void needSlices(const Range& outputs, std::vector<bool>& needed) const;
  void needBytes(std::int64_t slices, SlotBytes& bytes) const;
  void finish(const Control& control);
  double run(const FilterTile& tile, const Control& control, const std::function<void(double)>& finished);

  // Long enough for the last vector of outputs to read all of its boxes.
  [[nodiscard]] std::int64_t pitch() const;
  [[nodiscard]] std::int64_t rowsY() const;
  // Numbers in a row of outputs.
  [[nodiscard]] std::int64_t length() const;

 private:
  [[nodiscard]] Device& device() const { return c_.engine->device(); }
  [[nodiscard]] std::int64_t width() const;
  [[nodiscard]] Range region(std::size_t axis) const { return {c_.region().begin[axis], c_.region().end[axis]}; }
  [[nodiscard]] std::vector<std::int32_t> places(std::size_t axis, const Range& outputs) const;
  [[nodiscard]] KernelSource source() const;
  // Without a workspace: arguments with which the kernel does nothing.
  [[nodiscard]] std::vector<KernelArgument> arguments(const Workspace* work) const;

  FilterContext c_;
  std::array<std::int64_t, 3> size_, anchor_;
  ProgramCache::Pending pending_;
  std::shared_ptr<CompiledKernel> kernel_;
  std::unique_ptr<DeviceBuffer> xTable_, yTable_, zTable_;
};

// The last two arguments of split launches (first, count), for kernels that are to do nothing.
void addNothing(std::vector<KernelArgument>& arguments);

}  // namespace sscope
