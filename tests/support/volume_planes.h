#pragma once
// The planes of a volume in memory as those of a file.

#include <atomic>
#include <cstring>
#include <stdexcept>

#include "core/base/error.h"
#include "core/volume/volume_stream.h"

namespace sscope::test {

// Counts what is read, and may fail at a plane.
class VolumePlanes final : public VolumeSource {
 public:
  explicit VolumePlanes(const Volume& volume) : volume_(volume) {
    info_.shape = volume.shape();
    info_.type = volume.type();
    info_.geometry = volume.geometry();
  }
  [[nodiscard]] const VolumeInfo& info() const override { return info_; }
  [[nodiscard]] bool anyOrder() const override { return any; }
  void read(std::int64_t begin, std::int64_t end, std::span<std::byte> voxels, const Control& control) override {
    control.check();
    if (failsAt >= begin && failsAt < end) throw Error(ErrorKind::BadData, "cannot read it: it became shorter");
    const std::int64_t plane = volume_.bytes() / volume_.spec().extent[slowestAxis(volume_.spec().extent)];
    if (static_cast<std::int64_t>(voxels.size()) != (end - begin) * plane) throw std::logic_error("another room");
    std::memcpy(voxels.data(), volume_.data() + begin * plane, voxels.size());
    planes += end - begin;
  }
  std::atomic<std::int64_t> planes = 0, failsAt = -1;
  bool any = true;

 private:
  const Volume& volume_;
  VolumeInfo info_;
};

}  // namespace sscope::test
