#pragma once
// Contenders race each other at one case. Each has a lane:
//
//   1. First results, if they are wanted: one lane after the other computes the case from nothing, slab by slab where
//      the workload can be cut. Lanes do not run side by side, since they would share cores, memory and caches; a
//      picture of all clocks at once is drawn from the seconds in the events. First results are verified and never
//      quoted.
//   2. Quiet repetitions in turns (A B A B), by runBench (core/measure/bench.h): outputs are verified before and after,
//      and these times alone are quoted, with quartiles.
//
// `sscope bench` prints the lanes, the Compare room paints the events, and the check boxes of the other rooms run short
// races.

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
  bool firstResults = true;  // false: only quiet repetitions
  int slabs = 12;            // of a first result, at most
};

// Repetitions of a short race; fewer do not give a useful median.
inline constexpr int kShortRepetitions = 5;
// For the check boxes of a room: few repetitions and little else. Engines keep the data of this identity, caches are
// not emptied, and no ceiling is measured.
[[nodiscard]] RaceOptions shortRace(int repetitions, std::uint64_t inputIdentity, int threads);

struct RaceWish {
  std::shared_ptr<const Workload> workload;
  std::shared_ptr<const Volume> input;  // its only input
  std::vector<BenchRow> contenders;     // absent engines and variants that cannot run it get lanes, too
  RaceOptions how;
};

// Events. `lane` is the contender's index in the wish. Seconds are those of the lane's clock, which runs from
// LaneStarted until FirstDone.
struct LaneStarted {
  std::size_t lane = 0;
};
struct SlabFinished {
  std::size_t lane = 0;
  SlabTime time;
  // All outputs: the boxes of finished slabs do not change any more, and nothing else may be read.
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
// Between the two, everything in the program that can wait does so: painting, other measurements.
struct QuietPhase {
  bool quiet = false;
};
struct Repetition {
  std::size_t lane = 0;
  std::size_t count = 0;  // how many of this kind (BenchSample::apart) there are so far
  BenchSample sample;
};
// A repetition of the lane was taken beside other load, as is known some time after it.
struct RepetitionDisturbed {
  std::size_t lane = 0;
};
// The lane has its figures, or the reason why it has none.
struct LaneEnded {
  std::size_t lane = 0;
  Lane result;
};
using RaceEvent = std::variant<LaneStarted, SlabFinished, FirstDone, LaneVerified, QuietPhase, Repetition,
                               RepetitionDisturbed, LaneEnded>;
using EmitRace = std::function<void(RaceEvent)>;

// The engines of a race; all of it outlives the race.
struct RaceTrack {
  const EngineSet& engines;
  const VariantTable& variants;
  QuietGate& gate;  // a repetition waits while it is held, and is taken again if it was held meanwhile
};

// Returns one lane per contender, in order. `emit` may be empty; it is called on this thread. Throws Error(Memory)
// where outputs do not fit, Error(Usage) for workloads of several inputs, and Canceled within 100 ms.
[[nodiscard]] std::vector<Lane> executeRace(const RaceTrack& track, const RaceWish& wish, const EmitRace& emit,
                                            const Control& control);

// The slabs of a first result, along the slowest axis: at most `most`, and fewer where thinner ones would mostly read
// the halo. One slab, the whole, where the workload cannot be cut or its outputs have different extents.
[[nodiscard]] std::vector<Box> slabsOf(const Workload& workload, int most);

}  // namespace sscope::compare
