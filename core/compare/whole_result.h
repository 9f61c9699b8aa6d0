#pragma once
// What a contender computes, kept as a whole: for agreement and for probes.

#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/compare/race.h"
#include "core/engine/run_report.h"
#include "core/volume/volume.h"
#include "core/workload/workload.h"

namespace sscope::compare {

struct WholeResult {
  std::vector<Volume> outputs;
  RunReport report;
};

// Runs the contender once, into memory that was poisoned before. Throws what engines throw, Error(NotFound) for engines
// and variants that do not exist, Error(Unsupported) with the reason for those that cannot, Error(Memory), Canceled.
[[nodiscard]] WholeResult wholeResult(const RaceTrack& track, const Workload& workload, const ConstArrayView& input,
                                      const BenchRow& contender, int threads, const Control& control);

// "cpu:avx2 separable", or the engine alone where the variant is not known.
[[nodiscard]] std::string laneName(const BenchRow& contender, const std::string& ran);

// Compares every element with the reference, by the judgement of the rung.
[[nodiscard]] Verification fullVerification(const RaceTrack& track, const Workload& workload,
                                            const ConstArrayView& input, const BenchRow& contender,
                                            const WholeResult& result, const Control& control);

}  // namespace sscope::compare
