#include "ui/rooms/compare/break_even_model.h"

#include <QMetaObject>
#include <utility>

namespace sscope {

BreakEvenModel::BreakEvenModel(LookRunner& runner, QObject* parent) : QObject(parent), runner_(runner) {}

void BreakEvenModel::fill(const RaceJob& job, const std::vector<BenchRow>& contenders,
                          const compare::BreakEvenAxes& axes, bool measure) {
  ++number_;
  job_ = job;
  job_.what.workload.reset();  // may hold much memory
  contenders_ = contenders;
  const compare::Case& what = job.what;
  compare::BreakEvenWish wish{what.recipe, what.input ? what.input->geometry() : Geometry{}, contenders, axes, timing,
                              measure};
  wish.how.threads = what.threads;
  const auto told = [this, number = number_](const compare::BreakEvenMap& map) {
    QMetaObject::invokeMethod(
        this, [this, number, map] { take(number, map); }, Qt::QueuedConnection);
  };
  runner_.run(QLatin1String(kKind), tr("break-even map"),
              [this, wish, told, number = number_](const compare::RaceTrack& track, const compare::EmitRace& tell,
                                                   const Control& control) -> BackgroundTask::Finish {
                return
                    [this, number, map = compare::breakEven(track, wish, told, tell, control)] { take(number, map); };
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

}  // namespace sscope

#include "moc_break_even_model.cpp"
