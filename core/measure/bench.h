#pragma once
// Times variants of one workload against each other (docs/manual/measurement.md): every output is checked against the
// reference in the same run, rows take turns, and all samples are kept.

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/engine/engine.h"
#include "core/engine/run_report.h"
#include "core/engine/variant.h"
#include "core/measure/measurement.h"
#include "core/measure/verify.h"
#include "core/volume/array_view.h"
#include "core/workload/workload.h"

namespace sscope {

// Other libraries may approximate a filter (ITK's recursive gaussian). Their rows are timed and marked as approximate
// up to this relative difference.
inline constexpr double kPeerDifference = 0.02;
// The same for a filter of another definition (Variant::otherDefinition; ITK's discrete gaussian), which is marked as
// such.
inline constexpr double kOtherDefinition = 0.5;
// The same for integer results, which other libraries may round differently: about one pixel in a thousand by 1.
inline constexpr double kPeerRounding = 1e-3;

struct BenchRow {
  std::string engine;
  std::string variant;    // empty: the engine's default
  OptionValues values{};  // of the variant's own options; none: the tuned ones (core/measure/tune.h) or the defaults
  bool operator==(const BenchRow&) const = default;
};

inline constexpr int kMinimumRepetitions = 7;

struct BenchOptions {
  int repetitions = kMinimumRepetitions;
  int leastRepetitions = kMinimumRepetitions;  // are made whatever `repetitions` says
  double seconds = 0.3;            // each row is repeated for this long, or 6 times that with emptying caches
  double batchSeconds = 50e-6;     // a sample of a shorter row is the mean of as many runs as take this long
  int threads = 0;                 // CPU engines: 0 for all
  bool emptyCaches = true;         // keep repeated runs from finding their data in the caches
  bool measureCeilings = true;     // measure unknown ones; false: use stored ones only
  bool remeasureCeilings = false;  // measure known ones, too
  bool checkLast = true;           // compare the output of a run after the timed ones, too
  bool timeUndecided = false;      // also time rows whose output cannot be judged, though nothing in it is wrong
  // Inputs::identity of the data, which devices then keep between runs; only without emptyCaches.
  std::uint64_t inputIdentity = 0;
  VerifyOptions verify;
};

// One sample of a row: the mean of `runs` runs, one right after the other.
struct BenchSample {
  double seconds = 0;  // the time in Measurement::samples
  Phases phases;
  int runs = 1;
  bool apart =
      false;  // kernels alone, of a plan whose run() copies at the same time; such a row has samples of both kinds
};

// Observes a benchmark that runs. It is called on the thread of the benchmark and never while something is timed. Rows
// are known by their index.
class BenchObserver {
 public:
  BenchObserver() = default;
  BenchObserver(const BenchObserver&) = delete;
  BenchObserver& operator=(const BenchObserver&) = delete;
  virtual ~BenchObserver() = default;
  // Before a row is prepared and before each of its samples. May wait until nothing else runs.
  virtual void beforeRun(std::size_t /*row*/) {}
  // A run that was not timed, whose output was compared with the reference: the first one and the last one of a row.
  virtual void checked(std::size_t /*row*/, const RunReport& /*report*/, const Verification& /*verification*/) {}
  // Before the rows take turns, and afterward.
  virtual void timing(bool /*begins*/) {}
  // False: the sample is thrown away and taken again.
  virtual bool keeps(std::size_t /*row*/, const BenchSample& /*sample*/) { return true; }
  // A sample of the row that was kept earlier turned out to be taken beside other load.
  virtual void disturbed(std::size_t /*row*/) {}
};

// Rows in the order given. A row that cannot run is returned with `skipped`, one that fails or whose output is wrong
// with `failed`. `finished` (may be empty) is called on this thread for every row as it ends; `observer` may be null.
// Throws Canceled, and Error(Memory) if the outputs do not fit.
std::vector<Measurement> runBench(const EngineSet& engines, const VariantTable& variants, const Workload& workload,
                                  std::span<const ConstArrayView> inputs, const std::vector<BenchRow>& rows,
                                  const BenchOptions& options, const Control& control,
                                  const std::function<void(const Measurement&)>& finished = {},
                                  BenchObserver* observer = nullptr);

}  // namespace sscope
