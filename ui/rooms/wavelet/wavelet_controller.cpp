#include "ui/rooms/wavelet/wavelet_controller.h"

#include <QMetaObject>
#include <algorithm>

#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/model/engine_figures.h"
#include "ui/model/progress_pace.h"

namespace sscope {

namespace {

constexpr std::size_t kMostReports = 50;

double medianOf(const std::vector<RunReport>& reports, double Phases::*phase) {
  std::vector<double> values;
  for (const RunReport& report : reports) values.push_back(report.phases.*phase);
  return quartiles(std::move(values)).median;
}

double most(const std::vector<RunReport>& reports, double Phases::*phase) {
  double most = 0;
  for (const RunReport& report : reports) most = std::max(most, report.phases.*phase);
  return most;
}

}  // namespace

WaveletController::WaveletController(const Toolbox& toolbox, SessionModel& model, QObject* parent)
    : QObject(parent), toolbox_(toolbox), model_(model) {
  runner_ = std::make_unique<WaveletRunner>(*toolbox.engines, *toolbox.variants,
                                            [this](WaveletUpdate update) { deliver(std::move(update)); });
  connect(&model, &SessionModel::waveletChanged, this, &WaveletController::schedule);
  connect(&model, &SessionModel::engineChoiceChanged, this, &WaveletController::schedule);
  connect(&model, &SessionModel::viewChanged, this, [this] {
    if (model_.hasData() && component() != job_.component) schedule();
  });
  connect(&model, &SessionModel::dataChanged, this, [this] {
    firstWanted_ = request_ + 1;
    result_.reset();
    verification_.reset();
    reports_.clear();
    verifications_.clear();
    failures_.clear();
    schedule();
  });
}

std::string WaveletController::engineId() const {
  const std::string& chosen = model_.session().engine;
  return chosen.empty() ? toolbox_.engines->preferred().info().id : chosen;
}

std::string WaveletController::variant() const {
  const WaveletSettings& settings = model_.wavelet();
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
    cancel();
  } else if (owed_) {
    schedule();
  }
}

void WaveletController::setPaused(bool paused) {
  if (paused == paused_) return;
  paused_ = paused;
  if (paused) {
    owed_ = owed_ || busy_;
    cancel();
  } else if (owed_ && active_) {
    schedule();
  }
}

void WaveletController::setCompare(std::vector<std::string> engines) {
  if (engines == compare_) return;
  compare_ = std::move(engines);
  schedule();
}

void WaveletController::runAgain() { schedule(); }

void WaveletController::schedule() {
  current_ = false;
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
  job.settings = model_.wavelet();
  job.settings.variant = variant();
  job.engine = engineId();
  job.threads = model_.session().threads;
  job.crosshair = model_.crosshair();
  const std::string& layout = model_.view().waveletLayout;
  job.previewed = {layout == "all" || layout == "axial", layout == "all" || layout == "coronal",
                   layout == "all" || layout == "sagittal"};
  // Times of another transform say nothing about this one; those of other engines stay.
  WaveletJob elsewhere = job;
  elsewhere.engine = job_.engine;
  elsewhere.settings.variant = job_.settings.variant;
  if (!job_.input || !sameForward(elsewhere, job_)) {
    reports_.clear();
    verifications_.clear();
    failures_.clear();
  }
  job_ = job;
  busy_ = true;
  request_ = runner_->submit(std::move(job), compare_);
  Q_EMIT started();
}

void WaveletController::cancel() {
  if (!busy_) return;
  runner_->cancel();
  firstWanted_ = request_ + 1;
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
      if (!result_->forwardReused) remember(result_->forward);
      Q_EMIT ready();
      break;
    case Stage::Verified:
      if (result_ != update.result) break;
      verification_ = update.verification;
      verifications_[result_->forward.engine] = update.verification;
      Q_EMIT verified();
      break;
    case Stage::Compared: {
      if (!newest) break;
      const RunReport& report = update.elsewhere.report;
      if (update.message.empty()) {
        remember(report);
        verifications_[report.engine] = update.elsewhere.verification;
      } else {
        failures_[report.engine] = update.message;
      }
      Q_EMIT compared();
      break;
    }
    case Stage::Progress:
      if (newest) Q_EMIT progressed(update.fraction, toQt(update.message));
      break;
    case Stage::Failed:
      if (!newest) break;
      busy_ = false;
      result_.reset();
      Q_EMIT failed(toQt(update.message));
      break;
    case Stage::Canceled: busy_ = false; break;
  }
}

void WaveletController::remember(const RunReport& report) {
  std::vector<RunReport>& reports = reports_[report.engine];
  if (reports.size() == kMostReports) reports.erase(reports.begin());
  reports.push_back(report);
}

std::vector<EngineRow> WaveletController::rows() const {
  std::vector<EngineRow> present, absent;
  for (const EngineInfo& info : toolbox_.engines->infos()) {
    EngineRow row;
    row.id = info.id;
    row.absentReason = info.absentReason;
    row.current = info.available() && info.id == engineId();
    if (const auto failure = failures_.find(info.id); failure != failures_.end()) row.verification = failure->second;
    const auto found = reports_.find(info.id);
    if (found != reports_.end()) {
      const std::vector<RunReport>& reports = found->second;
      const RunReport& last = reports.back();
      std::vector<RunReport> runs = reports;
      for (RunReport& run : runs) run.phases.total = secondsOfRun(run.phases);
      row.measured = true;
      row.variant = last.variant;
      // The first run compiled what the others find compiled: paid once, and no part of a run.
      row.phases = {.compile = most(reports, &Phases::compile),
                    .upload = medianOf(reports, &Phases::upload),
                    .kernel = medianOf(reports, &Phases::kernel),
                    .download = medianOf(reports, &Phases::download),
                    .total = medianOf(runs, &Phases::total)};
      for (const RunReport& report : runs) row.samples.push_back(report.phases.total);
      row.provisional = runs.size() == 1;
      if (row.phases.kernel > 0) row.gflops = last.operations / row.phases.kernel * 1e-9;
      const auto checked = verifications_.find(info.id);
      row.verified = checked != verifications_.end() && checked->second.verified;
      row.verification = checked == verifications_.end() ? "being verified" : verificationText(checked->second);
    }
    (row.absentReason.empty() ? present : absent).push_back(std::move(row));
  }
  present.insert(present.end(), absent.begin(), absent.end());
  return present;
}

}  // namespace sscope
