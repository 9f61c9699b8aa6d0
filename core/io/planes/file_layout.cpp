#include "core/io/planes/file_layout.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "core/io/base/chunked_file.h"
#include "core/io/planes/located.h"

namespace sscope::io {

namespace {

constexpr std::int64_t kPutBytes = std::int64_t{1} << 20;

// Values of groups of components, gathered from the voxels of a Volume.
class Gather {
 public:
  Gather(const FileLayout& layout, std::int64_t begin, std::span<const std::byte> voxels)
      : layout_(layout), voxels_(voxels), valueBytes_(bytesOf(layout.volume.type)) {
    const VolumeShape& shape = layout.volume.shape;
    components_ = shape.components;
    each_ = layout.order.each > 0 ? layout.order.each : components_;
    groups_ = components_ / each_;
    slice_ = shape.nx * shape.ny;
    first_ = begin * (shape.voxels() / layout.planes());
    count_ = static_cast<std::int64_t>(voxels.size() / valueBytes_) / components_;
    piece_ = std::max<std::int64_t>(1, kPutBytes / (each_ * static_cast<std::int64_t>(valueBytes_)));
  }

  void run(const PutBytes& put, const Control& control) {
    const std::int64_t times = layout_.order.times, channels = groups_ / times;
    for (std::int64_t p = 0; p < groups_; ++p) {
      const std::int64_t group = p % times * channels + p / times;
      for (std::int64_t done = 0, part = 0; done < count_; done += part) {
        control.check();
        const std::int64_t voxel = first_ + done;
        part = std::min(piece_, count_ - done);
        std::int64_t at = p * layout_.volume.shape.voxels() + voxel;  // in voxels of a group
        if (layout_.order.bySlices) {
          const std::int64_t z = voxel / slice_, inSlice = voxel % slice_;
          part = std::min(part, slice_ - inSlice);
          at = ((p % times * layout_.volume.shape.nz + z) * channels + p / times) * slice_ + inSlice;
        }
        put(layout_.voxelOffset() + at * each_ * static_cast<std::int64_t>(valueBytes_), values(group, done, part));
        if (count_ == layout_.volume.shape.voxels())
          control.report(static_cast<double>(p * count_ + done) / static_cast<double>(groups_ * count_), "writing");
      }
    }
  }

 private:
  std::span<const std::byte> values(std::int64_t group, std::int64_t done, std::int64_t count) {
    const auto groupBytes = static_cast<std::size_t>(each_) * valueBytes_,
               voxelBytes = static_cast<std::size_t>(components_) * valueBytes_;
    const std::byte* const from =
        voxels_.data() + static_cast<std::size_t>(done) * voxelBytes + static_cast<std::size_t>(group) * groupBytes;
    const std::size_t bytes = static_cast<std::size_t>(count) * groupBytes;
    if (groups_ == 1 && !layout_.swapped) return {from, bytes};
    gathered_.resize(bytes);
    if (groups_ == 1) {
      std::memcpy(gathered_.data(), from, bytes);
    } else {
      for (std::size_t v = 0; v < static_cast<std::size_t>(count); ++v)
        std::memcpy(gathered_.data() + v * groupBytes, from + v * voxelBytes, groupBytes);
    }
    if (layout_.swapped) swapBytes(gathered_, valueBytes_);
    return gathered_;
  }

  const FileLayout& layout_;
  std::span<const std::byte> voxels_;
  std::size_t valueBytes_;
  std::int64_t components_ = 1, each_ = 1, groups_ = 1;
  std::int64_t slice_ = 1, first_ = 0, count_ = 0, piece_ = 1;  // in voxels
  std::vector<std::byte> gathered_;
};

}  // namespace

std::int64_t FileLayout::planes() const { return planesOf(volume.shape); }

std::int64_t FileLayout::fileBytes() const {
  return static_cast<std::int64_t>(before.size() + after.size()) + volume.bytes();
}

void placePlanes(const FileLayout& layout, std::int64_t begin, std::span<const std::byte> voxels, const PutBytes& put,
                 const Control& control) {
  const std::int64_t planeBytes = layout.planeBytes();
  const auto given = static_cast<std::int64_t>(voxels.size());
  if (begin < 0 || given % planeBytes != 0 || begin + given / planeBytes > layout.planes())
    throw std::logic_error("planes that a file does not have");
  Gather(layout, begin, voxels).run(put, control);
}

}  // namespace sscope::io
