#pragma once
// Files of planes that are only memory, data that arrive late, and what streamed jobs read and write.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/filter/job/streamed_filter.h"
#include "core/parts/slab_pipe.h"
#include "core/volume/volume.h"
#include "core/volume/volume_io.h"
#include "core/volume/volume_stream.h"
#include "tests/agreement/machine.h"
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

// A job's files.
struct Streamed {
  explicit Streamed(const Volume& input) : source(input), sparse(outlineOf(input)) {}

  StreamedFilter filterOf(const TestMachine& machine, const FilterJob& job, std::int64_t most) {
    return {.engines = machine.engines,
            .variants = machine.variants,
            .job = job,
            .source = source,
            .input = sparse,
            .memory = std::int64_t{1} << 40,
            .see = [this](std::int64_t,
                          std::span<const std::byte> voxels) { seen += static_cast<std::int64_t>(voxels.size()); },
            .mostPlanes = most};
  }
  void makeSinks(const FilterResult& whole, std::int64_t planes) {
    for (const Volume& output : whole.outputs) {
      auto sink = std::make_unique<FakeSink>(static_cast<std::size_t>(output.bytes()));
      sink->planeBytes = static_cast<std::size_t>(output.bytes() / planes);
      sinks.push_back(std::move(sink));
    }
  }
  [[nodiscard]] FakeSink& sink(std::size_t i) const { return dynamic_cast<FakeSink&>(*sinks.at(i)); }

  FakeSource source;
  reach::SparseVolume sparse;
  std::vector<std::unique_ptr<VolumeSink>> sinks;
  std::int64_t seen = 0;
};

// Bytes arrive when they are waited for, and not one earlier.
class LateVolume final : public ArrivingVolume {
 public:
  explicit LateVolume(const Volume& whole) : whole_(whole), late_(whole.shape(), whole.type(), whole.geometry()) {
    std::memset(late_.data(), 0xff, static_cast<std::size_t>(late_.bytes()));  // NaN, or the largest
  }
  [[nodiscard]] const VolumeInfo& info() const override { return info_; }
  [[nodiscard]] const Volume& volume() const override { return late_; }
  void await(std::int64_t bytes, const Control& control) override {
    control.check();
    if (bytes > fails) throw Error(ErrorKind::BadData, "the rest is missing");
    if (bytes > there_)
      std::memcpy(late_.data() + there_, whole_.data() + there_, static_cast<std::size_t>(bytes - there_));
    there_ = std::max(there_, bytes);
  }
  std::int64_t fails = std::int64_t{1} << 60;  // beyond so many bytes

 private:
  const Volume& whole_;
  Volume late_;
  VolumeInfo info_;
  std::int64_t there_ = 0;
};

struct Taken {
  std::string bytes;
  int pieces = 0;
  std::size_t largest = 0;  // piece
  bool ended = false;
};

inline reach::TakeVolume into(Taken& taken) {
  return [&taken](const VoxelPieces& pieces, const Control&) {
    for (auto piece = pieces(); !piece.empty(); piece = pieces(), ++taken.pieces) {
      taken.bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
      taken.largest = std::max(taken.largest, piece.size());
    }
    taken.ended = true;
  };
}

}  // namespace sscope::test
