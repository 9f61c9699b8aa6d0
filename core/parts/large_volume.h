#pragma once
// A volume larger than memory that people look at: its overview, and the planes that are read when they are seen.

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/base/control.h"
#include "core/boundary/boundary.h"
#include "core/parts/overview.h"
#include "core/parts/sparse_volume.h"
#include "core/volume/volume_stream.h"

namespace sscope::reach {

class LargeVolume {
 public:
  // Planes that stay in memory as long as this lives. It must not outlive the volume.
  class Held {
   public:
    Held() = default;
    Held(Held&& other) noexcept : of_(std::exchange(other.of_, nullptr)), planes_(std::move(other.planes_)) {}
    Held& operator=(Held&& other) noexcept {
      std::swap(of_, other.of_);
      std::swap(planes_, other.planes_);
      return *this;
    }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    ~Held() {
      if (of_ != nullptr) of_->release(planes_);
    }

   private:
    friend class LargeVolume;
    Held(LargeVolume& of, std::vector<Range> planes) : of_(&of), planes_(std::move(planes)) {}
    LargeVolume* of_ = nullptr;
    std::vector<Range> planes_;
  };

  // Reads all of `source` for the overview. `memory`: bytes that it may take in all; an eighth of it, at most 256 MiB,
  // is the overview's. Throws as overviewOf.
  LargeVolume(std::unique_ptr<VolumeSource> source, std::int64_t memory, const Control& control);
  // Reads nothing: the overview is there.
  LargeVolume(Overview overview, std::unique_ptr<VolumeSource> source, std::int64_t memory);
  // Of an overview, where all may take `memory`.
  [[nodiscard]] static std::int64_t overviewBytes(std::int64_t memory);

  [[nodiscard]] const VolumeInfo& info() const { return source_->info(); }
  // Of the extents of the file; it has voxels only in planes that are held, and zeros elsewhere.
  [[nodiscard]] const Volume& volume() const { return sparse_.volume(); }
  [[nodiscard]] const Overview& overview() const { return overview_; }
  // Across which planes lie.
  [[nodiscard]] std::size_t axis() const { return sparse_.axis(); }
  // Whether single planes can be held. Not where one takes more than the quarter of the memory that planes have.
  [[nodiscard]] bool holdsPlanes() const { return whyNoPlanes().empty(); }
  // Half a sentence; empty: they can.
  [[nodiscard]] const std::string& whyNoPlanes() const { return whyNoPlanes_; }
  // Whether they can be, and for the cost of their own bytes. Not where all before them have to be unpacked first.
  [[nodiscard]] bool readsPlanes() const { return holdsPlanes() && source_->anyOrder(); }
  // The most planes that can be held at once.
  [[nodiscard]] std::int64_t mostPlanes() const { return most_; }

  // Reads those of these planes (ascending ranges that do not touch) that are not there. From any thread; one reads at
  // a time. Throws Error(Unsupported) where holdsPlanes() is false, Error(Memory) where there are more than
  // mostPlanes(), what reading throws, Canceled.
  [[nodiscard]] Held hold(std::vector<Range> planes, const Control& control);
  // A plane by itself. Throws as hold().
  [[nodiscard]] Volume plane(std::int64_t at, const Control& control);

 private:
  struct Plane {
    bool there = false;
    int holders = 0;
    std::uint64_t used = 0;  // when it was last held, counted
  };
  void release(const std::vector<Range>& planes);
  void readMissing(const std::vector<Range>& planes, const Control& control);
  // Planes that nobody holds lose their memory, those that were used first at first, until `coming` more have room.
  void makeRoom(std::int64_t coming);

  std::unique_ptr<VolumeSource> source_;
  SparseVolume sparse_;
  std::int64_t most_;
  std::string whyNoPlanes_;
  Overview overview_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool reading_ = false;
  std::uint64_t uses_ = 0;
  std::vector<Plane> planes_;
};

}  // namespace sscope::reach
