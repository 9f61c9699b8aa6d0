#include "ui/rooms/wavelet/wavelet_controller.h"

#include <QMetaObject>
#include <algorithm>

#include "core/base/overloaded.h"
#include "ui/base/text.h"
#include "ui/model/seen_slices.h"

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
    : QObject(parent), toolbox_(toolbox), model_(model), bridge_([this](const WaveletNews& news) { receive(news); }) {
  runner_ = std::make_unique<WaveletRunner>(*toolbox.engines, *toolbox.variants, bridge_.entrance());
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
  if (!model_.hasData() || model_.data().large) {
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
  job.previewed = seenSlices(model_.settings<WaveletView>().layout, *job.input);
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

void WaveletController::receive(const WaveletNews& news) {
  if (news.request < firstWanted_) return;
  const bool newest = news.request == request_;
  std::visit(Overloaded{
                 [this](const WaveletSlices& preview) { Q_EMIT previewed(*preview); },
                 [&](const WaveletReady& ready) { take(ready, news.request); },
                 [&](const WaveletVerified& verified) { take(verified, news.request); },
                 [&](const TurnsUpdate& turn) {
                   if (newest) takeTurn(turn);
                 },
                 [&](const IdleNews&) {
                   if (!newest) return;
                   setComparing(false);
                   compareIfDue();
                 },
                 [&](const ProgressNews& progress) {
                   if (newest) Q_EMIT progressed(progress.fraction, toQt(progress.message));
                 },
                 [&](const FailedNews& failure) {
                   if (newest) take(failure);
                 },
                 [this](const CanceledNews&) { busy_ = false; },
             },
             news.what);
}

void WaveletController::take(const WaveletReady& news, std::uint64_t request) {
  result_ = news.result;
  verification_.reset();
  if (request == request_) {
    busy_ = false;
    current_ = !scheduled_;
  }
  if (!result_->forwardReused && request >= firstOfSetting_) times_.takeShown(result_->forward);
  Q_EMIT ready();
}

void WaveletController::take(const WaveletVerified& news, std::uint64_t request) {
  if (result_ != news.result) return;
  verification_ = news.verification;
  if (request >= firstOfSetting_) times_.takeVerification(result_->forward.engine, news.verification);
  Q_EMIT verified();
  compareIfDue();
}

void WaveletController::take(const FailedNews& failure) {
  if (comparing_) {  // the result stands
    TurnsUpdate turn;
    turn.report.engine = job_.engine;
    turn.failure = failure.message;
    comparison_.setDeclined(true);
    setComparing(false);
    takeTurn(turn);
    return;
  }
  busy_ = false;
  result_.reset();
  Q_EMIT failed(toQt(failure.message));
}

void WaveletController::takeTurn(const TurnsUpdate& turn) {
  comparison_.take(turn);
  times_.takeTurn(turn);
  Q_EMIT compared();
}

std::vector<EngineRow> WaveletController::rows() const { return times_.rows(*toolbox_.engines, engineId()); }

}  // namespace sscope

#include "moc_wavelet_controller.cpp"
