#include "ui/rooms/lattice/solve_controller.h"

#include <QMetaObject>
#include <utility>

#include "ui/base/text.h"

namespace sscope {

SolveController::SolveController(const Toolbox& toolbox, QObject* parent) : QObject(parent) {
  runner_ = std::make_unique<SolveRunner>(*toolbox.engines, *toolbox.variants, [this](SolveUpdate update) {
    QMetaObject::invokeMethod(
        this, [this, update = std::move(update)] { receive(update); }, Qt::QueuedConnection);
  });
}

void SolveController::solve(SolveJob job, std::vector<SolvePlace> places) {
  job_ = job;
  lines_.clear();
  for (const SolvePlace& place : places) lines_.push_back({place, {}, nullptr, false});
  place_ = 0;
  step_.clear();
  busy_ = true;
  request_ = runner_->submit(std::move(job), std::move(places));
  Q_EMIT started();
}

void SolveController::noteOthers() {
  if (busy_ && place_ < lines_.size() && !lines_[place_].run && othersBusy_ && othersBusy_())
    lines_[place_].shared = true;
}

void SolveController::cancel() {
  if (!busy_) return;
  runner_->cancel();
  request_ = 0;
  busy_ = false;
  Q_EMIT canceled();
}

void SolveController::clear() {
  cancel();
  lines_.clear();
  job_ = {};
  Q_EMIT cleared();
}

void SolveController::receive(const SolveUpdate& update) {
  using Stage = SolveUpdate::Stage;
  if (update.request != request_) return;
  switch (update.stage) {
    case Stage::Step:
      place_ = update.place;
      step_ = update.message;
      noteOthers();
      Q_EMIT stepped();
      break;
    case Stage::Points: {
      noteOthers();
      std::vector<SolvePoint>& points = lines_.at(update.place).points;
      points.insert(points.end(), update.points.begin(), update.points.end());
      Q_EMIT advanced();
      break;
    }
    case Stage::Untraced:
    case Stage::Done:
      lines_.at(update.place).run = update.run;
      Q_EMIT solved();
      break;
    case Stage::Finished:
      busy_ = false;
      Q_EMIT finished();
      break;
    case Stage::Failed:
      busy_ = false;
      Q_EMIT failed(toQt(update.message));
      break;
    case Stage::Canceled: busy_ = false; break;
  }
}

}  // namespace sscope
