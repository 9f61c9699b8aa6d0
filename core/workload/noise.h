#pragma once
// Default data for benchmarks: the same for the same seed on every machine.

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "core/base/control.h"
#include "core/volume/volume.h"

namespace sscope {

// Uniform noise in [0, 1).
class NoiseSource {
 public:
  explicit NoiseSource(std::uint64_t seed) : random_(static_cast<std::uint32_t>(seed ^ (seed >> 32))) {}
  [[nodiscard]] double next() { return static_cast<double>(random_()) * 0x1p-32; }
  // Skips this number of next() calls in some nanoseconds.
  void skip(std::int64_t count) { random_.discard(static_cast<unsigned long long>(count)); }

 private:
  std::mt19937 random_;
};

// Uniform over 0..1 for floats, and over the type's whole range, up to 24 bits, for integers. Throws Error(Memory),
// Canceled.
[[nodiscard]] Volume noiseVolume(const VolumeShape& shape, ElementType type, std::uint64_t seed,
                                 const Control& control);

// Consecutive elements of such a volume, and their destination.
struct NoiseRun {
  std::int64_t begin = 0, count = 0;
  std::byte* to = nullptr;
};
// Generates these elements alone, in any order, for ranks that hold a part of the volume. Throws Canceled.
void fillNoise(std::vector<NoiseRun> runs, ElementType type, std::uint64_t seed, const Control& control);

}  // namespace sscope
