#pragma once
// Tuning: a short search among a variant's candidate values, for cases in which the model chooses the wrong tiles.

#include <span>
#include <string>

#include "core/measure/bench.h"

namespace sscope {

// The share by which a candidate must be faster than the variant's own choice; smaller differences are noise.
inline constexpr double kTuningMargin = 0.03;

struct TuneOptions {
  double seconds = 2;  // for compiling and timing; as many candidates as fit are tried, at least one besides the own
  int threads = 0;     // CPU engines: 0 for all
};

struct TuneResult {
  std::string workload, engine, variant;
  OptionValues values;            // of the fastest; {}: the variant's own choice
  double own = 0, best = 0;       // medians in seconds, of the own choice and of the fastest
  std::size_t tried = 0, of = 0;  // candidates, including the own choice
  std::string notRemembered;      // not empty: why the cache could not be written
  std::string skipped;            // not empty: why there was no search, as half a sentence
};

// The variant and engine of a row; null when the variant cannot be tuned or the engine is absent.
struct Tunable {
  const Variant* variant = nullptr;
  const EngineInfo* engine = nullptr;
};
[[nodiscard]] Tunable tunable(const EngineSet& engines, const VariantTable& variants, const Workload& workload,
                              const BenchRow& row);
// Whether the row would run with the model's choice of tiles and was never tuned on its engine.
[[nodiscard]] bool isUntuned(const EngineSet& engines, const VariantTable& variants, const Workload& workload,
                             const BenchRow& row);

// Times the candidates of the row's variant in turn with runBench and stores the fastest with correct output, which
// VariantTable::prepare uses from then on; the own choice, unless one beats it by kTuningMargin. Skips rows that give
// values themselves, that have nothing to tune, that cannot run, or for which two candidates alone would take three
// times the time limit. Reports "tuning tuned on opencl:0, candidate 3 of 12". Throws Canceled; then nothing is stored.
[[nodiscard]] TuneResult tune(const EngineSet& engines, const VariantTable& variants, const Workload& workload,
                              std::span<const ConstArrayView> inputs, const BenchRow& row, const TuneOptions& options,
                              const Control& control);

// One line: "tuned conv2d on opencl:0: method=walk walk=24, 7 % faster than the model's choice; remembered".
[[nodiscard]] std::string toText(const TuneResult& result);
// "method=walk walk=24"
[[nodiscard]] std::string toText(const OptionValues& values);

}  // namespace sscope
