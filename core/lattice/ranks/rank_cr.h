#pragma once
// The conjugate residual over ranks: each iterates on its part of the lattice on an engine of its own. The same bits as
// one engine of the same kind gives for the whole lattice.

#include <memory>
#include <string>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/lattice/ranks/lattice_part.h"
#include "core/lattice/ranks/part_cr.h"
#include "core/lattice/workload/cr_workload.h"

namespace sscope::lattice {

class RankCr {
 public:
  // Every rank. As RankDirac. Throws also Error(Unsupported) where an engine cannot be one of several.
  RankCr(reach::Communicator& communicator, const LatticePart& part, const GaugeField& links,
         const CrParameters& parameters, Engine& engine, const VariantTable& variants, const std::string& variant,
         const PrepareOptions& options, const Control& control);
  // The same with links that have their halo already (withHalo).
  RankCr(const LatticePart& part, std::shared_ptr<const GaugeField> links, const CrParameters& parameters,
         Engine& engine, const VariantTable& variants, const std::string& variant, const PrepareOptions& options,
         const Control& control);

  // Every rank, with its part's spinors, and the same request but for its observers. Throws as PartCrPlan.
  CrOutcome solve(reach::Communicator& communicator, const CrPlace& place, const CrRequest& request,
                  const Control& control);

  [[nodiscard]] const LatticePart& part() const { return part_; }
  [[nodiscard]] std::string description() const { return plan_->description(); }
  [[nodiscard]] std::int64_t scratchBytes() const;

 private:
  LatticePart part_;
  std::shared_ptr<const GaugeField> links_;  // with halo
  std::unique_ptr<Plan> plan_;
  PartCrPlan* ranked_ = nullptr;  // plan_
};

}  // namespace sscope::lattice
