#pragma once
// A fingerprint of voxels: 32 hexadecimal digits that depend on extents, type and the bytes of every voxel, and not on
// the pieces or on the number of ranks (docs/manual/file-formats.md). It detects changes, but it is not cryptographic.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/base/control.h"
#include "core/volume/volume.h"

namespace sscope {

// Planes lie across the slowest axis, as those of a VolumeSource.
class FingerprintSum {
 public:
  FingerprintSum(const VolumeShape& shape, ElementType type);

  // Adds whole planes from `begin` on; planes may come in any order, each once.
  void add(std::int64_t begin, std::span<const std::byte> planes);
  // Adds the next bytes in the order of a Volume, any number.
  void follow(std::span<const std::byte> voxels);
  // Adds the planes of another sum of the same volume.
  FingerprintSum& operator+=(const FingerprintSum& other);

  // A sum for the same volume without any planes.
  [[nodiscard]] FingerprintSum empty() const { return {shape_, type_}; }

  // Empty while planes are missing.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::int64_t planes() const { return planes_; }

  // The state that ranks send each other.
  struct Seen {
    std::uint64_t low = 0, high = 0;
    std::int64_t planes = 0;
  };
  [[nodiscard]] const Seen& seen() const { return seen_; }
  void take(const Seen& seen);

 private:
  static constexpr std::size_t kStripe = 64, kLanes = kStripe / 8;

  void begin();
  void absorb(std::span<const std::byte> bytes);
  void stripe(const std::byte* bytes);
  void end();

  VolumeShape shape_;
  ElementType type_;
  std::int64_t planes_, planeBytes_;
  Seen seen_;
  std::int64_t plane_ = 0;  // the current plane, and the bytes of it that were added
  std::int64_t behind_ = 0;
  std::uint64_t stripes_ = 0;
  std::array<std::uint64_t, kLanes> lanes_{};
  std::array<std::byte, kStripe> rest_{};
  std::size_t held_ = 0;  // of `rest_`
};

// The fingerprint of a whole volume, computed by all threads. Throws Canceled.
[[nodiscard]] std::string fingerprintOf(const Volume& volume, const Control& control);

}  // namespace sscope
