#include "ui/model/engine_figures.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/filter/job/fitting_bank.h"
#include "core/filter/program/program_workload.h"
#include "ui/charts/chart_format.h"

namespace sscope {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kMostWaits = 15;
// A change later than this after an event of mouse or keyboard has another cause.
constexpr std::chrono::milliseconds kOfEvent{250};
const auto kFrameEvent = static_cast<QEvent::Type>(QEvent::registerEventType());

double secondsBetween(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

bool isInput(QEvent::Type type) {
  return type == QEvent::MouseMove || type == QEvent::MouseButtonPress || type == QEvent::MouseButtonRelease ||
         type == QEvent::KeyPress || type == QEvent::Wheel;
}

}  // namespace

WaitClock::WaitClock(LiveController& live, QObject* parent) : QObject(parent), live_(live) {
  QCoreApplication::instance()->installEventFilter(this);
  connect(&live, &LiveController::settingChanged, this, &WaitClock::noteSetting);
  connect(&live, &LiveController::started, this, &WaitClock::noteStarted);
  connect(&live, &LiveController::previewReady, this, &WaitClock::notePreview);
}

// The window receives an event before its widgets do; the first time counts.
bool WaitClock::eventFilter(QObject* watched, QEvent* event) {
  if (isInput(event->type()) && (watched->isWindowType() || !event->spontaneous())) input_ = Clock::now();
  return false;
}

void WaitClock::noteSetting() {
  if (changed_ || !live_.held()) return;
  const Time now = Clock::now();
  changed_ = input_ && now - *input_ < kOfEvent ? *input_ : now;
}

void WaitClock::noteStarted() {
  if (changed_) events_[live_.request()] = *changed_;
  changed_.reset();
}

void WaitClock::notePreview(const LivePreview& preview) {
  if (!preview.last) return;
  const auto found = events_.find(live_.newsOf());
  if (found == events_.end()) return;
  const Phases& phases = preview.report.phases;
  shown_ = {.event = found->second,
            .arrived = Clock::now(),
            .wait = {.engine = preview.report.engine,
                     .slices = preview.count,
                     .kernel = phases.kernel,
                     .copies = phases.upload + phases.download}};
  // Earlier ones were superseded.
  events_.erase(events_.begin(), std::next(found));
}

void WaitClock::notePainted() {
  if (!shown_ || framePosted_) return;
  framePosted_ = true;
  // Handled right after the event that paints: the frame is complete and passed on by then.
  QCoreApplication::postEvent(this, new QEvent(kFrameEvent), Qt::HighEventPriority);
}

bool WaitClock::event(QEvent* event) {
  if (event->type() != kFrameEvent) return QObject::event(event);
  noteFrame();
  return true;
}

void WaitClock::noteFrame() {
  framePosted_ = false;
  if (!shown_) return;
  const Time now = Clock::now();
  Wait wait = shown_->wait;
  wait.pictures = secondsBetween(shown_->arrived, now);
  wait.total = secondsBetween(shown_->event, now);
  shown_.reset();
  if (!waits_.empty() && waits_.back().engine != wait.engine) waits_.clear();
  waits_.push_back(wait);
  if (waits_.size() > kMostWaits) waits_.pop_front();
  Q_EMIT waited(wait);
}

std::optional<Wait> WaitClock::median() const {
  if (waits_.empty()) return std::nullopt;
  std::vector<Wait> sorted(waits_.begin(), waits_.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end(),
                   [](const Wait& a, const Wait& b) { return a.total < b.total; });
  Wait median = *middle;
  median.steps = static_cast<int>(waits_.size());
  return median;
}

namespace {

// A bar is not dimmed if its new result arrives within this time.
constexpr int kDimAfterMilliseconds = 150;

// The workload of the rows that fit the data.
std::unique_ptr<Workload> workloadOf(const FilterBank& bank, const Volume& volume) {
  return bankWorkload(fittingBank(bank, volume).bank, volume.spec(), volume.geometry(), true);
}

}  // namespace

EngineFigures::EngineFigures(const Toolbox& toolbox, SessionModel& model, LiveController& live, CeilingSource ceilings,
                             QObject* parent)
    : QObject(parent), toolbox_(toolbox), model_(model), live_(live), source_(std::move(ceilings)) {
  dimming_.setSingleShot(true);
  dimming_.setInterval(kDimAfterMilliseconds);
  connect(&dimming_, &QTimer::timeout, this, &EngineFigures::changed);
  connect(&live, &LiveController::settingChanged, this, [this] {
    predictAnew();
    if (!live_.times().empty() && !dimming_.isActive()) dimming_.start();
  });
  connect(&model, &SessionModel::dataChanged, this, &EngineFigures::forgetAll);
  connect(&live, &LiveController::nothingToRun, this, &EngineFigures::forgetAll);
  connect(&model, &SessionModel::engineChoiceChanged, this, [this] {
    loadCeilings();
    Q_EMIT changed();
  });
  connect(&live, &LiveController::wholeReady, this, &EngineFigures::takeTimes);
  connect(&live, &LiveController::timed, this, &EngineFigures::takeTimes);
  connect(&live, &LiveController::verified, this, &EngineFigures::changed);
  variantsDue_.setSingleShot(true);
  variantsDue_.setInterval(kDimAfterMilliseconds);
  connect(&variantsDue_, &QTimer::timeout, this, &EngineFigures::predictVariants);
  connect(&predicting_, &BackgroundTask::failed, this, [this] { takeVariants({}); });  // as in findPrecision()
  loadCeilings();
}

void EngineFigures::forgetAll() {
  live_.times().forget();
  predictAnew();
  dimming_.stop();
  Q_EMIT changed();
}

void EngineFigures::takeTimes() {
  findPrecision();
  Q_EMIT changed();
}

void EngineFigures::findPrecision() {
  try {
    const Volume& volume = *model_.data().volume;
    precision_ = workloadOf(model_.bank(), volume)->precision();
  } catch (const std::exception&) {
    precision_ = Precision::f32;  // the edited bank is invalid for now; a new run will follow
  }
}

void EngineFigures::predictAnew() {
  predicting_.cancel();
  variantsDue_.start();
  predictionsDue_ = true;
}

// Expected times of the engines that do not run.
void EngineFigures::predict() {
  predicted_.clear();
  if (!model_.hasData()) return;
  try {
    const Volume& volume = *model_.data().volume;
    const auto workload = workloadOf(model_.bank(), volume);
    for (const Engine* engine : toolbox_.engines->available()) {
      const std::string& id = engine->info().id;
      PrepareOptions options;
      options.threads = model_.session().threads;
      if (const auto known = ceilings_.find(id); known != ceilings_.end()) options.ceilings = known->second;
      const std::string variant = id == live_.engineId() ? model_.session().variant : std::string();
      predicted_[id] = toolbox_.variants->predict(*engine, *workload, variant, options);
    }
  } catch (const std::exception&) {
    predicted_.clear();  // as in findPrecision()
  }
}

// On another thread: the cost of large kernels may be known only after factoring them.
void EngineFigures::predictVariants() {
  const EngineInfo* info = toolbox_.engines->find(live_.engineId());
  if (info == nullptr || !info->available() || !model_.hasData()) {
    takeVariants({});
    return;
  }
  PrepareOptions options;
  options.threads = model_.session().threads;
  if (const auto known = ceilings_.find(info->id); known != ceilings_.end()) options.ceilings = known->second;
  predicting_.start([this, &engine = toolbox_.engines->at(info->id), options, bank = model_.bank(),
                     volume = model_.data().volume](const Control& control) -> BackgroundTask::Finish {
    const auto workload = workloadOf(bank, *volume);
    std::vector<std::string> names{{}};
    for (const Variant* row : toolbox_.variants->rows(workload->name(), engine.info().kind)) names.push_back(row->name);
    std::map<std::string, double> found;
    for (const std::string& name : names) {
      control.check();
      try {
        if (const double seconds = toolbox_.variants->predict(engine, *workload, name, options); seconds > 0)
          found[name] = seconds;
      } catch (const Error&) {
        // Predict the other variants.
      }
    }
    return [this, found = std::move(found)] { takeVariants(found); };
  });
}

void EngineFigures::takeVariants(const std::map<std::string, double>& found) {
  if (found == variants_) return;
  variants_ = found;
  Q_EMIT variantsChanged();
}

EngineFigures::Outcome EngineFigures::predictionOfLast() const {
  const RunReport* last = live_.times().last(live_.engineId());
  if (last == nullptr || last->predictedSeconds <= 0 || last->phases.kernel <= 0) return {};
  const double predicted = last->predictedSeconds, took = last->phases.kernel;
  const int percent = static_cast<int>(std::lround(100 * (took / predicted - 1)));
  const QString error = (percent < 0 ? tr("−%1 %") : tr("+%1 %")).arg(std::abs(percent));
  return {QStringLiteral("%1 · %2").arg(formatSeconds(took), error), formatPrediction(predicted, took)};
}

std::vector<PartShare> EngineFigures::sharesOfLast() const {
  const RunReport* last = live_.times().last(live_.engineId());
  return last == nullptr ? std::vector<PartShare>() : sharesIn(last->launch, last->engine);
}

std::vector<EngineRow> EngineFigures::rows() {
  if (std::exchange(predictionsDue_, false)) predict();
  std::vector<EngineRow> rows = live_.times().rows(*toolbox_.engines, live_.engineId());
  for (EngineRow& row : rows) {
    const RunReport* last = row.measured ? live_.times().last(row.id) : nullptr;
    if (!row.measured)
      if (const auto predicted = predicted_.find(row.id); predicted != predicted_.end())
        row.predicted = predicted->second;
    const auto ceilings = ceilings_.find(row.id);
    if (last != nullptr && ceilings != ceilings_.end() && last->bytes > 0)
      row.ceilingGflops = std::min(ceilings->second.gflops(last->precision.value_or(precision_)),
                                   last->operations / last->bytes * ceilings->second.gbs);
  }
  return rows;
}

void EngineFigures::loadCeilings() {
  loading_.start([this, threads = model_.session().threads](const Control& control) -> BackgroundTask::Finish {
    std::map<std::string, Ceilings> found;
    for (const EngineInfo& info : toolbox_.engines->infos()) {
      control.check();
      if (!info.available()) continue;
      if (const auto stored = source_.stored(info, threads)) found[info.id] = *stored;
    }
    return [this, found] {
      ceilings_ = found;
      predictAnew();
      Q_EMIT changed();
    };
  });
}

void EngineFigures::measureCeilings() {
  measuring_.start([this, threads = model_.session().threads](const Control& control) -> BackgroundTask::Finish {
    const std::vector<Engine*> engines = toolbox_.engines->available();
    for (std::size_t i = 0; i < engines.size(); ++i) {
      control.check();
      control.report(static_cast<double>(i) / static_cast<double>(engines.size()), engines[i]->info().id);
      static_cast<void>(source_.measure(*engines[i], threads, control));
    }
    return [this] { loadCeilings(); };
  });
}

}  // namespace sscope

#include "moc_engine_figures.cpp"
