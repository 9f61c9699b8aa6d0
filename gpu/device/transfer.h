#pragma once
// Copies between the host's arrays and buffers of a device.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/control.h"
#include "core/volume/array_view.h"
#include "gpu/device/copies.h"
#include "gpu/device/device.h"

namespace sscope {

// Slices of array views in host memory.

// True if the slices have the layout of devices: components innermost, no gaps within a slice.
template <class View>
[[nodiscard]] bool denseSlices(const View& v) {
  const auto [nx, ny, nz, nc] = v.extent;
  return (nc == 1 || v.stride[3] == 1) && (nx == 1 || v.stride[0] == nc) && (ny == 1 || v.stride[1] == nx * nc);
}

template <class View>
[[nodiscard]] std::int64_t sliceBytes(const View& v) {
  return v.extent[0] * v.extent[1] * v.extent[3] * static_cast<std::int64_t>(bytesOf(v.type));
}

// True if the slices follow each other without gaps.
template <class View>
[[nodiscard]] bool neighborsTouch(const View& v) {
  return v.stride[2] * static_cast<std::int64_t>(bytesOf(v.type)) == sliceBytes(v);
}

template <class View>
[[nodiscard]] auto* sliceAt(const View& view, std::int64_t z) {
  return view.data + z * view.stride[2] * static_cast<std::int64_t>(bytesOf(view.type));
}

// Calls f(place, memory) for runs of `slices` that are contiguous in the view, whose slices are dense: the index of the
// first in `slices`, and the run's bytes.
template <class View, class F>
void forEachRun(const View& view, std::span<const std::int64_t> slices, F&& f) {
  const auto bytes = static_cast<std::size_t>(sliceBytes(view));
  const bool touch = neighborsTouch(view);
  for (std::size_t i = 0, run = 0; i < slices.size(); i += run) {
    run = 1;
    while (touch && i + run < slices.size() && slices[i + run] == slices[i] + static_cast<std::int64_t>(run)) ++run;
    f(static_cast<std::int64_t>(i), std::span(sliceAt(view, slices[i]), run * bytes));
  }
}

// Calls f(dense position, pointer to the element of the view), both in bytes, for every element of a slice.
template <class View, class F>
void forEachElement(const View& view, std::int64_t z, F&& f) {
  std::int64_t i = 0;
  const auto size = static_cast<std::int64_t>(bytesOf(view.type));
  for (std::int64_t y = 0; y < view.extent[1]; ++y)
    for (std::int64_t x = 0; x < view.extent[0]; ++x)
      for (std::int64_t c = 0; c < view.extent[3]; ++c, ++i) f(i * size, view.data + view.offset(x, y, z, c) * size);
}

// Moving host arrays to and from a device while nothing else runs there, in pieces short enough to be canceled between.
// Large arrays go through pinned memory (gpu/device/copies.h).

// For one thread at a time. When a function throws, no transfer is pending.
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
