#pragma once
// The copies of a run that computes its outputs slab by slab along z, made while kernels run: slices of the input
// arrive in the order in which slabs need them, and a slab of results leaves while the next is computed into another
// buffer.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/stopwatch.h"
#include "gpu/device/copies.h"
#include "gpu/run/device_run.h"

namespace sscope {

// For one run, by the thread that runs it. Whatever is thrown, nothing is under way once this is gone.
class SlabCopies {
 public:
  // kInput holds the whole first input of the run. Kernels write slabs to `outputs`, as many at once as there are
  // outputs that are computed together; `spare` slots of the same size replace their buffers in turn. Where slices do
  // not lie densely in the host's memory, copies are waited for.
  SlabCopies(DeviceRun& run, std::span<const Slot> outputs, std::span<const Slot> spare);

  // Begins to copy the input unless it is there from an earlier run; `needed`: of each slab, by slice, whether it needs
  // the slice. What no slab needs is copied only if the input is to stay.
  void upload(std::span<const std::vector<bool>> needed);
  // Until kernels may read what this slab needs.
  void waitForInput(std::size_t slab);
  // Puts a buffer that no copy reads into slot number `from` of the results; before every slab of each output.
  void renewOutput(std::size_t from);
  // Begins to copy `count` slices from there into an output, from its slice `first` on.
  void download(std::size_t from, std::size_t output, std::int64_t first, std::int64_t count);
  // Waits for all copies, and counts them in the report.
  void finish();

 private:
  // A slot, and the copy that reads from its buffer.
  struct Target {
    Slot slot;
    std::optional<std::size_t> read{};
  };
  std::size_t copyUp(std::span<const std::int64_t> slices);
  [[nodiscard]] ResidentInput wanted() const;

  DeviceRun& run_;
  Stopwatch watch_;
  const bool denseInput_, denseOutputs_;
  const double kernelBefore_, uploadBefore_, downloadBefore_;
  std::vector<Target> outputs_, spare_;
  std::size_t next_ = 0;                             // of spare_
  std::vector<std::optional<std::size_t>> uploads_;  // of each slab the last; empty: the input is there
  Copies copies_;
};

}  // namespace sscope
