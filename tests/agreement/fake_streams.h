#pragma once
// Files of planes that are only memory.

#include <cstdint>
#include <cstring>
#include <vector>

#include "core/base/error.h"
#include "core/volume/volume.h"
#include "core/volume/volume_stream.h"
#include "tests/support/catch.h"

namespace sscope::test {

// Counts what is read, and may fail at a plane.
class FakeSource final : public VolumeSource {
 public:
  explicit FakeSource(const Volume& volume) : volume_(volume) {
    info_.shape = volume.shape();
    info_.type = volume.type();
    info_.geometry = volume.geometry();
  }
  [[nodiscard]] const VolumeInfo& info() const override { return info_; }
  [[nodiscard]] bool anyOrder() const override { return true; }
  void read(std::int64_t begin, std::int64_t end, std::span<std::byte> voxels, const Control& control) override {
    control.check();
    if (failsAt >= begin && failsAt < end) throw Error(ErrorKind::BadData, "cannot read it: it became shorter");
    const std::int64_t plane = volume_.bytes() / volume_.spec().extent[slowestAxis(volume_.spec().extent)];
    REQUIRE(static_cast<std::int64_t>(voxels.size()) == (end - begin) * plane);
    std::memcpy(voxels.data(), volume_.data() + begin * plane, voxels.size());
    planes += end - begin;
  }
  std::int64_t planes = 0, failsAt = -1;

 private:
  const Volume& volume_;
  VolumeInfo info_;
};

class FakeSink final : public VolumeSink {
 public:
  explicit FakeSink(std::size_t bytes) : written(bytes, std::byte{0xEE}) {}
  [[nodiscard]] bool anyOrder() const override { return true; }
  void write(std::int64_t begin, std::span<const std::byte> voxels, const Control& control) override {
    control.check();
    if (begin >= failsAt) throw Error(ErrorKind::Io, "cannot write it: the disk is full");
    std::memcpy(written.data() + static_cast<std::size_t>(begin) * planeBytes, voxels.data(), voxels.size());
  }
  void finish(const Control& /*control*/) override { finished = true; }
  std::vector<std::byte> written;
  std::size_t planeBytes = 0;
  std::int64_t failsAt = 1 << 20;
  bool finished = false;
};

}  // namespace sscope::test
