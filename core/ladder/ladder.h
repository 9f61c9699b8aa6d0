#pragma once
// The ladders: per workload, the points at which the papers' figures were taken, run on this machine, and the figures
// redrawn from what was measured (docs/measurement.md, "Ladders").

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/control.h"
#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/ladder/figure.h"
#include "core/measure/bench.h"
#include "core/measure/measurement.h"
#include "core/measure/published.h"
#include "core/measure/tune.h"

namespace sscope {

// One place of a sweep: rows that take turns on the same data.
struct SweepPoint {
  OptionValues values;         // of the workload: those that differ from the defaults
  std::vector<BenchRow> rows;  // with the values of the variants' own options
  std::string text;            // "filters=8, unroll=16", for progress
  // Where a table of the paper has a size of its own; zeros: the sweep's.
  std::array<std::int64_t, 3> shape{};
};

struct Sweep {
  std::string workload;
  std::array<std::int64_t, 3> shape{1, 1, 1};
  std::string sizeReason;  // one sentence: the paper's size, or why it is another
  std::vector<SweepPoint> points;
  int threads = 0;  // of CPU engines, where the options of the run leave it open: the paper's; 0: all
  // Given: rows whose tiles no search on their device has checked yet (isUntuned) are tuned before their point is
  // timed.
  std::optional<TuneOptions> tuneFirst{};
  [[nodiscard]] std::size_t rowCount() const;
  // What all points have in common.
  [[nodiscard]] OptionValues commonValues() const;
  [[nodiscard]] const std::array<std::int64_t, 3>& shapeOf(const SweepPoint& point) const {
    return point.shape[0] > 0 ? point.shape : shape;
  }
};

struct SweepRequest {
  std::string workload{};
  std::vector<BenchRow> rows{};         // engines and variants; values given here hold at every point
  OptionValues values{};                // of the workload; an option given here is not swept
  std::array<std::int64_t, 3> shape{};  // zeros: the paper's
  bool everyPoint = false;              // all points of the papers' figures, else a selection of them
  std::string over{};                   // not empty: an option of the workload to go over instead, see sweptOptions()
};

// The options that sweeps can go over beside the papers' points: "order" of magic.
[[nodiscard]] std::vector<std::string> sweptOptions(std::string_view workload);

// Every variant of the workload on these engines, memory-only twins included, and the rungs that its speed-ups are
// counted from; absent engines get one row, for the reason. Names of engines that are not there throw Error(NotFound).
[[nodiscard]] std::vector<BenchRow> ladderRows(const EngineSet& engines, const VariantTable& variants,
                                               std::string_view workload, std::span<const std::string> engineIds);

// The points of this workload's figures for the rows of the request:
//   bank    N = 1 2 3 4 8 16 32, all variants; at N = 8 also unroll 1..40 for groups of 8x8, 16x8 and 16x16
//   conv2d  filter width x height, 3..27, odd
//   magic   all axes on processors; lines of 5040, straight and as columns, for their patterns; 124 x 132 x 130 on
//           devices, all axes and lines as columns, both directions
//   dwt     one point, rung by rung
//   dirac   one point, the paper's lattice; with everyPoint also the paper's other numbers of sites a group
//   cr      the same
//   soup    one point; every block shape and pitch that a variant offers
// Where the request goes over an option: a point for each of its values, all other points left out.
// Throws Error(NotFound) for workloads without a ladder, Error(Usage) for unknown values.
[[nodiscard]] Sweep makeSweep(const EngineSet& engines, const VariantTable& variants, const SweepRequest& request);

// How high a rung stands in its ladder, from 0 for the plainest: lists and figures go from the bottom to the top,
// whatever the table's order.
[[nodiscard]] int rungHeight(std::string_view variant);

// The plain program on one core ("scalar") and on all threads ("threads"), where a paper counts speed-ups from them.
[[nodiscard]] bool isSpeedUpBase(std::string_view variant);

// What a whole sweep may take before a smaller size than the paper's is chosen.
inline constexpr double kSweepSeconds = 600;

// Sets shape and sizeReason: the paper's size, or the largest half of it (quarter, ...) with which the sweep is
// expected to take less than `budget` seconds. Every variant is run once on small data and its time scaled by
// the counted operations, so this takes a few seconds itself. Rows that cannot run cost nothing. Throws Canceled.
void chooseSize(const EngineSet& engines, const VariantTable& variants, Sweep& sweep, const BenchOptions& options,
                double budget, const Control& control);

struct SweepOutcome {
  std::vector<Measurement> results;  // of all points that were finished
  std::vector<TuneResult> searches;  // that Sweep::tuneFirst asked for
  bool canceled = false;
};

// Runs point after point through runBench. `finished` (may be empty) gets every row as its point ends, on this thread.
// A stop ends the sweep within 100 ms and keeps what was finished; a point whose data do not fit into memory becomes
// skipped rows with the reason.
[[nodiscard]] SweepOutcome runSweep(const EngineSet& engines, const VariantTable& variants, const Sweep& sweep,
                                    const BenchOptions& options, const Control& control,
                                    const std::function<void(const Measurement&)>& finished = {});

// The papers' figures of this workload from whatever has been measured so far, in any order, published numbers beside
// ours. Figures without a single measured point are left out, all tables of published numbers alone where nothing was
// measured; measurements of other workloads are ignored.
[[nodiscard]] std::vector<Figure> figuresOf(std::string_view workload, std::span<const Measurement> measurements,
                                            std::span<const PublishedValue> published);

}  // namespace sscope
