#pragma once
// A part of a run that is cut into tiles: one group of filters, one method.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/cpu/run/kernel_table.h"
#include "core/volume/array_view.h"

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

// Hands out consecutive aligned pieces of a scratch.
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

struct TileRun {
  ConstArrayView input;
  std::span<const ArrayView> outputs;
  const Control& control;
  std::span<std::atomic<std::int64_t>> saturated;  // per output
  bool streaming = false;                          // outputs exceed the caches: write past them
};

struct TileLimits {
  std::int64_t cacheBytes = 1 << 20;    // a core's own (second-level) cache
  std::int64_t largestBytes = 1 << 24;  // of one thread's scratch, where tiles can be made that small
  int threads = 1;
};

class TileStep {
 public:
  virtual ~TileStep() = default;
  [[nodiscard]] virtual std::int64_t tiles() const = 0;
  [[nodiscard]] virtual std::int64_t scratchBytes() const = 0;  // per thread
  // Multiply-adds of the whole step, to weigh its share of the progress.
  [[nodiscard]] virtual double work() const = 0;
  [[nodiscard]] virtual std::string description() const = 0;
  // Fills one tile of this step's outputs. Any thread. Looks at the control at least every 20 ms.
  virtual void runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const = 0;
};

// Rounds up so that rows start on cache lines and do not all fall into the same cache sets.
template <class T>
[[nodiscard]] std::int64_t rowStride(std::int64_t elements) {
  constexpr std::int64_t kLine = 64 / static_cast<std::int64_t>(sizeof(T));
  return ((elements + kLine - 1) / kLine | 1) * kLine;
}

}  // namespace sscope::cpu
