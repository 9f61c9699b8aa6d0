#pragma once
// A short search among a variant's candidates, where the model that chooses its tiles may be off.

#include <span>
#include <string>

#include "core/measure/bench.h"

namespace sscope {

// What a candidate must beat the variant's own choice by; less is noise.
inline constexpr double kTuningMargin = 0.03;

struct TuneOptions {
  double seconds =
      2;            // of compilation and timing; as many candidates as fit are tried, but at least one besides the own
  int threads = 0;  // CPU engines: 0 for all
};

struct TuneResult {
  std::string workload, engine, variant;
  OptionValues values;            // of the fastest; {}: the variant's own choice
  double own = 0, best = 0;       // medians in seconds, of the own choice and of the fastest
  std::size_t tried = 0, of = 0;  // candidates, the own choice among them
  std::string notRemembered;      // not empty: why the cache could not be written
  std::string skipped;            // not empty: nothing was searched, and why; half a sentence
};

// The variant and the engine of a row; null where the variant has no tiles to choose or the engine is absent.
struct Tunable {
  const Variant* variant = nullptr;
  const EngineInfo* engine = nullptr;
};
[[nodiscard]] Tunable tunable(const EngineSet& engines, const VariantTable& variants, const Workload& workload,
                              const BenchRow& row);
// Whether the row would run with the model's choice of tiles, which no search on its engine has checked yet.
[[nodiscard]] bool isUntuned(const EngineSet& engines, const VariantTable& variants, const Workload& workload,
                             const BenchRow& row);

// Times the candidates of the row's variant in turn with runBench and keeps the fastest whose output is right, which
// VariantTable::prepare takes from then on. Where none beats the own choice by kTuningMargin, that is remembered.
// Nothing is searched for rows that give values of their own, whose variant has nothing to tune, that cannot run, or
// where two candidates alone would take thrice the time. Reports "tuning tuned on opencl:0, candidate 3 of 12". Throws
// Canceled; nothing is remembered then.
[[nodiscard]] TuneResult tune(const EngineSet& engines, const VariantTable& variants, const Workload& workload,
                              std::span<const ConstArrayView> inputs, const BenchRow& row, const TuneOptions& options,
                              const Control& control);

// One line: "tuned conv2d on opencl:0: method=walk walk=24, 7 % faster than the model's choice; remembered".
[[nodiscard]] std::string toText(const TuneResult& result);
// "method=walk walk=24"
[[nodiscard]] std::string toText(const OptionValues& values);

}  // namespace sscope
