#include "ui/rooms/lattice/solve_controller.h"

#include <utility>

#include "core/base/overloaded.h"
#include "ui/base/text.h"

namespace sscope {

SolveController::SolveController(const Toolbox& toolbox, QObject* parent)
    : QObject(parent), bridge_([this](const SolveNews& news) { receive(news); }) {
  runner_ = std::make_unique<SolveRunner>(*toolbox.engines, *toolbox.variants, bridge_.entrance());
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

void SolveController::receive(const SolveNews& news) {
  if (news.request != request_) return;
  std::visit(Overloaded{
                 [this](const SolveStep& step) {
                   place_ = step.place;
                   step_ = step.message;
                   noteOthers();
                   Q_EMIT stepped();
                 },
                 [this](const SolvePoints& more) {
                   noteOthers();
                   std::vector<SolvePoint>& points = lines_.at(more.place).points;
                   points.insert(points.end(), more.points.begin(), more.points.end());
                   Q_EMIT advanced();
                 },
                 [this](const SolveDone& done) {
                   lines_.at(done.place).run = done.run;
                   Q_EMIT solved();
                 },
                 [](const ProgressNews&) {},
                 [this](const IdleNews&) {
                   busy_ = false;
                   Q_EMIT finished();
                 },
                 [this](const FailedNews& failure) {
                   busy_ = false;
                   Q_EMIT failed(toQt(failure.message));
                 },
                 [this](const CanceledNews&) { busy_ = false; },
             },
             news.what);
}

}  // namespace sscope

#include "moc_solve_controller.cpp"
