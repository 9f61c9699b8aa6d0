#include "core/lattice/ranks/rank_cr.h"

#include <utility>

#include "core/base/ability.h"
#include "core/base/error.h"
#include "core/lattice/ranks/halo.h"

namespace sscope::lattice {

RankCr::RankCr(reach::Communicator& communicator, const LatticePart& part, const GaugeField& links,
               const CrParameters& parameters, Engine& engine, const VariantTable& variants, const std::string& variant,
               const PrepareOptions& options, const Control& control)
    : RankCr(part, std::make_shared<GaugeField>(withHalo(links, part, communicator, control)), parameters, engine,
             variants, variant, options, control) {}

RankCr::RankCr(const LatticePart& part, std::shared_ptr<const GaugeField> links, const CrParameters& parameters,
               Engine& engine, const VariantTable& variants, const std::string& variant, const PrepareOptions& options,
               const Control& control)
    : part_(part),
      links_(std::move(links)),
      plan_(variants.prepare(engine, CrWorkload(links_, parameters), variant, options, control)),
      ranked_(abilityOf<PartCrPlan>(*plan_)) {
  if (ranked_ == nullptr)
    throw Error(ErrorKind::Unsupported, engine.info().id + " cannot share the conjugate residual with other engines",
                "join engines of the processor, or devices with the variant tuned, or give one engine");
  if (const std::string why = ranked_->refused(part_); !why.empty())
    throw Error(ErrorKind::Unsupported, why, "take fewer ranks or engines");
}

CrOutcome RankCr::solve(reach::Communicator& communicator, const CrPlace& place, const CrRequest& request,
                        const Control& control) {
  return ranked_->solvePart(communicator, part_, place, request, control);
}

std::int64_t RankCr::scratchBytes() const {
  return static_cast<std::int64_t>(links_->links().size() * sizeof(Matrix3)) + plan_->scratchBytes();
}

}  // namespace sscope::lattice
