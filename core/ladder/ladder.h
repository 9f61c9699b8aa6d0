#pragma once
// The ladders: for each workload, the points of the papers' figures, measured on this machine, and the figures redrawn
// from the results (docs/manual/measurement.md, "Ladders").

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/control.h"
#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/measure/bench.h"
#include "core/measure/measurement.h"
#include "core/measure/published.h"
#include "core/measure/tune.h"
#include "core/options/option.h"
#include "core/report/figure.h"
#include "core/volume/volume.h"
#include "core/workload/catalog.h"

namespace sscope {

// One point of a sweep: rows that take turns on the same data.
struct SweepPoint {
  OptionValues values;         // of the workload: those that differ from the defaults
  std::vector<BenchRow> rows;  // with the values of the variants' own options
  std::string text;            // "filters=8, unroll=16", for progress
  // The size where the paper's table differs; zeros: the sweep's size.
  std::array<std::int64_t, 3> shape{};
};

struct Sweep {
  std::string workload;
  std::array<std::int64_t, 3> shape{1, 1, 1};
  std::string sizeReason;  // one sentence: "the paper's size", or why it differs
  std::vector<SweepPoint> points;
  int threads = 0;  // the paper's number for CPU engines, unless the run's options set one; 0: all
  // When set, rows that were never tuned on their device (isUntuned) are tuned before their point is timed.
  std::optional<TuneOptions> tuneFirst{};
  [[nodiscard]] std::size_t rowCount() const;
  // The values that all points share.
  [[nodiscard]] OptionValues commonValues() const;
  [[nodiscard]] const std::array<std::int64_t, 3>& shapeOf(const SweepPoint& point) const {
    return point.shape[0] > 0 ? point.shape : shape;
  }
};

struct SweepRequest {
  std::string workload{};
  std::vector<BenchRow> rows{};         // engines and variants; values given here hold at every point
  OptionValues values{};                // of the workload; options given here are not swept
  std::array<std::int64_t, 3> shape{};  // zeros: the paper's
  bool everyPoint = false;              // all points of the papers' figures, else a selection
  std::string over{};                   // if set: the workload's option to sweep instead, see sweptOptions()
};

// The options that can be swept instead of the papers' points: "order" of magic.
[[nodiscard]] std::vector<std::string> sweptOptions(std::string_view workload);

// Every variant of the workload on these engines, including memory-only twins and the baselines of speed-ups. An absent
// engine gets one row with the reason. Throws Error(NotFound) for unknown engines.
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
// When the request sweeps an option: one point for each of its values, and no others. Throws Error(NotFound) for
// workloads without a ladder, Error(Usage) for unknown values.
[[nodiscard]] Sweep makeSweep(const EngineSet& engines, const VariantTable& variants, const SweepRequest& request);

// The position of a rung in its ladder, 0 for the plainest. Lists and figures are ordered by it, not by the table.
[[nodiscard]] int rungHeight(std::string_view variant);

// The plain program on one core ("scalar") and on all threads ("threads"), if a paper's speed-ups are relative to them.
[[nodiscard]] bool isSpeedUpBase(std::string_view variant);

// The longest a sweep may take, in seconds, before a smaller size than the paper's is chosen.
inline constexpr double kSweepSeconds = 600;

// Sets shape and sizeReason: the paper's size, or the first of its half, quarter, ... for which the sweep should take
// less than `budget` seconds. This takes a few seconds, since every variant runs once on small data and its time is
// scaled by the counted operations. Rows that cannot run are ignored. Throws Canceled.
void chooseSize(const EngineSet& engines, const VariantTable& variants, Sweep& sweep, const BenchOptions& options,
                double budget, const Control& control);

struct SweepOutcome {
  std::vector<Measurement> results;  // of all points that were finished
  std::vector<TuneResult> searches;  // made because of Sweep::tuneFirst
  bool canceled = false;
};

// Runs point after point through runBench. `finished` (may be empty) is called on this thread with every row when its
// point ends. A stop request ends the sweep within 100 ms and keeps the finished points. The rows of a point whose data
// do not fit into memory are skipped with the reason.
[[nodiscard]] SweepOutcome runSweep(const EngineSet& engines, const VariantTable& variants, const Sweep& sweep,
                                    const BenchOptions& options, const Control& control,
                                    const std::function<void(const Measurement&)>& finished = {});

// The papers' figures of this workload from the measurements so far, in any order, with published numbers next to ours.
// Figures without a measured point are left out, as are tables of published numbers when nothing was measured.
// Measurements of other workloads are ignored.
[[nodiscard]] std::vector<Figure> figuresOf(std::string_view workload, std::span<const Measurement> measurements,
                                            std::span<const PublishedValue> published);

// The workload and input data of a sweep's points. Noise is reused by consecutive points where possible.

class SweepData {
 public:
  // Throws Error(NotFound) when there is no such workload.
  explicit SweepData(const std::string& workload);

  // Throws Error(Usage) when shape and values do not fit.
  [[nodiscard]] std::unique_ptr<Workload> workload(const std::array<std::int64_t, 3>& shape,
                                                   const OptionValues& values) const;
  // Noise from the seed in `values`; valid until the next call. Throws Error(Memory) when it, or the workload's
  // outputs, do not fit into memory.
  [[nodiscard]] ConstArrayView input(const Workload& workload, const OptionValues& values, const Control& control);

  [[nodiscard]] const WorkloadKind& kind() const { return kind_; }

 private:
  const WorkloadKind& kind_;
  Volume noise_;
  std::int64_t seed_ = -1;
};

// Bytes of all inputs and outputs.
[[nodiscard]] std::int64_t bytesOf(const Workload& workload);

}  // namespace sscope
