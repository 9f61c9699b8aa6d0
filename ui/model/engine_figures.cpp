#include "ui/model/engine_figures.h"

#include <algorithm>

#include "core/workload/filter_workload.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

constexpr std::size_t kMostReports = 50;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double medianOf(const std::vector<RunReport>& reports, double Phases::*phase) {
  std::vector<double> values;
  for (const RunReport& report : reports) values.push_back(report.phases.*phase);
  return median(std::move(values));
}

}  // namespace

std::string verificationText(const Verification& verification) {
  if (!verification.verified) return "not verified: " + verification.failure;
  return "error " + fromQt(numberText(verification.relativeL2, 2)) + ", " + verification.coverage;
}

EngineFigures::EngineFigures(const Toolbox& toolbox, SessionModel& model, LiveController& live, CeilingSource ceilings,
                             QObject* parent)
    : QObject(parent), toolbox_(toolbox), model_(model), live_(live), source_(std::move(ceilings)) {
  connect(&model, &SessionModel::bankChanged, this, &EngineFigures::forget);
  connect(&model, &SessionModel::dataChanged, this, &EngineFigures::forget);
  connect(&model, &SessionModel::engineChoiceChanged, this, [this] {
    forget();
    loadCeilings();
    Q_EMIT changed();
  });
  connect(&live, &LiveController::wholeReady, this, [this](const LiveUpdate& update) {
    if (outdated_) figures_.clear();
    outdated_ = false;
    figures_[update.report.engine].checked = false;
    addReport(update.report.engine, update);
  });
  connect(&live, &LiveController::verified, this, [this](const LiveUpdate& update) {
    Figures& figures = figures_[update.report.engine];
    figures.verification = update.verification;
    figures.checked = true;
    Q_EMIT changed();
  });
  connect(&live, &LiveController::compared, this, [this](const LiveUpdate& update) {
    Figures& figures = figures_[update.report.engine];
    figures.verification = update.verification;
    figures.checked = true;
    figures.failure = update.message;
    if (figures.failure.empty()) {
      addReport(update.report.engine, update);
    } else {
      Q_EMIT changed();
    }
  });
  loadCeilings();
}

// Bars of the last setting stay until the first of the new one is there: a dragged slider does not make them flicker.
void EngineFigures::forget() { outdated_ = true; }

void EngineFigures::addReport(const std::string& engine, const LiveUpdate& update) {
  std::vector<RunReport>& reports = figures_[engine].reports;
  if (reports.size() == kMostReports) reports.erase(reports.begin());
  reports.push_back(update.report);
  try {
    const OpenData& data = model_.data();
    precision_ = FilterWorkload::of(model_.bank(), data.volume->spec(), data.volume->geometry()).precision();
  } catch (const std::exception&) {
    precision_ = Precision::f32;  // the bank is being edited into something impossible; a new run will follow
  }
  Q_EMIT changed();
}

std::vector<EngineRow> EngineFigures::rows() const {
  std::vector<EngineRow> present, absent;
  for (const EngineInfo& info : toolbox_.engines->infos()) (info.available() ? present : absent).push_back(row(info));
  present.insert(present.end(), absent.begin(), absent.end());
  return present;
}

EngineRow EngineFigures::row(const EngineInfo& info) const {
  EngineRow row;
  row.id = info.id;
  row.absentReason = info.absentReason;
  row.current = info.available() && info.id == live_.engineId();
  const auto found = figures_.find(info.id);
  if (found == figures_.end()) return row;
  const Figures& figures = found->second;
  if (!figures.failure.empty()) row.verification = figures.failure;
  if (figures.reports.empty()) return row;
  row.measured = true;
  const std::vector<RunReport>& reports = figures.reports;
  const RunReport& last = reports.back();
  row.variant = last.variant;
  row.phases = {.compile = medianOf(reports, &Phases::compile),
                .upload = medianOf(reports, &Phases::upload),
                .kernel = medianOf(reports, &Phases::kernel),
                .download = medianOf(reports, &Phases::download),
                .total = medianOf(reports, &Phases::total)};
  for (const RunReport& report : reports) row.samples.push_back(report.phases.total);
  if (row.phases.kernel > 0) row.gflops = last.operations / row.phases.kernel * 1e-9;
  const auto ceilings = ceilings_.find(info.id);
  if (ceilings != ceilings_.end() && last.bytes > 0)
    row.ceilingGflops =
        std::min(ceilings->second.gflops(precision_), last.operations / last.bytes * ceilings->second.gbs);
  if (figures.checked) {
    row.verified = figures.verification.verified;
    row.verification = verificationText(figures.verification);
  } else {
    row.verification = "being verified";
  }
  return row;
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
