#pragma once
// Counter-based random numbers, independent of the number of threads.

#include <complex>
#include <cstdint>

namespace sscope::lattice {

// G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number generators (2014): splitmix64.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t z) {
  z += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// 0 <= u < 1, 53 bits.
[[nodiscard]] constexpr double uniform(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

// Element k of hashFill().
[[nodiscard]] inline std::complex<double> hashAt(std::uint64_t k, std::uint64_t seed) {
  return {uniform(mix(seed + 2 * k)) - 0.5, uniform(mix(seed + 2 * k + 1)) - 0.5};
}

// A stream of numbers of one link in one sweep.
class Stream {
 public:
  Stream(std::uint64_t seed, std::uint64_t sweep, std::uint64_t link) : state_(mix(mix(mix(seed) ^ sweep) ^ link)) {}
  // 0 <= u < 1.
  [[nodiscard]] double next() {
    state_ += 0x9E3779B97F4A7C15u;
    return uniform(mix(state_));
  }

 private:
  std::uint64_t state_;
};

}  // namespace sscope::lattice
