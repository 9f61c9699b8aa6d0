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

// Cuts the workload with Workload::cutTo along the slowest axis, in the order of the engines and in proportion to their
// predicted speeds, or equally; if runs show other speeds, it cuts again. With equal engines a part has the bits of the
// whole if Plan::grain allows it. If there are more engines than parts, the last ones get none, and the report says so.
// `variants` outlives the plan. Throws what preparing a part throws, beginning with the engine's id, and
// Error(Unsupported) for a workload that cannot be cut.
//
// RunReport::launch holds the share of each engine (sharesIn), RunReport::why its planes.
[[nodiscard]] std::unique_ptr<Plan> prepareJoined(const JoinedEngine& engine, const VariantTable& variants,
                                                  const Workload& workload, const std::string& variant,
                                                  const PrepareOptions& options, const Control& control);

// Expected seconds of a run, as VariantTable::predict; 0 if there is no prediction for one of the engines.
[[nodiscard]] double predictJoined(const JoinedEngine& engine, const VariantTable& variants, const Workload& workload,
                                   const std::string& variant, const PrepareOptions& options);

// Workloads that engines cannot share by parts of the outputs alone: they share them as ranks that exchange the borders
// of their parts.

struct Joiner {
  std::string workload;
  // `weights`: the shares of the engines, one each, or none for equal ones. Throws what preparing throws, and
  // Error(Usage) if the workload is too small for so many engines.
  std::unique_ptr<Plan> (*prepare)(std::span<Engine* const> engines, const VariantTable& variants,
                                   const std::string& variant, const Workload& workload,
                                   std::span<const double> weights, const PrepareOptions& options,
                                   const Control& control);
};

// The joiners of all subjects in this build (core/subjects.cpp).
[[nodiscard]] const std::vector<Joiner>& joiners();

}  // namespace sscope
