#pragma once
// Verification of an engine's output against the reference.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/engine/resident_array.h"
#include "core/volume/array_view.h"
#include "core/workload/workload.h"

namespace sscope {

struct Variant;  // core/engine/variant.h

struct Verification {
  bool verified = false;
  double relativeL2 = 0;         // ||out - ref||_2 / ||ref||_2 over the compared elements of all outputs
  double maximumUlp = 0;         // max |out - ref| in ulps of max |ref|, in the output's float type
  std::int64_t compared = 0;     // elements
  std::int64_t unjudged = 0;     // elements not compared, because rounding decides them (Judgment::Enclosed)
  std::int64_t wrong = 0;        // integer outputs: elements that differ
  std::int64_t nonFinite = 0;    // NaN or Inf where the reference has none, or the other way round
  std::int64_t off = 0;          // float outputs: elements farther from the reference than rounding explains
  double largestShare = 0;       // the largest error of an element, as a share of the accepted one; 0 for integers
  bool full = false;             // every element was compared
  std::int64_t ties = 0;         // integers on ties that double precision may round either way
  std::int64_t meaningless = 0;  // NaN or Inf, as expected
  std::int64_t stoodOut = 0;     // outliers that were compared, if not all voxels were
  std::string coverage;          // what was compared, how much of it is NaN or Inf, how much was not judged
  std::string failure;           // why it is not verified; empty if it is
  bool undecided = false;        // nothing is wrong, but an output cannot be judged

  // Elements of each output, so that parts of a result can be judged together (core/measure/judged_parts.h).
  struct Output {
    std::int64_t compared = 0, unjudged = 0;
    std::int64_t overflown = 0;  // NaN or Inf elements whose intermediate sums exceed the type's range
    std::string name{};          // of the filter, if it is known
  };
  std::vector<Output> outputs{};
};

struct VerifyOptions {
  double fullBudgetSeconds = 1.0;  // compare everything when the reference is expected to take less
  std::uint64_t seed = 1;          // places the random blocks
  bool writtenOut = false;         // from the RunReport; decides which NaN and Inf are right
  // Bound of the relative error for lower-precision rungs (core/engine/variant.h), whose maximumUlp is in
  // float32. 0: the bound of the output's type.
  double bound = 0;
  double elementBound = 0;  // with `bound`: the bound of an element's error on its scale (Workload::errorScale)
  int threads = 0;          // for results in the host's memory; 0: all cores
  std::vector<std::string> names{};  // of the outputs, for messages
};

// Compares outputs with the reference: everything when cheap, else faces, edges, corners, 64 random blocks and outliers
// (outliersOf). Each output must pass two bounds, on its norm and on every compared element, both relative to sums
// over |w||in|: 1e-13 for f64 and 1e-6 sqrt(taps) for f32 (docs/dev/decisions/003-error-bound.md, also on what samples
// can miss). Integers must be equal. NaN or Inf where the reference has none fails. Works for numbers of any magnitude.
[[nodiscard]] Verification verify(const Workload& workload, std::span<const ConstArrayView> inputs,
                                  std::span<const ConstArrayView> outputs, const VerifyOptions& options,
                                  const Control& control);

// The same for results that may be on a device: compared boxes are fetched, and the rest passes through a buffer of
// some MiB in the search for outliers. Also throws what the arrays throw.
[[nodiscard]] Verification verify(const Workload& workload, std::span<const ConstArrayView> inputs,
                                  std::span<const std::shared_ptr<ResidentArray>> outputs, const VerifyOptions& options,
                                  const Control& control);

// The approximate bytes that each thread of verify() needs besides inputs and outputs: a piece of the reference, the
// magnitudes of its sums, and temporaries.
[[nodiscard]] std::int64_t verifyBytes(const Workload& workload);

// For memory-only twins, which copy the input: every output element must equal the input's.
[[nodiscard]] Verification verifyCopy(const ConstArrayView& input, const ConstArrayView& output,
                                      const Control& control);

// Fills memory with a pattern that no filter produces by accident (a special NaN for floats), to find elements that an
// engine does not write. An integer may match by chance, but not with the other pattern of a second run.
inline constexpr std::uint8_t kPoison = 0xA5, kOtherPoison = 0x5A;
void poison(const ArrayView& view, std::uint8_t pattern = kPoison);

// Uses the variant's own check if it is a lower-precision extra, else verify().
[[nodiscard]] Verification verify(const Variant& row, const Workload& workload, std::span<const ConstArrayView> inputs,
                                  std::span<const ConstArrayView> outputs, const VerifyOptions& options,
                                  const Control& control);

}  // namespace sscope
