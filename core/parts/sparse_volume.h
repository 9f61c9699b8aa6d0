#pragma once
// A volume that has an address for every voxel and memory for some planes only: what reads parts of a volume need not
// know that the rest is not there.

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/volume/volume.h"
#include "core/volume/volume_io.h"

namespace sscope::reach {

class SparseVolume {
 public:
  // Large pages are filled sooner where many planes follow each other; small ones take no more memory than single
  // planes have.
  enum class Pages { Large, Small };
  // Takes addresses and no memory. Planes lie across slowestAxis(). Throws Error(Memory) where the process may not have
  // so many addresses (ulimit -v).
  explicit SparseVolume(const VolumeOutline& outline, Pages pages = Pages::Large);
  // A dense array without geometry.
  explicit SparseVolume(const ArraySpec& spec);

  [[nodiscard]] const Volume& volume() const { return volume_; }
  [[nodiscard]] std::size_t axis() const { return axis_; }
  [[nodiscard]] std::int64_t planes() const { return planes_; }
  [[nodiscard]] std::int64_t planeBytes() const { return volume_.bytes() / planes_; }
  [[nodiscard]] std::byte* plane(std::int64_t index) { return volume_.data() + index * planeBytes(); }
  // To be filled; what is written first takes memory.
  [[nodiscard]] std::span<std::byte> planesFrom(std::int64_t begin, std::int64_t end);
  // Gives the memory of these planes back, but for pages that they share with others. Nobody may read them before they
  // are filled again.
  void drop(std::int64_t begin, std::int64_t end);

 private:
  Volume volume_;
  std::size_t axis_ = 2;
  std::int64_t planes_ = 1;
};

}  // namespace sscope::reach
