#include "ui/rooms/compare/look_models.h"

#include <QMetaObject>
#include <utility>

#include "ui/base/text.h"

namespace sscope {

namespace {

constexpr double kMapBegins = 0.92;  // as a share of all

AgreementModel::Map mapOf(const compare::ResultPair& pair, compare::ErrorUnit unit, const Control& control) {
  compare::ErrorMap made =
      compare::errorMap(*pair.results[0], *pair.results[1], unit, pair.results[0]->geometry(), control);
  return {std::make_shared<const Volume>(std::move(made.values)), made.window, unit, made.anyError};
}

}  // namespace

AgreementModel::AgreementModel(LookRunner& runner, QObject* parent) : QObject(parent), runner_(runner) {
  connect(&remake_, &BackgroundTask::failed, this, &AgreementModel::failed);
}

void AgreementModel::compare(const RaceJob& job, const std::vector<BenchRow>& contenders,
                             const compare::PairWish& wish) {
  remake_.cancel();
  runner_.run(QLatin1String(kKind), tr("agreement"),
              [this, job, contenders, wish, unit = unit_](const compare::RaceTrack& track, const compare::EmitRace&,
                                                          const Control& control) -> BackgroundTask::Finish {
                const compare::Case made = withData(job.what, control);
                compare::RaceWish race{made.workload, made.input, contenders, {}};
                race.how.threads = made.threads;
                auto pair = std::make_shared<const compare::ResultPair>(
                    compare::resultPair(track, race, wish, control.part(0, kMapBegins)));
                control.report(kMapBegins, fromQt(tr("map of the errors")));
                return [this, pair, recipe = job.what.recipe, map = mapOf(*pair, unit, control)] {
                  pair_ = pair;
                  recipe_ = recipe;
                  map_ = map;
                  Q_EMIT pairChanged();
                  setUnit(unit_);
                };
              });
}

void AgreementModel::setUnit(compare::ErrorUnit unit) {
  unit_ = unit;
  if (!pair_ || map_.unit == unit) {
    remake_.cancel();
    return;
  }
  remake_.start([this, pair = pair_, unit](const Control& control) -> BackgroundTask::Finish {
    return [this, map = mapOf(*pair, unit, control)] {
      map_ = map;
      Q_EMIT mapChanged();
    };
  });
}

void AgreementModel::clear() {
  if (busy()) runner_.cancel();
  remake_.cancel();
  if (!pair_) return;
  pair_.reset();
  map_ = {};
  Q_EMIT pairChanged();
}

BreakEvenModel::BreakEvenModel(LookRunner& runner, QObject* parent) : QObject(parent), runner_(runner) {}

void BreakEvenModel::fill(const RaceJob& job, const std::vector<BenchRow>& contenders,
                          const compare::BreakEvenAxes& axes, bool measure) {
  ++number_;
  job_ = job;
  job_.what.workload.reset();  // which may hold much memory
  contenders_ = contenders;
  const compare::Case& what = job.what;
  compare::BreakEvenWish wish{what.recipe, what.input ? what.input->geometry() : Geometry{}, contenders, axes, timing,
                              measure};
  wish.how.threads = what.threads;
  const auto filled = [this, number = number_](const compare::BreakEvenMap& map) {
    QMetaObject::invokeMethod(
        this, [this, number, map] { take(number, map); }, Qt::QueuedConnection);
  };
  runner_.run(QLatin1String(kKind), tr("break-even map"),
              [this, wish, filled, number = number_](const compare::RaceTrack& track, const compare::EmitRace& tell,
                                                     const Control& control) -> BackgroundTask::Finish {
                return
                    [this, number, map = compare::breakEven(track, wish, filled, tell, control)] { take(number, map); };
              });
}

void BreakEvenModel::take(std::uint64_t number, const compare::BreakEvenMap& map) {
  if (number != number_) return;
  map_ = map;
  Q_EMIT changed();
}

RaceJob BreakEvenModel::jobAt(const compare::BreakEvenCell& cell) const {
  compare::CaseRecipe recipe = job_.what.recipe;
  if (!map_.axes.parameter.empty()) recipe = compare::withParameter(std::move(recipe), map_.axes.parameter, cell.value);
  compare::DataRecipe& data = recipe.data;
  const bool image = data.spec.extent[2] == 1;
  data.from = compare::DataRecipe::From::Noise;
  data.name.clear();
  data.size = 0;
  data.spec.extent = {cell.edge, cell.edge, image ? 1 : cell.edge, data.spec.extent[3]};
  RaceJob job;
  job.what = compare::makeCase(std::move(recipe), nullptr);
  job.what.threads = job_.what.threads;
  job.outputs = job_.outputs;
  return job;
}

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

#include "moc_look_models.cpp"
