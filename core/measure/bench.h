#pragma once
// Times variants of one workload against each other, honestly (docs/measurement.md): every output is checked
// against the reference in the same run, rows take turns, all samples are kept.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/measure/measurement.h"
#include "core/measure/verify.h"
#include "core/volume/array_view.h"
#include "core/workload/workload.h"

namespace sscope {

// Other libraries may define a filter in another way (ITK's discrete gaussian, recursive approximations). They are
// compared all the same while the relative difference stays below this, and marked as approximate.
inline constexpr double kPeerDifference = 0.02;
// The same for integer results, which other libraries may round differently: a pixel in a thousand by one or so.
inline constexpr double kPeerRounding = 1e-3;

struct BenchRow {
  std::string engine;
  std::string variant;    // empty: the engine's default
  OptionValues values{};  // of the variant's own options; none: as tuned (core/measure/tune.h), or the defaults
  bool operator==(const BenchRow&) const = default;
};

inline constexpr int kMinimumRepetitions = 7;

struct BenchOptions {
  int repetitions = kMinimumRepetitions;  // at least kMinimumRepetitions are made
  double seconds = 0.3;                   // each row is repeated for at least this long
  int threads = 0;                        // CPU engines: 0 for all
  bool emptyCaches = true;                // where a repeated run would sit in the processor's caches
  bool measureCeilings = true;            // those not yet known; false: use stored ones only
  bool remeasureCeilings = false;         // even known ones
  VerifyOptions verify;
};

// Rows in the order given. A row that cannot run is returned with `skipped`, one whose output is wrong or that
// breaks down with `failed`. `finished` (may be empty) is called on this thread for every row as it ends.
// Throws Canceled, and Error(Memory) when the outputs do not fit.
std::vector<Measurement> runBench(const EngineSet& engines, const VariantTable& variants, const Workload& workload,
                                  std::span<const ConstArrayView> inputs, const std::vector<BenchRow>& rows,
                                  const BenchOptions& options, const Control& control,
                                  const std::function<void(const Measurement&)>& finished = {});

}  // namespace sscope
