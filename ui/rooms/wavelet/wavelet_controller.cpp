#include "ui/rooms/wavelet/wavelet_controller.h"

#include <QMetaObject>
#include <algorithm>

#include "ui/base/text.h"
#include "ui/model/progress_pace.h"

namespace sscope {

namespace {

// Do they take the same time on the same engine? As engines run in a comparison, which gives all but the shown one
// their default variant.
bool sameTimes(const WaveletJob& now, const WaveletJob& before) {
  if (!before.input) return false;
  WaveletJob elsewhere = now;
  if (now.settings.variant.empty() && before.settings.variant.empty()) elsewhere.engine = before.engine;
  return sameForward(elsewhere, before);
}

}  // namespace

WaveletController::WaveletController(const Toolbox& toolbox, SessionModel& model, QObject* parent)
    : QObject(parent), toolbox_(toolbox), model_(model) {
  runner_ = std::make_unique<WaveletRunner>(*toolbox.engines, *toolbox.variants,
                                            [this](WaveletUpdate update) { deliver(std::move(update)); });
  model.follow<WaveletSettings>(this, &WaveletController::schedule);
  connect(&model, &SessionModel::engineChoiceChanged, this, &WaveletController::schedule);
  connect(&model, &SessionModel::viewChanged, this, [this] {
    if (model_.hasData() && component() != job_.component) schedule();
  });
  connect(&model, &SessionModel::dataChanged, this, [this] {
    firstWanted_ = request_ + 1;
    result_.reset();
    verification_.reset();
    times_.forget();
    schedule();
  });
  connect(&model, &SessionModel::heldChanged, this, [this](bool held) {
    if (!held) compareIfDue();
  });
}

std::string WaveletController::engineId() const {
  const std::string& chosen = model_.session().engine;
  return chosen.empty() ? toolbox_.engines->preferred().info().id : chosen;
}

std::string WaveletController::variant() const {
  const WaveletSettings& settings = model_.settings<WaveletSettings>();
  for (const EngineInfo& info : toolbox_.engines->infos()) {
    if (info.id != engineId()) continue;
    for (const Variant* variant : toolbox_.variants->rows(settings.transform, info.kind))
      if (variant->name == settings.variant) return settings.variant;
  }
  return {};
}

int WaveletController::component() const {
  if (!model_.hasData()) return 0;
  return std::clamp(model_.view().component, 0, model_.data().volume->shape().components - 1);
}

void WaveletController::setActive(bool active) {
  if (active == active_) return;
  active_ = active;
  if (!active) {
    owed_ = owed_ || busy_;
    stop();
  } else if (owed_) {
    schedule();
  } else {
    compareIfDue();
  }
}

void WaveletController::setPaused(bool paused) {
  if (paused == paused_) return;
  paused_ = paused;
  if (paused) {
    owed_ = owed_ || busy_;
    stop();
  } else if (owed_ && active_) {
    schedule();
  } else {
    compareIfDue();
  }
}

void WaveletController::setCompare(std::vector<std::string> engines) {
  if (comparison_.choose(std::move(engines))) compareAnew();
}

void WaveletController::repeatComparison() {
  comparison_.askForMore(comparing_);
  compareAnew();
}

void WaveletController::compareAnew() {
  if (comparing_) stop();
  compareIfDue();
}

void WaveletController::holdComparison(const QObject* view, bool held) {
  if (held) {
    drawing_.insert(view);
  } else {
    drawing_.erase(view);
  }
  runner_->holdTurns(!drawing_.empty());
}

void WaveletController::setComparing(bool comparing) {
  if (comparing == comparing_) return;
  comparing_ = comparing;
  Q_EMIT comparisonChanged();
}

// Once the worker has verified what is shown: what is timed would stop the verification.
void WaveletController::compareIfDue() {
  if (busy_ || scheduled_ || comparing_ || !active_ || paused_ || model_.held()) return;
  if (!current_ || !result_ || !verification_) return;
  const std::optional<Contest> due = comparison_.due(job_.engine, job_.settings.variant);
  if (!due) return;
  request_ = runner_->takeTurns({.contest = *due, .job = job_});
  setComparing(true);
}

void WaveletController::runAgain() {
  comparison_.setDeclined(false);
  schedule();
}

void WaveletController::schedule() {
  current_ = false;
  setComparing(false);
  if (!active_ || paused_) {
    owed_ = true;
    return;
  }
  if (scheduled_) return;
  scheduled_ = true;
  QMetaObject::invokeMethod(this, &WaveletController::submit, Qt::QueuedConnection);
}

void WaveletController::submit() {
  scheduled_ = false;
  if (!active_ || paused_) {
    owed_ = true;
    return;
  }
  owed_ = false;
  if (!model_.hasData()) {
    runner_->cancel();
    firstWanted_ = request_ + 1;
    busy_ = false;
    Q_EMIT emptied();
    return;
  }
  WaveletJob job;
  job.input = model_.data().volume;
  job.inputIdentity = model_.data().identity;
  job.component = component();
  job.settings = model_.settings<WaveletSettings>();
  job.settings.variant = variant();
  job.engine = engineId();
  job.threads = model_.session().threads;
  job.crosshair = model_.crosshair();
  const std::string& layout = model_.settings<WaveletView>().layout;
  job.previewed = {layout == "all" || layout == "axial", layout == "all" || layout == "coronal",
                   layout == "all" || layout == "sagittal"};
  const bool another = !sameTimes(job, job_);
  if (another) {
    times_.beginSetting();
    comparison_.beginSetting();
  } else if (job.engine != job_.engine) {
    comparison_.setDeclined(false);
  }
  job_ = job;
  busy_ = true;
  request_ = runner_->submit(std::move(job));
  if (another) firstOfSetting_ = request_;
  Q_EMIT started();
}

void WaveletController::cancel() {
  const bool verifying = !busy_ && !scheduled_ && current_ && result_ && !verification_;
  if (comparing_ || verifying) comparison_.setDeclined(true);
  stop();
  if (!verifying) return;
  runner_->cancel();
  firstWanted_ = request_ + 1;
  verification_.emplace();
  verification_->failure = fromQt(tr("canceled"));
  times_.takeVerification(result_->forward.engine, *verification_);
  Q_EMIT verified();
}

void WaveletController::stop() {
  if (!busy_ && !comparing_) return;
  runner_->cancel();
  firstWanted_ = request_ + 1;
  setComparing(false);
  if (!busy_) return;
  busy_ = false;
  Q_EMIT canceled();
}

void WaveletController::deliver(WaveletUpdate update) {
  if (update.stage == WaveletUpdate::Stage::Progress) {
    const std::int64_t now = nowMilliseconds();
    if (now - lastProgress_.load() < kProgressIntervalMilliseconds) return;
    lastProgress_.store(now);
  }
  QMetaObject::invokeMethod(
      this, [this, update = std::move(update)] { receive(update); }, Qt::QueuedConnection);
}

void WaveletController::receive(const WaveletUpdate& update) {
  using Stage = WaveletUpdate::Stage;
  if (update.request < firstWanted_) return;
  const bool newest = update.request == request_;
  switch (update.stage) {
    case Stage::Preview: Q_EMIT previewed(*update.preview); break;
    case Stage::Ready:
      result_ = update.result;
      verification_.reset();
      if (newest) {
        busy_ = false;
        current_ = !scheduled_;
      }
      if (!result_->forwardReused && update.request >= firstOfSetting_) times_.takeShown(result_->forward);
      Q_EMIT ready();
      break;
    case Stage::Verified:
      if (result_ != update.result) break;
      verification_ = update.verification;
      if (update.request >= firstOfSetting_) times_.takeVerification(result_->forward.engine, update.verification);
      Q_EMIT verified();
      compareIfDue();
      break;
    case Stage::Turn:
      if (newest) takeTurn(update.turn);
      break;
    case Stage::Idle:
      if (!newest) break;
      setComparing(false);
      compareIfDue();
      break;
    case Stage::Progress:
      if (newest) Q_EMIT progressed(update.fraction, toQt(update.message));
      break;
    case Stage::Failed:
      if (!newest) break;
      if (comparing_) {  // the result stands
        TurnsUpdate turn;
        turn.report.engine = job_.engine;
        turn.failure = update.message;
        comparison_.setDeclined(true);
        setComparing(false);
        takeTurn(turn);
        break;
      }
      busy_ = false;
      result_.reset();
      Q_EMIT failed(toQt(update.message));
      break;
    case Stage::Canceled: busy_ = false; break;
  }
}

void WaveletController::takeTurn(const TurnsUpdate& turn) {
  comparison_.take(turn);
  times_.takeTurn(turn);
  Q_EMIT compared();
}

std::vector<EngineRow> WaveletController::rows() const { return times_.rows(*toolbox_.engines, engineId()); }

}  // namespace sscope
