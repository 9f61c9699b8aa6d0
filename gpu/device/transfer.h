#pragma once
// Moving host arrays to and from a device while nothing else runs there, in pieces short enough to be canceled between.
// Large arrays go through pinned memory (gpu/device/copies.h).

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/control.h"
#include "core/volume/array_view.h"
#include "gpu/device/copies.h"
#include "gpu/device/device.h"

namespace sscope {

// For one thread at a time. When a function throws, no transfer is pending any more.
class Transfer {
 public:
  explicit Transfer(Device& device) : device_(device), pieces_(device) {}

  // Offsets in bytes; the data is contiguous.
  void write(const DeviceBuffer& buffer, std::int64_t offset, std::span<const std::byte> data, const Control& control);
  void read(const DeviceBuffer& buffer, std::int64_t offset, std::span<std::byte> data, const Control& control);

  // Copies the slices `slices` of the view, in this order and densely packed, to the start of the buffer.
  void uploadSlices(const ConstArrayView& view, std::span<const std::int64_t> slices, const DeviceBuffer& buffer,
                    const Control& control);
  // Copies `count` densely packed slices, from byte `offset` of the buffer on, into the view's slices from `first` on.
  void downloadSlices(const DeviceBuffer& buffer, const ArrayView& view, std::int64_t first, std::int64_t count,
                      const Control& control, std::int64_t offset = 0);
  // Both allocate host memory for one slice if the view is not dense.

  // For copies beside kernels, while none of the functions above runs.
  [[nodiscard]] PinnedPieces& pieces() { return pieces_; }

 private:
  Device& device_;
  PinnedPieces pieces_;
};

}  // namespace sscope
