#pragma once
// Scratch memory of threads, and its limits.

#include <cstddef>
#include <cstdint>
#include <memory>

namespace sscope::cpu {

// One thread's memory, reused from tile to tile. Aligned to 64 bytes.
class Scratch {
 public:
  explicit Scratch(std::int64_t bytes);
  [[nodiscard]] std::byte* data() const { return data_.get(); }

 private:
  struct Release {
    void operator()(std::byte* memory) const;
  };
  std::unique_ptr<std::byte, Release> data_;
};

// Divides scratch memory into consecutive aligned pieces.
class ScratchCarver {
 public:
  explicit ScratchCarver(const Scratch& scratch) : at_(scratch.data()) {}
  template <class T>
  [[nodiscard]] T* take(std::int64_t elements) {
    auto* piece = reinterpret_cast<T*>(at_);
    at_ += paddedBytes<T>(elements);
    return piece;
  }
  template <class T>
  [[nodiscard]] static std::int64_t paddedBytes(std::int64_t elements) {
    return (elements * static_cast<std::int64_t>(sizeof(T)) + 63) / 64 * 64;
  }

 private:
  std::byte* at_;
};

// The limit for all threads together, below the documented 64 MiB.
inline constexpr std::int64_t kScratchBudget = 48ll << 20;

struct TileLimits {
  std::int64_t cacheBytes = 1 << 20;    // a core's own (second-level) cache
  std::int64_t largestBytes = 1 << 24;  // of one thread's scratch, if tiles can be made that small
  int threads = 1;
};

// The limits for the tiles of each of `threads` threads.
[[nodiscard]] TileLimits tileLimits(int threads);

// Rounds up so that rows start on cache lines and do not all map to the same cache sets.
template <class T>
[[nodiscard]] std::int64_t rowStride(std::int64_t elements) {
  constexpr std::int64_t kLine = 64 / static_cast<std::int64_t>(sizeof(T));
  return ((elements + kLine - 1) / kLine | 1) * kLine;
}

}  // namespace sscope::cpu
