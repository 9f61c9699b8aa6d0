#pragma once
// The record of one contender of a race: its first result, its quoted times, and disturbances of them.

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

// One slab of the first result, in seconds since the lane started.
struct SlabTime {
  Box box;  // of the outputs
  double begin = 0, end = 0;
  Phases phases;  // `compile` includes preparing the slab
  // Its kernels, copies and steps, in seconds as above; empty where they were not recorded, or too many.
  std::vector<RunSpan> spans{};
};

// Where the data of a first result are, in bytes, besides FirstResult::scratchBytes.
struct LaneMemory {
  std::int64_t input = 0, outputs = 0;  // of the host
  // What the engine holds on its device afterward: the data, the buffers of plans, results that stay there, and the
  // limit of the device; zeros for engines that compute in the host's memory.
  HeldMemory device;
};

// The first result, in slabs where the workload can be cut, with all costs that are paid once. It is shown and never
// quoted.
struct FirstResult {
  double seconds = 0;  // of the lane's clock: from nothing to the last slab
  Phases phases;       // of all slabs
  std::vector<SlabTime> slabs;
  Verification verification;
  std::string plan;                   // the plan's description: tiles, the method of each filter
  std::vector<PlanBuffer> buffers{};  // of the slab whose plan takes the most
  std::int64_t scratchBytes = 0;      // of the host's memory, besides input and outputs
  LaneMemory memory;
};

// Disturbances that may have lengthened quoted times.
struct LaneMarks {
  std::size_t beside = 0;  // repetitions during which other programs used more than a quarter of a core, or a
                           // hypervisor withheld more than a tenth
  double otherCores = 0, stolenCores = 0;  // the most of both, on average over a fifth of a second or more
  std::size_t repeated = 0;                // repetitions discarded because this program did something else meanwhile
  // Repetitions that were kept, with and without transfers; 0: unknown, from a capsule that does not store it.
  std::size_t kept = 0;
};

struct Lane {
  // As in `sscope bench`: `skipped` where it could not run, `failed` where it was wrong or broke down. The samples are
  // the quoted times without transfers: kernels on devices, wall time elsewhere.
  Measurement measurement;
  std::optional<FirstResult> first;  // empty: not wanted, or not reached
  std::vector<double> totals;  // quoted times with transfers: seconds from the call to the result, of each repetition
  LaneMarks marks;
  std::string why;  // how the variant was chosen, or why not the requested one; may be empty

  [[nodiscard]] bool hasFigures() const { return measurement.hasFigures() && !totals.empty(); }
  [[nodiscard]] Spread kernel() const { return measurement.spread(); }
  [[nodiscard]] Spread total() const { return spreadOf(totals); }
  // "cpu:avx2 separable", with the precision of a variant of lower precision.
  [[nodiscard]] std::string name() const;
  // Why it has no figures; empty if it has.
  [[nodiscard]] std::string reason() const;
  // Sentences about disturbances, without a period; none: the system reports no disturbance.
  [[nodiscard]] std::vector<std::string> disturbances() const;
};

// The times by which lanes are ranked.
enum class Times : std::uint8_t {
  Total,  // with transfers: data and results in the host's memory
  Kernel  // without transfers: data and results stay on the engine
};
[[nodiscard]] Spread timesOf(const Lane& lane, Times which);

struct Standing {
  // The lane with the smallest median, except memory-only twins, which have no result; empty: no lane has figures.
  std::optional<std::size_t> winner;
  std::vector<std::size_t> level;  // lanes whose quartiles overlap the winner's, so that the race does not rank them
  // Each lane's median over the winner's; 0 without figures, and where the two are not comparable (areComparable).
  std::vector<double> factor;
};
[[nodiscard]] Standing standing(const std::vector<Lane>& lanes, Times which);
// "cpu:avx2 separable is the fastest, 1.9 times as fast as opencl:0 fused"; "... and ... take the same time within
// their quartiles, the others ..."; one sentence without a period. Empty without figures.
[[nodiscard]] std::string standingText(const std::vector<Lane>& lanes, Times which);

// A Standing::factor; "-" for 0.
[[nodiscard]] std::string factorText(double factor);

// "4 min 10 s", "2.3 h", "350 ms".
[[nodiscard]] std::string durationText(double seconds);

}  // namespace sscope::compare
