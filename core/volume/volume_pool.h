#pragma once
// The memory of volumes that nobody holds any more, kept for the next of the same size: fresh pages take the system as
// long as a small filter takes (6 ms for 64 MiB).

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/volume/volume.h"

namespace sscope {

// Volumes outlive their pool and may be dropped by any thread.
class VolumePool {
 public:
  VolumePool();

  // Uninitialized, as Volume's own. `alike`: how many of this size are made together, and kept at most. What was kept
  // of another size is released. Throws as Volume's constructor.
  [[nodiscard]] Volume make(const VolumeShape& shape, ElementType type, const Geometry& geometry, std::size_t alike);
  // Bytes that lie here unused; at most a GiB, and no more than an eighth of what the machine had left when they came.
  [[nodiscard]] std::int64_t kept() const;
  void release();

 private:
  struct Shelf;
  std::shared_ptr<Shelf> shelf_;
};

}  // namespace sscope
