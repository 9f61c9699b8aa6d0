#pragma once
// Is what an engine computed right?

#include <cstdint>
#include <span>
#include <string>

#include "core/base/control.h"
#include "core/volume/array_view.h"
#include "core/workload/workload.h"

namespace sscope {

struct Verification {
  bool verified = false;
  double relativeL2 = 0;       // ||out - ref||_2 / ||ref||_2 over the compared elements of all outputs
  double maximumUlp = 0;       // max |out - ref| in units of the last place of max |ref|, in the output's float type
  std::int64_t compared = 0;   // elements
  std::int64_t wrong = 0;      // integer outputs: elements that differ
  std::int64_t nonFinite = 0;  // NaN or Inf where the reference has none, or the other way round
  bool full = false;           // every element was compared
  std::string coverage;        // "full volume" or "faces, edges, corners and 64 blocks"
  std::string failure;         // why not verified; empty when it is
};

struct VerifyOptions {
  double fullBudgetSeconds = 1.0;  // compare everything when the reference is expected to take less
  std::uint64_t seed = 1;          // places the random blocks
  bool writtenOut = false;         // of the run (RunReport): which NaN and Inf are right depends on it
  // Of the relative error, for rungs of lower precision (core/engine/lower_precision.h), whose maximumUlp counts in
  // float32. 0: that of the output's type.
  double bound = 0;
};

// Compares outputs with the reference: everything when cheap, else faces, edges, corners and 64 random blocks.
// f64 passes at rel_l2 <= 1e-13 and f32 at 1e-6 sqrt(taps), both against the larger of ||ref|| and
// the norm of sums over |w||in| (see docs/decisions/003-error-bound.md); integers must be equal.
// NaN or Inf where the reference has none fails.
[[nodiscard]] Verification verify(const Workload& workload, std::span<const ConstArrayView> inputs,
                                  std::span<const ConstArrayView> outputs, const VerifyOptions& options,
                                  const Control& control);

// For memory-only twins, which must hand the input through: every element of the output equals that of the input.
[[nodiscard]] Verification verifyCopy(const ConstArrayView& input, const ConstArrayView& output,
                                      const Control& control);

// Fills memory with a pattern no filter produces by accident (signaling NaN for floats), so that elements
// an engine forgets to write are found.
void poison(const ArrayView& view);

}  // namespace sscope
