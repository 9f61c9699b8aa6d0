#include "core/io/planes/file_layout.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "core/volume/array_view.h"

namespace sscope::io {

std::int64_t FileLayout::planes() const {
  const VolumeShape& s = volume.shape;
  const std::array<std::int64_t, 4> extent = {s.nx, s.ny, s.nz, s.components};
  return extent[slowestAxis(extent)];
}

std::int64_t FileLayout::fileBytes() const {
  return static_cast<std::int64_t>(before.size() + after.size()) + volume.bytes();
}

void placePlanes(const FileLayout& layout, std::int64_t begin, std::span<const std::byte> voxels, const PutBytes& put,
                 const Control& control) {
  constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
  const std::int64_t planeBytes = layout.planeBytes();
  const auto given = static_cast<std::int64_t>(voxels.size());
  if (begin < 0 || given % planeBytes != 0 || begin + given / planeBytes > layout.planes())
    throw std::logic_error("planes that a file does not have");
  if (layout.outerFrames == 0) {
    for (std::size_t done = 0; done < voxels.size(); done += kPieceBytes) {
      control.check();
      put(layout.voxelOffset() + begin * planeBytes + static_cast<std::int64_t>(done),
          voxels.subspan(done, std::min(kPieceBytes, voxels.size() - done)));
    }
    return;
  }
  const auto components = static_cast<std::size_t>(layout.volume.shape.components);
  const std::size_t bytes = bytesOf(layout.volume.type), times = static_cast<std::size_t>(layout.outerFrames);
  const std::size_t count = voxels.size() / (components * bytes), piece = kPieceBytes / bytes;
  const std::int64_t all = layout.volume.shape.voxels(), first = begin * (all / layout.planes());
  std::vector<std::byte> one(std::min(piece, count) * bytes);
  for (std::size_t p = 0; p < components; ++p) {
    const std::size_t c = p % times * (components / times) + p / times;
    for (std::size_t start = 0; start < count; start += piece) {
      control.check();
      const std::size_t part = std::min(piece, count - start);
      for (std::size_t v = 0; v < part; ++v)
        std::memcpy(one.data() + v * bytes, voxels.data() + ((start + v) * components + c) * bytes, bytes);
      const auto at = static_cast<std::int64_t>(p) * all + first + static_cast<std::int64_t>(start);
      put(layout.voxelOffset() + at * static_cast<std::int64_t>(bytes),
          std::span<const std::byte>(one).first(part * bytes));
    }
  }
}

}  // namespace sscope::io
