#pragma once
// The convolution generator: one function makes the specialized kernel for given taps, pattern and SIMD level. A
// pattern is how many outputs along the taps and how many adjacent vectors stay in registers.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

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

}  // namespace sscope::cpu
