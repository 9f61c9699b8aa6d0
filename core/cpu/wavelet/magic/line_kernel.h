#pragma once
// The convolution generator: one function makes the specialized kernel for given taps, pattern and SIMD level. A
// pattern is how many outputs along the taps and how many adjacent vectors stay in registers.

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
#include "core/cpu/run/simd_level.h"

namespace sscope::cpu {

enum class LineAxis : std::uint8_t {
  Across,  // the taps go from row to row: out[r][x] = sum over k of taps[k] * in[r + k][x]
  Along    // the taps go along the row: out[v][x] = sum over k of taps[k] * in[v][x + k]
};

struct LinePattern {
  LineAxis axis = LineAxis::Across;
  int outputs = 1;         // Across: rows of out; Along: vectors of one row of out
  int vectors = 1;         // Across: vectors of each row; Along: rows
  int ahead = 0;           // rows to prefetch (Across); 1 for one with every row, or 0 (Along)
  bool streaming = false;  // non-temporal stores; addresses must then be multiples of the vector's size
};

// Rows are given by pointers, so that they may be anywhere and repeat (periodic axes, rings of planes).
//   Across  in: taps + outputs - 1, out: outputs, ahead: LinePattern::ahead
//   Along   in, out and (where fetched) ahead: rows, a multiple of the pattern's vectors; reads elements begin .. end +
//   taps - 2
struct LineJob {
  const double* const* in = nullptr;
  double* const* out = nullptr;
  const double* const* ahead = nullptr;
  std::int64_t rows = 0;            // Along only
  std::int64_t begin = 0, end = 0;  // elements of the rows; end - begin is a multiple of LineKernel::step()
};

class LineKernel {
 public:
  virtual ~LineKernel() = default;
  virtual void run(const LineJob& job) const = 0;
  // Number of elements of a row that are computed at once.
  [[nodiscard]] std::int64_t step() const {
    return lanes_ * (pattern_.axis == LineAxis::Across ? pattern_.vectors : pattern_.outputs);
  }
  [[nodiscard]] const LinePattern& pattern() const { return pattern_; }

 protected:
  LineKernel(const LinePattern& pattern, std::int64_t lanes) : pattern_(pattern), lanes_(lanes) {}

 private:
  LinePattern pattern_;
  std::int64_t lanes_;
};

enum class LineSource : std::uint8_t {
  Best,       // generated machine code where possible
  Generated,  // null if code cannot be generated
  Portable    // compiled C++
};

// The largest pattern that a level takes, and its vectors; `outputs` never exceeds the number of taps.
struct LineLimits {
  std::int64_t lanes = 1;
  int acrossOutputs = 1, acrossVectors = 1;
  int alongOutputs = 1, alongVectors = 1;
  bool generated = false;
};
[[nodiscard]] LineLimits lineLimits(SimdLevel level, std::int64_t taps, LineSource source);

// outputs and vectors within lineLimits of the same source, 2 <= taps <= 64.
[[nodiscard]] std::unique_ptr<LineKernel> makeLineKernel(SimdLevel level, std::span<const double> taps,
                                                         const LinePattern& pattern, LineSource source);

// Shared by the generator and the compiled kernels.
namespace line {
// Whether code can be generated for this level on this machine; tested once.
[[nodiscard]] bool canGenerate(SimdLevel level);
[[nodiscard]] std::unique_ptr<LineKernel> generate(SimdLevel level, std::span<const double> taps,
                                                   const LinePattern& pattern);

inline constexpr int kPortableOutputs = 6, kPortableVectors = 2;
using Function = void (*)(const double* taps, std::int64_t tapCount, const LineJob& job);
struct PortableTable {
  std::int64_t lanes = 1;
  // [axis][outputs - 1][vectors - 1]
  Function functions[2][kPortableOutputs][kPortableVectors];
};
[[nodiscard]] const PortableTable& scalarTable();
// Of a level other than Scalar that is there.
[[nodiscard]] const PortableTable& simdTable(SimdLevel level);
}  // namespace line

// Shared by the tuned methods: kernels over rows of any length, division into even pieces, threads with scratch.

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
