#pragma once
// The conjugate residual over ranks.

#include <cstdint>
#include <memory>
#include <string>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/lattice/ranks/lattice_part.h"
#include "core/lattice/workload/cr_workload.h"
#include "core/parts/communicator.h"

namespace sscope {

// The ability of plans of the workload cr to be one of several ranks: prepared for the extended lattice of a part, with
// the links of the halo, they iterate on the part's own sites.

// A part's spinors in the caller's arrays: consecutive time slices are `slice` elements apart.
struct CrPlace {
  const lattice::Complex* source = nullptr;
  lattice::Complex* solution = nullptr;
  std::int64_t slice = 0;
};

class PartCrPlan {
 public:
  virtual ~PartCrPlan() = default;
  // Why this part cannot be computed; empty if it can.
  [[nodiscard]] virtual std::string refused(const lattice::LatticePart& /*part*/) const { return {}; }
  // Called by every rank with the same request except for its observers. Sums are those of OrderedSum, so that all
  // ranks make the same decisions, and the solution is that of one rank to the last bit. Throws as CrPlan::solve(), and
  // Error(Io).
  virtual CrOutcome solvePart(reach::Communicator& communicator, const lattice::LatticePart& part, const CrPlace& place,
                              const CrRequest& request, const Control& control) = 0;
};

}  // namespace sscope

namespace sscope::lattice {

// The conjugate residual over ranks: each iterates on its part of the lattice on an engine of its own. The same bits as
// one engine of the same kind gives for the whole lattice.
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
  PartCrPlan* ranked_ = nullptr;  // the ability of plan_
};

}  // namespace sscope::lattice
