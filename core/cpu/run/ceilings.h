#pragma once
// Rates of the processor as measured on this machine: its ceilings, the bandwidth of memory, its clock.

#include <cstdint>
#include <functional>

#include "core/base/control.h"
#include "core/cpu/run/kernel_table.h"
#include "core/cpu/run/scratch.h"
#include "core/engine/engine.h"

namespace sscope::cpu {

// The processor's measured ceilings.

// Runs register-only multiply-adds and a copy far larger than the last cache on `threads` threads at once,
// about a second in all. Throws Canceled.
[[nodiscard]] Ceilings measureCeilings(const KernelTable& kernels, int threads, const Control& control);

// Memory bandwidth: a copy far larger than the last cache.

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

// The processor's clock from the time that a chain of dependent instructions takes.

// MHz of the core that the calling thread is on; takes some 0.2 ms. A multiplication of 64-bit integers waits three
// cycles for the one before it on Intel's processors since 2008 and on AMD's since 2017; elsewhere the figure is off by
// a constant factor, which comparisons do not feel. 0 where this program has no such chain.
[[nodiscard]] double serialMegahertz();

}  // namespace sscope::cpu
