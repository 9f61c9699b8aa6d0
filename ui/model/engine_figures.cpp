#include "ui/model/engine_figures.h"

#include <algorithm>

#include "core/filter/job/fitting_bank.h"
#include "core/filter/workload/filter_workload.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

// A result that comes within this time leaves its bar as it was meanwhile.
constexpr int kDimAfterMilliseconds = 150;

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

double secondsOfRun(const Phases& phases) {
  return std::max(phases.total - phases.compile, phases.upload + phases.kernel + phases.download);
}

EngineFigures::EngineFigures(const Toolbox& toolbox, SessionModel& model, LiveController& live, CeilingSource ceilings,
                             QObject* parent)
    : QObject(parent), toolbox_(toolbox), model_(model), live_(live), source_(std::move(ceilings)) {
  dimming_.setSingleShot(true);
  dimming_.setInterval(kDimAfterMilliseconds);
  connect(&dimming_, &QTimer::timeout, this, &EngineFigures::changed);
  connect(&live, &LiveController::settingChanged, this, [this] {
    if (!figures_.empty() && !dimming_.isActive()) dimming_.start();
  });
  connect(&model, &SessionModel::dataChanged, this, &EngineFigures::forgetAll);
  connect(&live, &LiveController::nothingToRun, this, &EngineFigures::forgetAll);
  connect(&model, &SessionModel::engineChoiceChanged, this, [this] {
    loadCeilings();
    Q_EMIT changed();
  });
  connect(&live, &LiveController::wholeReady, this, [this](const LiveUpdate& update) {
    Figures& figures = figuresOf(update.report.engine);
    figures.shown = update.report;
    figures.compiled = std::max(figures.compiled, update.report.phases.compile);
    if (figures.quiet.empty()) figures.checked = false;
    findPrecision();
    Q_EMIT changed();
  });
  connect(&live, &LiveController::verified, this, [this](const LiveUpdate& update) {
    Figures& figures = figuresOf(update.report.engine);
    figures.verification = update.verification;
    figures.checked = true;
    Q_EMIT changed();
  });
  connect(&live, &LiveController::turnTaken, this, &EngineFigures::takeTurn);
  loadCeilings();
}

void EngineFigures::forgetAll() {
  figures_.clear();
  dimming_.stop();
  Q_EMIT changed();
}

EngineFigures::Figures& EngineFigures::figuresOf(const std::string& engine) {
  Figures& figures = figures_[engine];
  if (figures.setting != live_.setting()) {
    figures = {};
    figures.setting = live_.setting();
  }
  return figures;
}

void EngineFigures::takeTurn(const TurnsUpdate& turn) {
  Figures& figures = figuresOf(turn.report.engine);
  figures.failure = turn.failure;
  if (turn.warmedUp) {
    figures.compiled = std::max(figures.compiled, turn.report.phases.compile);
    figures.uploaded = std::max(figures.uploaded, turn.report.phases.upload);
    figures.verification = turn.verification;
    figures.checked = true;
  } else if (turn.failure.empty()) {
    figures.quiet.push_back(turn.report);
    figures.disturbed += turn.disturbed ? 1 : 0;
  }
  findPrecision();
  Q_EMIT changed();
}

void EngineFigures::findPrecision() {
  try {
    const Volume& volume = *model_.data().volume;
    precision_ = FilterWorkload::of(fittingBank(model_.bank(), volume).bank, volume).precision();
  } catch (const std::exception&) {
    precision_ = Precision::f32;  // the bank is being edited into something impossible; a new run will follow
  }
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
  row.stale = figures.setting != live_.setting();
  if (!figures.failure.empty()) row.verification = figures.failure;
  std::vector<RunReport> reports = figures.quiet;
  row.provisional = reports.empty();
  if (row.provisional && figures.shown) {
    reports.push_back(*figures.shown);
    // The one run that is there did the compiling as well.
    reports.back().phases.total = secondsOfRun(reports.back().phases);
  }
  if (reports.empty()) return row;
  row.measured = true;
  const RunReport& last = reports.back();
  row.variant = last.variant;
  row.phases = {.compile = figures.compiled,
                .upload = medianOf(reports, &Phases::upload),
                .kernel = medianOf(reports, &Phases::kernel),
                .download = medianOf(reports, &Phases::download),
                .total = medianOf(reports, &Phases::total)};
  for (const RunReport& report : reports) row.samples.push_back(report.phases.total);
  row.disturbed = figures.disturbed;
  if (!row.provisional && row.phases.upload == 0) row.uploadedOnce = figures.uploaded;
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
