#pragma once
// A workload on several engines of this machine at once: each computes a part of the planes of every output
// (docs/dev/decisions/041-joined-engines.md).

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/joined_engine.h"
#include "core/engine/variant.h"
#include "core/workload/workload.h"

namespace sscope {

// Parts by Workload::cutTo along the slowest axis, in the order of the engines and in proportion to the speeds that
// are predicted, or equal; after runs that show other speeds they are cut once more. With engines that are alike a part
// has the bits of the whole where Plan::grain allows any parts. More engines than there are parts: the last ones have
// none, and the report says so. `variants` outlives the plan. Throws what preparing a part throws, beginning with the
// engine's id, and Error(Unsupported) for a workload that cannot be cut.
//
// RunReport::launch holds what each engine did (sharesIn), RunReport::why the planes of each.
[[nodiscard]] std::unique_ptr<Plan> prepareJoined(const JoinedEngine& engine, const VariantTable& variants,
                                                  const Workload& workload, const std::string& variant,
                                                  const PrepareOptions& options, const Control& control);

// Expected seconds of a run, as VariantTable::predict; 0 where nobody predicts for one of the engines.
[[nodiscard]] double predictJoined(const JoinedEngine& engine, const VariantTable& variants, const Workload& workload,
                                   const std::string& variant, const PrepareOptions& options);

// Workloads that engines share by other means than parts of the outputs alone: by ranks that exchange what lies at the
// borders of their parts.

struct Joiner {
  std::string workload;
  // `weights`: as many as engines, of their shares, or none for equal ones. Throws what preparing throws, Error(Usage)
  // where there is not enough for so many engines.
  std::unique_ptr<Plan> (*prepare)(std::span<Engine* const> engines, const VariantTable& variants,
                                   const std::string& variant, const Workload& workload,
                                   std::span<const double> weights, const PrepareOptions& options,
                                   const Control& control);
};

// Of all subjects that are built; core/subjects.cpp.
[[nodiscard]] const std::vector<Joiner>& joiners();

}  // namespace sscope
