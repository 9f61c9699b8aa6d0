#include "gpu/device/transfer.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>

#include "core/base/error.h"
#include "gpu/device/wait.h"

namespace sscope {

namespace {

constexpr std::size_t kDirectPiece = 16 << 20;
constexpr std::size_t kRingPiece = 4 << 20;
constexpr std::size_t kWorthStaging = 1 << 20;

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

// One core does not copy as fast as the bus does.
void copyInParallel(std::byte* to, const std::byte* from, std::size_t bytes) {
  constexpr std::size_t kChunk = 512 << 10;
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, (bytes + kChunk - 1) / kChunk, 1),
      [&](const tbb::blocked_range<std::size_t>& range) {
        const std::size_t begin = range.begin() * kChunk, end = std::min(range.end() * kChunk, bytes);
        std::memcpy(to + begin, from + begin, end - begin);
      },
      tbb::simple_partitioner());
}

}  // namespace

struct Transfer::Settled {
  explicit Settled(Transfer& t) : transfer(t) {}
  ~Settled() {
    for (Slot& slot : transfer.ring_) {
      try {
        if (slot.event) waitFor(*slot.event, Control{});
      } catch (const Error&) {
        // The first failure is being told already.
      }
      slot.event.reset();
    }
  }
  Settled(const Settled&) = delete;
  Settled& operator=(const Settled&) = delete;
  Transfer& transfer;
};

bool Transfer::staged(std::size_t bytes) {
  if (bytes < kWorthStaging) return false;
  for (Slot& slot : ring_)
    if (!slot.memory) slot.memory = device_.allocatePinned(kRingPiece);
  return ring_.back().memory != nullptr;
}

void Transfer::write(const DeviceBuffer& buffer, std::int64_t offset, std::span<const std::byte> data,
                     const Control& control) {
  const auto placeOf = [&](std::size_t at) { return offset + static_cast<std::int64_t>(at); };
  if (!staged(data.size())) {
    for (std::size_t at = 0; at < data.size(); at += kDirectPiece)
      waitFor(*device_.write(buffer, placeOf(at), data.subspan(at, std::min(kDirectPiece, data.size() - at))), control);
    return;
  }
  const Settled settled(*this);
  for (std::size_t at = 0, i = 0; at < data.size(); at += kRingPiece, ++i) {
    Slot& slot = ring_[i % ring_.size()];
    if (slot.event) waitFor(*slot.event, control);
    const auto piece = slot.memory->bytes().first(std::min(kRingPiece, data.size() - at));
    copyInParallel(piece.data(), data.data() + at, piece.size());
    slot.event = device_.write(buffer, placeOf(at), piece);
  }
  for (Slot& slot : ring_)
    if (slot.event) waitFor(*slot.event, control);
}

void Transfer::read(const DeviceBuffer& buffer, std::int64_t offset, std::span<std::byte> data,
                    const Control& control) {
  const auto placeOf = [&](std::size_t at) { return offset + static_cast<std::int64_t>(at); };
  if (!staged(data.size())) {
    for (std::size_t at = 0; at < data.size(); at += kDirectPiece)
      waitFor(*device_.read(buffer, placeOf(at), data.subspan(at, std::min(kDirectPiece, data.size() - at))), control);
    return;
  }
  const Settled settled(*this);
  const std::size_t count = (data.size() + kRingPiece - 1) / kRingPiece;
  const auto pieceOf = [&](std::size_t i) {
    return ring_[i % ring_.size()].memory->bytes().first(std::min(kRingPiece, data.size() - i * kRingPiece));
  };
  const auto start = [&](std::size_t i) {
    ring_[i % ring_.size()].event = device_.read(buffer, placeOf(i * kRingPiece), pieceOf(i));
  };
  for (std::size_t i = 0; i < std::min(count, ring_.size()); ++i) start(i);
  for (std::size_t i = 0; i < count; ++i) {
    waitFor(*ring_[i % ring_.size()].event, control);
    const auto piece = pieceOf(i);
    copyInParallel(data.data() + i * kRingPiece, piece.data(), piece.size());
    if (i + ring_.size() < count) start(i + ring_.size());
  }
}

void Transfer::uploadSlices(const ConstArrayView& view, std::span<const std::int64_t> slices,
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
      write(buffer, i * bytes, {sliceAt(view, slices[at]), static_cast<std::size_t>(run * bytes)}, control);
    }
    return;
  }
  std::vector<std::byte> packed(static_cast<std::size_t>(bytes));
  for (std::int64_t i = 0; i < count; ++i) {
    forEachElement(view, slices[static_cast<std::size_t>(i)], [&](std::int64_t at, const std::byte* element) {
      std::memcpy(packed.data() + at, element, static_cast<std::size_t>(size));
    });
    write(buffer, i * bytes, packed, control);
  }
}

void Transfer::downloadSlices(const DeviceBuffer& buffer, const ArrayView& view, std::int64_t first, std::int64_t count,
                              const Control& control, std::int64_t offset) {
  const std::int64_t bytes = sliceBytes(view.extent, view.type);
  const auto size = static_cast<std::int64_t>(bytesOf(view.type));
  const bool dense = denseSlice(view);
  if (dense && (view.stride[2] * size == bytes || count == 1)) {
    read(buffer, offset, {sliceAt(view, first), static_cast<std::size_t>(count * bytes)}, control);
    return;
  }
  std::vector<std::byte> packed(dense ? 0 : static_cast<std::size_t>(bytes));
  for (std::int64_t i = 0; i < count; ++i) {
    std::byte* target = dense ? sliceAt(view, first + i) : packed.data();
    read(buffer, offset + i * bytes, {target, static_cast<std::size_t>(bytes)}, control);
    if (!dense)
      forEachElement(view, first + i, [&](std::int64_t at, std::byte* element) {
        std::memcpy(element, packed.data() + at, static_cast<std::size_t>(size));
      });
  }
}

}  // namespace sscope
