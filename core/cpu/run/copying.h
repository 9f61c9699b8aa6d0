#pragma once
// Memory bandwidth: a copy far larger than the last cache.

#include <cstdint>
#include <functional>

#include "core/base/control.h"
#include "core/cpu/run/kernel_table.h"
#include "core/cpu/run/scratch.h"

namespace sscope::cpu {

class Copying {
 public:
  // Bytes of each of the two arrays that are well beyond the last cache; when `sharers` copy at once, all of theirs
  // together. Never more than an eighth of the free memory.
  [[nodiscard]] static std::int64_t enough(int sharers = 1);
  // Of `bytes`, by so many threads at once. Kernels and control outlive this.
  Copying(const KernelTable& kernels, int threads, std::int64_t bytes, const Control& control);

  // Copies once and gives the seconds. Throws Canceled.
  double burst();
  // Bytes that a burst reads and writes, and the best burst's rate in GB/s.
  [[nodiscard]] double bytes() const { return 2.0 * static_cast<double>(bytes_); }
  [[nodiscard]] double gbs() const { return best_; }

 private:
  [[nodiscard]] float* source() const { return reinterpret_cast<float*>(from_.data()); }
  [[nodiscard]] float* target() const { return reinterpret_cast<float*>(to_.data()); }
  double inPieces(const std::function<void(std::int64_t begin, std::int64_t count)>& work) const;

  const KernelTable& kernels_;
  int threads_;
  const Control& control_;
  std::int64_t bytes_;
  Scratch from_, to_;
  double best_ = 0;
};

}  // namespace sscope::cpu
