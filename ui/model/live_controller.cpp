#include "ui/model/live_controller.h"

#include <QMetaObject>
#include <chrono>

#include "ui/base/text.h"

namespace sscope {

namespace {

// Above this a held slider asks for previews only: stopping a whole run would delay the next preview.
constexpr double kFastWholeSeconds = 0.05;
constexpr std::int64_t kProgressIntervalMilliseconds = 30;

std::int64_t nowMilliseconds() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace

LiveController::LiveController(const Toolbox& toolbox, SessionModel& model, QObject* parent)
    : QObject(parent), toolbox_(toolbox), model_(model) {
  runner_ = std::make_unique<LiveRunner>(*toolbox.engines, *toolbox.variants,
                                         [this](LiveUpdate update) { deliver(std::move(update)); });
  connect(&model, &SessionModel::bankChanged, this, &LiveController::scheduleSubmit);
  connect(&model, &SessionModel::engineChoiceChanged, this, &LiveController::scheduleSubmit);
  connect(&model, &SessionModel::dataChanged, this, [this] {
    firstWanted_ = request_ + 1;
    lastWholeSeconds_ = 0;
    scheduleSubmit();
  });
  connect(&model, &SessionModel::crosshairChanged, this, &LiveController::submitForView);
  connect(&model, &SessionModel::shownFilterChanged, this, &LiveController::submitForView);
  connect(&model, &SessionModel::heldChanged, this, [this](bool held) {
    if (!held && wholeOwed_) scheduleSubmit();
  });
}

void LiveController::setCompare(std::vector<std::string> engines) {
  if (engines == compare_) return;
  compare_ = std::move(engines);
  scheduleSubmit();
}

void LiveController::runAgain() { scheduleSubmit(); }

std::string LiveController::engineId() const {
  const std::string& chosen = model_.session().engine;
  return chosen.empty() ? toolbox_.engines->preferred().info().id : chosen;
}

// Several changes of one event (a session opened: data, bank and engine) make one request.
void LiveController::scheduleSubmit() {
  result_.reset();
  if (scheduled_) return;
  scheduled_ = true;
  QMetaObject::invokeMethod(this, &LiveController::submit, Qt::QueuedConnection);
}

// The crosshair and the shown filter matter only as long as slices have to be previewed.
void LiveController::submitForView() {
  if (!result_ && busy_) scheduleSubmit();
}

void LiveController::submit() {
  scheduled_ = false;
  if (paused_) {
    owed_ = true;
    return;
  }
  if (!model_.hasData()) {
    stop();
    Q_EMIT nothingToRun(tr("no data is open"));
    return;
  }
  if (model_.bank().enabled().empty()) {
    stop();
    Q_EMIT nothingToRun(tr("no filter is switched on: add or enable one"));
    return;
  }
  LiveRequest request;
  request.input = model_.data().volume;
  request.inputIdentity = model_.data().identity;
  request.bank = model_.bank();
  request.engine = engineId();
  request.variant = model_.session().variant;
  request.threads = model_.session().threads;
  request.crosshair = model_.crosshair();
  request.shownFilter = model_.shownFilterIndex();
  request.whole = !(model_.held() && lastWholeSeconds_ > kFastWholeSeconds);
  wholeOwed_ = !request.whole;
  if (!model_.held()) request.compare = compare_;
  busy_ = true;
  request_ = runner_->submit(std::move(request));
  Q_EMIT started();
}

void LiveController::stop() {
  runner_->cancel();
  firstWanted_ = request_ + 1;  // whatever still arrives is older
  busy_ = false;
  wholeOwed_ = false;
}

void LiveController::cancel() {
  if (!busy_) return;
  stop();
  Q_EMIT canceled();
}

void LiveController::setPaused(bool paused) {
  if (paused == paused_) return;
  paused_ = paused;
  if (paused) {
    owed_ = busy_;
    cancel();
  } else if (owed_) {
    owed_ = false;
    if (model_.hasData()) scheduleSubmit();
  }
}

void LiveController::deliver(LiveUpdate update) {
  if (update.stage == LiveUpdate::Stage::Progress) {
    const std::int64_t now = nowMilliseconds();
    if (now - lastProgress_.load() < kProgressIntervalMilliseconds) return;
    lastProgress_.store(now);
  }
  QMetaObject::invokeMethod(
      this, [this, update = std::move(update)] { receive(update); }, Qt::QueuedConnection);
}

void LiveController::receive(const LiveUpdate& update) {
  using Stage = LiveUpdate::Stage;
  if (update.request < firstWanted_) return;
  if (update.request != request_ && update.stage != Stage::Preview) return;
  switch (update.stage) {
    case Stage::Preview: Q_EMIT previewReady(update); break;
    case Stage::Whole:
      // A change that is waiting to be submitted makes this result old; it is still the best to look at.
      if (!scheduled_) result_ = update.result;
      lastWholeSeconds_ = update.report.phases.total;
      Q_EMIT wholeReady(update);
      break;
    case Stage::Verified: Q_EMIT verified(update); break;
    case Stage::Compared: Q_EMIT compared(update); break;
    case Stage::Progress: Q_EMIT progressed(update.fraction, toQt(update.message)); break;
    case Stage::Failed:
      busy_ = false;
      Q_EMIT failed(toQt(update.message));
      break;
    case Stage::Canceled:
    case Stage::Idle:
      busy_ = false;
      Q_EMIT idle();
      break;
  }
}

}  // namespace sscope
