#include "ui/rooms/compare/contract_model.h"

namespace sscope {

ContractModel::ContractModel(LookRunner& runner, QObject* parent) : QObject(parent), runner_(runner) {}

void ContractModel::probe(const RaceJob& job, const std::vector<BenchRow>& contenders) {
  const Geometry geometry = job.what.input ? job.what.input->geometry() : Geometry{};
  const auto make = [recipe = job.what.recipe, geometry](const ArraySpec& spec) {
    return compare::makeWorkload(recipe, spec, geometry);
  };
  const auto adjoint = [recipe = job.what.recipe](const Workload& workload, std::size_t output) {
    return compare::adjointOf(recipe, workload, output);
  };
  runner_.run(QLatin1String(kKind), tr("contract"),
              [this, make, adjoint, job, contenders](const compare::RaceTrack& track, const compare::EmitRace&,
                                                     const Control& control) -> BackgroundTask::Finish {
                auto contract = std::make_shared<const compare::Contract>(compare::probed(
                    track, make, adjoint, job.what.recipe.data.spec, contenders, job.what.threads, control));
                return [this, contract, recipe = job.what.recipe] {
                  contract_ = contract;
                  recipe_ = recipe;
                  Q_EMIT changed();
                };
              });
}

}  // namespace sscope

#include "moc_contract_model.cpp"
