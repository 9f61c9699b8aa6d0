#pragma once
// Shared by the tuned methods: kernels over rows of any length, division into even pieces, threads with scratch.

#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/base/control.h"
#include "core/cpu/run/scratch.h"
#include "core/cpu/wavelet/magic/line_kernel.h"

namespace sscope::cpu {

// Divides `n` items into as few pieces of at most `most` as possible, of nearly equal size.
struct EvenPieces {
  std::int64_t n = 0, count = 1;
  EvenPieces(std::int64_t things, std::int64_t most) : n(things), count((things + most - 1) / most) {}
  [[nodiscard]] std::int64_t begin(std::int64_t piece) const { return piece * n / count; }
  [[nodiscard]] std::int64_t size(std::int64_t piece) const { return begin(piece + 1) - begin(piece); }
  [[nodiscard]] std::int64_t smallest() const { return n / count; }
  [[nodiscard]] std::int64_t largest() const { return (n + count - 1) / count; }
};

// A level and a source of kernels for rows of at least `width` elements: rows shorter than a vector are computed one
// value at a time.
struct LineChoice {
  SimdLevel level;
  LineSource source;
  LineLimits limits;
};
[[nodiscard]] LineChoice lineChoice(SimdLevel level, std::int64_t taps, LineSource source, std::int64_t width);

// Kernels for rows of any length of at least one step: the last block overlaps the one before it.
class RowKernel {
 public:
  RowKernel() = default;
  // Throws Error(Unsupported) where the source has no such kernel.
  RowKernel(const LineChoice& choice, std::span<const double> taps, const LinePattern& pattern);
  // Elements 0..elements-1.
  void run(LineJob job, std::int64_t elements) const {
    const std::int64_t step = kernel_->step(), whole = elements / step * step;
    job.begin = 0;
    job.end = whole;
    kernel_->run(job);
    if (whole == elements) return;
    job.begin = elements - step;
    job.end = elements;
    kernel_->run(job);
  }
  [[nodiscard]] std::int64_t step() const { return kernel_->step(); }

 private:
  std::unique_ptr<LineKernel> kernel_;
};

// Extends a periodic row of n elements by at least `before` and `after` elements. Writes up to 7 more on either side.
inline void extendRow(double* row, std::int64_t n, std::int64_t before, std::int64_t after) {
  constexpr std::int64_t kPiece = 8;  // copied without a call
  if (std::max(before, after) + kPiece <= n) {
    for (std::int64_t i = kPiece; i < before + kPiece; i += kPiece) std::memcpy(row - i, row + n - i, kPiece * 8);
    for (std::int64_t i = 0; i < after; i += kPiece) std::memcpy(row + n + i, row + i, kPiece * 8);
    return;
  }
  for (std::int64_t i = 0; i < before; ++i) row[-1 - i] = row[n - 1 - i % n];
  for (std::int64_t i = 0; i < after; ++i) row[n + i] = row[i % n];
}

// The threads of one method, each with its own scratch.
class Team {
 public:
  Team(int threads, std::int64_t scratchBytes);
  // Calls work(task, scratch) for every task, with a check for cancellation before each.
  void run(std::int64_t tasks, const Control& control,
           const std::function<void(std::int64_t task, const Scratch& scratch)>& work);
  [[nodiscard]] int threads() const { return static_cast<int>(scratch_.size()); }

 private:
  tbb::task_arena arena_;
  std::vector<Scratch> scratch_;
};

}  // namespace sscope::cpu
