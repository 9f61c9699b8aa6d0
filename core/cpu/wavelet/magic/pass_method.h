#pragma once
// The magic filter axis by axis, each pass by one of the functions for lines.

#include <cstdint>
#include <memory>
#include <span>

#include "core/cpu/run/simd_level.h"
#include "core/cpu/wavelet/magic/magic_plan.h"

namespace sscope::cpu {

// One pass of the magic filter along one axis, and the inner loops of the lower rungs.

// Lines of n elements, `stride` elements apart; line l begins at element (l / stride) * stride * n + l % stride. With
// stride 1 the lines are contiguous.
//   straight    out has the layout of in
//   transposed  stride is 1 and out is (lines, n): element i of line l goes to i * lines + l
struct MagicPass {
  const double* taps = nullptr;  // out(i) = sum of taps[k] * in((i + first + k) mod n)
  std::int64_t tapCount = 0, first = 0;
  std::int64_t n = 0, lines = 0, stride = 1;
  bool transposed = false;
  const double* in = nullptr;
  double* out = nullptr;

  [[nodiscard]] std::int64_t begin(std::int64_t line) const { return line / stride * stride * n + line % stride; }
  [[nodiscard]] std::int64_t outBegin(std::int64_t line) const { return transposed ? line : begin(line); }
  [[nodiscard]] std::int64_t outStride() const { return transposed ? lines : stride; }
  // Of in, any i.
  [[nodiscard]] std::int64_t wrapped(std::int64_t i) const {
    const std::int64_t rest = i % n;
    return rest < 0 ? rest + n : rest;
  }
};

// Computes lines begin..end-1.
using MagicLines = void (*)(const MagicPass& pass, std::int64_t begin, std::int64_t end);

// The sum of products element by element, every index taken modulo n.
void simpleLines(const MagicPass& pass, std::int64_t begin, std::int64_t end);
// Eight lines at once, indices from a table.
void unrolledLines(const MagicPass& pass, std::int64_t begin, std::int64_t end);

// Two plain loops; the compiler decides whether to vectorize them for that level. Not for Scalar.
void plainScalarLines(const MagicPass& pass, std::int64_t begin, std::int64_t end);
[[nodiscard]] MagicLines plainLines(SimdLevel level);

// The sse rungs: `columns` lines at once, `rows` outputs of each (section IV.B). Null for unknown patterns, and if the
// instruction set has no vectors of two doubles.
[[nodiscard]] MagicLines sseLines(int columns, int rows, bool transposed);
inline constexpr int kStagedLines = 8;  // lines that transposing kernels process together

// The lower rungs: pass after pass over whole arrays, on one thread.

// Three passes (with `transposed`, each writes its lines as columns, so that all of them read along memory), or the one
// of lines. `granularity`: lines that `lines` computes at once.
[[nodiscard]] std::unique_ptr<MagicMethod> makePassMethod(const MagicWorkload& workload, MagicLines lines,
                                                          bool transposed, std::int64_t granularity);

}  // namespace sscope::cpu
