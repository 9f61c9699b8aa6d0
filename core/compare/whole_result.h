#pragma once
// The whole result of a contender, for agreement and for probes.

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/compare/race.h"
#include "core/engine/run_report.h"
#include "core/volume/volume.h"
#include "core/workload/workload.h"

namespace sscope::compare {

// The outputs of a workload, filled with poison (core/measure/verify.h). Throws Error(Memory) where they do not fit
// beside `others` bytes.
[[nodiscard]] std::vector<Volume> poisonedOutputs(const Workload& workload, std::int64_t others = 0);

struct WholeResult {
  std::vector<Volume> outputs;
  RunReport report;
};

// Runs the contender once, into poisoned outputs. Throws what engines throw, Error(NotFound) for engines
// and variants that do not exist, Error(Unsupported) with the reason for those that cannot, Error(Memory), Canceled.
[[nodiscard]] WholeResult wholeResult(const RaceTrack& track, const Workload& workload, const ConstArrayView& input,
                                      const BenchRow& contender, int threads, const Control& control);

// "cpu:avx2 separable", or the engine alone where the variant is not known.
[[nodiscard]] std::string laneName(const BenchRow& contender, const std::string& ran);

// Compares every element with the reference, by the bounds of the contender's variant.
[[nodiscard]] Verification fullVerification(const RaceTrack& track, const Workload& workload,
                                            const ConstArrayView& input, const BenchRow& contender,
                                            const WholeResult& result, const Control& control);

}  // namespace sscope::compare
