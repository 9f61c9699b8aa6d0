#pragma once
// Planes of a file on their way into memory while earlier ones are used.

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "core/base/control.h"
#include "core/boundary/boundary.h"
#include "core/parts/sparse_volume.h"
#include "core/volume/volume_stream.h"

namespace sscope::reach {

// Told of planes when they are read for the first time, by the reading thread: each plane once, if all are needed.
using SeePlanes = std::function<void(std::int64_t begin, std::span<const std::byte> voxels)>;

class PlaneReader {
 public:
  // Reads for each of the parts the planes that it needs (ascending ranges that do not touch), in the order of the
  // parts; those of the next part while one is used. `source` and `volume` outlive it.
  PlaneReader(VolumeSource& source, SparseVolume& volume, std::vector<std::vector<Range>> needed, SeePlanes see);
  ~PlaneReader() = default;  // stops reading
  PlaneReader(const PlaneReader&) = delete;
  PlaneReader& operator=(const PlaneReader&) = delete;

  // Waits until the planes of a part are there. Throws what reading throws, or Canceled.
  void await(std::size_t part, const Control& control);
  // The parts up to this one are done: planes that the next one does not need lose their memory.
  void done(std::size_t part);
  // Planes that have been read, some more than once.
  [[nodiscard]] std::int64_t planesRead() const;

 private:
  void readAll(const std::stop_token& stop);
  void readMissing(std::size_t part, const std::stop_token& stop);

  VolumeSource& source_;
  SparseVolume& volume_;
  const std::vector<std::vector<Range>> needed_;
  const SeePlanes see_;
  std::vector<bool> there_, seen_;  // by plane
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::size_t ready_ = 0, done_ = 0;  // parts
  std::int64_t planesRead_ = 0;
  std::exception_ptr failure_;
  std::jthread reading_;  // last: it is the first to end
};

// The most planes that are in memory at once.
[[nodiscard]] std::int64_t mostPlanes(const std::vector<std::vector<Range>>& needed);

}  // namespace sscope::reach
