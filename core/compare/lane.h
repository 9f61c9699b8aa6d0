#pragma once
// What a comparison knows of one contender: its first result, its quoted times, and what disturbed them.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/statistics.h"
#include "core/engine/engine.h"
#include "core/engine/run_report.h"
#include "core/measure/measurement.h"
#include "core/volume/array_view.h"

namespace sscope::compare {

// A part of the first result. Seconds since the lane started.
struct SlabTime {
  Box box;  // of the outputs
  double begin = 0, end = 0;
  Phases phases;  // preparing the part is in `compile`
  // Its kernels, copies and steps, in seconds as above; empty where they were not recorded, or too many.
  std::vector<RunSpan> spans{};
};

// Where the data of a first result lay, in bytes, besides FirstResult::scratchBytes.
struct LaneMemory {
  std::int64_t input = 0, outputs = 0;  // of the host
  // What the engine held on its device after it: the data and the buffers of plans, results that stay there, and what
  // it takes at most; zeros for engines that compute in the host's memory.
  HeldMemory device;
};

// The first result, in slabs where the workload can be cut: with all that is paid once. It is shown and never quoted.
struct FirstResult {
  double seconds = 0;  // of the lane's clock: from nothing to the last slab
  Phases phases;       // of all slabs
  std::vector<SlabTime> slabs;
  Verification verification;
  std::string plan;                   // what the engine says of its plan: tiles, the method of each filter
  std::vector<PlanBuffer> buffers{};  // of the plan of a slab that takes the most
  std::int64_t scratchBytes = 0;      // of the host's memory, besides input and outputs
  LaneMemory memory;
};

// What may have lengthened quoted times.
struct LaneMarks {
  std::size_t beside = 0;  // repetitions during which other programs used more than a quarter of a core, or a
                           // hypervisor withheld more than a tenth
  double otherCores = 0, stolenCores = 0;  // the most of both, on average over a fifth of a second or more
  std::size_t repeated = 0;                // repetitions thrown away because this program did something else meanwhile
  // Repetitions that were kept, those with and those without transfers; 0: unknown, of a capsule that does not say.
  std::size_t kept = 0;
};

struct Lane {
  // As `sscope bench` gives it: what could not run is `skipped`, what was wrong or broke down `failed`. Its samples are
  // the quoted times without transfers: kernels on devices, wall time elsewhere.
  Measurement measurement;
  std::optional<FirstResult> first;  // empty: it was not asked for, or did not get that far
  std::vector<double> totals;  // quoted times with transfers: seconds from the call to the result, of each repetition
  LaneMarks marks;
  std::string why;  // how the variant was chosen, or why not the one asked for; may be empty

  [[nodiscard]] bool hasFigures() const { return measurement.hasFigures() && !totals.empty(); }
  [[nodiscard]] Spread kernel() const { return measurement.spread(); }
  [[nodiscard]] Spread total() const { return spreadOf(totals); }
  // "cpu:avx2 separable", with the precision of extras of lower precision.
  [[nodiscard]] std::string name() const;
  // Why it has no figures; empty if it has.
  [[nodiscard]] std::string reason() const;
  // Sentences about what disturbed it, without a period; none: it ran undisturbed as far as the system tells.
  [[nodiscard]] std::vector<std::string> disturbances() const;
};

// Which times lanes are ranked by.
enum class Times : std::uint8_t {
  Total,  // with transfers: what one volume takes that comes from the host's memory and goes there
  Kernel  // without: what it takes where data and results stay on the engine
};
[[nodiscard]] Spread timesOf(const Lane& lane, Times which);

struct Standing {
  // The lane with the smallest median, memory-only twins aside, whose results are none; empty: none has figures.
  std::optional<std::size_t> winner;
  std::vector<std::size_t> level;  // others whose quartiles overlap the winner's: they are not told apart
  // Of each lane, its median over the winner's; 0 without figures, and where it would say nothing (areComparable).
  std::vector<double> factor;
};
[[nodiscard]] Standing standing(const std::vector<Lane>& lanes, Times which);
// "cpu:avx2 separable is the fastest, 1.9 times as fast as opencl:0 fused"; "... and ... take the same time within
// their quartiles, the others ..."; one sentence without a period. Empty without figures.
[[nodiscard]] std::string standingText(const std::vector<Lane>& lanes, Times which);

// Of Standing::factor; "-" where there is none.
[[nodiscard]] std::string factorText(double factor);

// "4 min 10 s", "2.3 h", "350 ms".
[[nodiscard]] std::string durationText(double seconds);

}  // namespace sscope::compare
