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
  // As so many next(), in some nanoseconds each.
  void skip(std::int64_t count) { random_.discard(static_cast<unsigned long long>(count)); }

 private:
  std::mt19937 random_;
};

// Over 0..1 for floats and the type's whole range for integers, up to 24 bits. Throws Error(Memory), Canceled.
[[nodiscard]] Volume noiseVolume(const VolumeShape& shape, ElementType type, std::uint64_t seed,
                                 const Control& control);

// Elements of such a volume that follow each other in memory, and where they are wanted.
struct NoiseRun {
  std::int64_t begin = 0, count = 0;
  std::byte* to = nullptr;
};
// These elements alone, in any order, for who has only a part of the volume. Throws Canceled.
void fillNoise(std::vector<NoiseRun> runs, ElementType type, std::uint64_t seed, const Control& control);

}  // namespace sscope
