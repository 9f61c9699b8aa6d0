#pragma once
// Contenders against each other on the same data. Each has a lane:
//
//   1. one after the other, from nothing to the first result, slab by slab where the workload can be cut. Lanes do not
//      run side by side, since they would share cores, memory and caches; a picture of all clocks running at once is
//      drawn from the seconds that events carry. This first result is verified and never quoted.
//   2. quiet repetitions in turns (A B A B), by core/measure/bench.h and exactly as `sscope bench` makes them: every
//      output is verified before and after, and these times alone are quoted, with quartiles.
//
// A room hosts a race as the `execute` of a NewestWins (core/live/newest_wins.h): executeRace() tells all it does by
// RaceEvent, on its own thread and in order, and never throws but Canceled and what concerns every lane alike.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/base/control.h"
#include "core/compare/lane.h"
#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/live/quiet_gate.h"
#include "core/measure/bench.h"
#include "core/volume/volume.h"
#include "core/workload/workload.h"

namespace sscope::compare {

// Of the quiet repetitions, and of the first results before them.
struct RaceOptions : BenchOptions {
  bool firstResults = true;  // false: quiet repetitions at once
  int slabs = 12;            // of a first result, at most
};

// Repetitions of a short race; fewer do not give a useful median.
inline constexpr int kShortRepetitions = 5;
// A race beside other work of a window, which takes no longer than its repetitions: engines keep the data that have
// this identity, caches stay as they are, and no ceiling is measured.
[[nodiscard]] RaceOptions shortRace(int repetitions, std::uint64_t inputIdentity, int threads);

struct RaceWish {
  std::shared_ptr<const Workload> workload;
  std::shared_ptr<const Volume> input;  // of its only input
  std::vector<BenchRow> contenders;     // engines that are absent and variants that cannot run it are lanes, too
  RaceOptions how;
};

// Events. `lane` is the contender's place in the wish; seconds are of the lane's own clock, which starts with
// LaneStarted and runs until FirstDone.
struct LaneStarted {
  std::size_t lane = 0;
};
struct SlabFinished {
  std::size_t lane = 0;
  SlabTime time;
  // All outputs as far as they are there: what lies in finished boxes does not change any more, and nothing else must
  // be read. The memory stays as long as somebody holds it.
  std::shared_ptr<const std::vector<Volume>> outputs;
};
struct FirstDone {
  std::size_t lane = 0;
  FirstResult result;  // not verified yet
};
struct LaneVerified {
  std::size_t lane = 0;
  Verification verification;
  bool first = false;  // of the first result; else of the untimed runs around the quiet repetitions
  RunReport report{};  // of such a run
};
// While quiet, everything else in the program that can wait does: painting, other measurements.
struct QuietPhase {
  bool quiet = false;
};
struct Repetition {
  std::size_t lane = 0;
  std::size_t count = 0;  // of this kind so far, from 1 on
  BenchSample sample;
};
// A repetition of the lane was taken beside other load, as is known some time after it.
struct RepetitionDisturbed {
  std::size_t lane = 0;
};
// The lane has its figures, or its reason.
struct LaneEnded {
  std::size_t lane = 0;
  Lane result;
};
using RaceEvent = std::variant<LaneStarted, SlabFinished, FirstDone, LaneVerified, QuietPhase, Repetition,
                               RepetitionDisturbed, LaneEnded>;
using EmitRace = std::function<void(RaceEvent)>;

// What a race runs on; all of it outlives the race.
struct RaceTrack {
  const EngineSet& engines;
  const VariantTable& variants;
  QuietGate& gate;  // quiet repetitions wait while it is held, and are taken again if it was held meanwhile
};

// One lane per contender, in order. `emit` may be empty. Throws Error(Memory) where outputs do not fit, Error(Usage)
// for workloads of several inputs, and Canceled within 100 ms.
[[nodiscard]] std::vector<Lane> executeRace(const RaceTrack& track, const RaceWish& wish, const EmitRace& emit,
                                            const Control& control);

}  // namespace sscope::compare
