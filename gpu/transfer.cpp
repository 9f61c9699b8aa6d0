#include "gpu/transfer.h"

#include <algorithm>
#include <cstring>

#include "gpu/wait.h"

namespace sscope {

namespace {

constexpr std::int64_t kPieceBytes = 16 << 20;

// True when the slice lies in memory as the device wants it: components innermost, no gaps.
template <class View>
bool denseSlice(const View& v) {
  const auto [nx, ny, nz, nc] = v.extent;
  return (nc == 1 || v.stride[3] == 1) && (nx == 1 || v.stride[0] == nc) && (ny == 1 || v.stride[1] == nx * nc);
}

template <class View>
auto* sliceAt(const View& view, std::int64_t z) {
  return view.data + z * view.stride[2] * static_cast<std::int64_t>(bytesOf(view.type));
}

// Calls f(dense position, pointer to the element of the view) for every element of a slice.
template <class View, class F>
void forEachElement(const View& view, std::int64_t z, F&& f) {
  std::int64_t i = 0;
  const auto size = static_cast<std::int64_t>(bytesOf(view.type));
  for (std::int64_t y = 0; y < view.extent[1]; ++y)
    for (std::int64_t x = 0; x < view.extent[0]; ++x)
      for (std::int64_t c = 0; c < view.extent[3]; ++c, ++i) f(i * size, view.data + view.offset(x, y, z, c) * size);
}

std::int64_t sliceBytes(const std::array<std::int64_t, 4>& extent, ElementType type) {
  return extent[0] * extent[1] * extent[3] * static_cast<std::int64_t>(bytesOf(type));
}

void writePieces(Device& device, const DeviceBuffer& buffer, std::int64_t offset, const std::byte* data,
                 std::int64_t bytes, const Control& control) {
  for (std::int64_t at = 0; at < bytes; at += kPieceBytes) {
    const auto n = static_cast<std::size_t>(std::min(kPieceBytes, bytes - at));
    waitFor(*device.write(buffer, offset + at, {data + at, n}), control);
  }
}

void readPieces(Device& device, const DeviceBuffer& buffer, std::int64_t offset, std::byte* data, std::int64_t bytes,
                const Control& control) {
  for (std::int64_t at = 0; at < bytes; at += kPieceBytes) {
    const auto n = static_cast<std::size_t>(std::min(kPieceBytes, bytes - at));
    waitFor(*device.read(buffer, offset + at, {data + at, n}), control);
  }
}

}  // namespace

void uploadSlices(Device& device, const ConstArrayView& view, std::span<const std::int64_t> slices,
                  const DeviceBuffer& buffer, const Control& control) {
  const std::int64_t bytes = sliceBytes(view.extent, view.type);
  const auto size = static_cast<std::int64_t>(bytesOf(view.type));
  const auto count = static_cast<std::int64_t>(slices.size());
  if (denseSlice(view)) {
    for (std::int64_t i = 0, run = 0; i < count; i += run) {  // neighbors in memory go together
      const auto at = static_cast<std::size_t>(i);
      run = 1;
      while (view.stride[2] * size == bytes && i + run < count &&
             slices[static_cast<std::size_t>(i + run)] == slices[at] + run)
        ++run;
      writePieces(device, buffer, i * bytes, sliceAt(view, slices[at]), run * bytes, control);
    }
    return;
  }
  std::vector<std::byte> packed(static_cast<std::size_t>(bytes));
  for (std::int64_t i = 0; i < count; ++i) {
    forEachElement(view, slices[static_cast<std::size_t>(i)], [&](std::int64_t at, const std::byte* element) {
      std::memcpy(packed.data() + at, element, static_cast<std::size_t>(size));
    });
    writePieces(device, buffer, i * bytes, packed.data(), bytes, control);
  }
}

void downloadSlices(Device& device, const DeviceBuffer& buffer, const ArrayView& view, std::int64_t first,
                    std::int64_t count, const Control& control) {
  const std::int64_t bytes = sliceBytes(view.extent, view.type);
  const auto size = static_cast<std::int64_t>(bytesOf(view.type));
  const bool dense = denseSlice(view);
  if (dense && (view.stride[2] * size == bytes || count == 1)) {
    readPieces(device, buffer, 0, sliceAt(view, first), count * bytes, control);
    return;
  }
  std::vector<std::byte> packed(dense ? 0 : static_cast<std::size_t>(bytes));
  for (std::int64_t i = 0; i < count; ++i) {
    std::byte* target = dense ? sliceAt(view, first + i) : packed.data();
    readPieces(device, buffer, i * bytes, target, bytes, control);
    if (!dense)
      forEachElement(view, first + i, [&](std::int64_t at, std::byte* element) {
        std::memcpy(element, packed.data() + at, static_cast<std::size_t>(size));
      });
  }
}

}  // namespace sscope
