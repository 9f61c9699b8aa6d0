#include "ui/rooms/compare/agreement_model.h"

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

}  // namespace sscope

#include "moc_agreement_model.cpp"
