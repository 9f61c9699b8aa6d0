#include "ui/model/engine_times.h"

#include <algorithm>
#include <set>
#include <utility>

#include <QCoreApplication>

#include "core/engine/joined_engine.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"

namespace sscope {

namespace {

struct TimesText {
  Q_DECLARE_TR_FUNCTIONS(EngineTimes)
};

double medianOf(const std::vector<RunReport>& reports, double Phases::*phase) {
  std::vector<double> values;
  for (const RunReport& report : reports) values.push_back(report.phases.*phase);
  return spreadOf(values).median;
}

// The wall time of a run without what was compiled in it, which is paid once.
double secondsOfRun(const Phases& phases) { return std::max(phases.total - phases.compile, phases.together()); }

}  // namespace

std::string verificationText(const Verification& verification) {
  const QString text =
      verification.verified
          ? TimesText::tr("error %1, %2").arg(numberText(verification.relativeL2, 2), toQt(verification.coverage))
          : TimesText::tr("not verified: %1").arg(toQt(verification.failure));
  return fromQt(text);
}

EngineTimes::Figures& EngineTimes::of(const std::string& engine) {
  Figures& figures = figures_[engine];
  if (figures.setting != setting_) {
    figures = {};
    figures.setting = setting_;
  }
  return figures;
}

void EngineTimes::takeShown(const RunReport& report) {
  Figures& figures = of(report.engine);
  figures.shown = report;
  figures.compiled = std::max(figures.compiled, report.phases.compile);
  if (figures.quiet.empty()) figures.checked = false;
}

void EngineTimes::takeVerification(const std::string& engine, const Verification& verification) {
  Figures& figures = of(engine);
  figures.verification = verification;
  figures.checked = true;
}

void EngineTimes::takeTurn(const TurnsUpdate& turn) {
  Figures& figures = of(turn.report.engine);
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
}

const RunReport* EngineTimes::last(const std::string& engine) const {
  const auto found = figures_.find(engine);
  if (found == figures_.end()) return nullptr;
  const Figures& figures = found->second;
  if (!figures.quiet.empty()) return &figures.quiet.back();
  return figures.shown ? &*figures.shown : nullptr;
}

std::vector<EngineRow> EngineTimes::rows(const EngineSet& engines, const std::string& current) const {
  std::vector<EngineRow> present, absent;
  for (const EngineInfo& info : engines.infos()) {
    EngineRow made = row(info);
    made.current = info.available() && info.id == current;
    (info.available() ? present : absent).push_back(std::move(made));
  }
  // Engines that share the work have a row once they have run, or are to.
  std::set<std::string> joined;
  if (namesJoined(current)) joined.insert(current);
  for (const auto& [id, figures] : figures_)
    if (namesJoined(id)) joined.insert(id);
  for (const std::string& id : joined) {
    const EngineInfo* info = engines.find(id);
    if (info == nullptr) continue;
    present.push_back(row(*info));
    present.back().current = id == current;
  }
  present.insert(present.end(), absent.begin(), absent.end());
  return present;
}

EngineRow EngineTimes::row(const EngineInfo& info) const {
  EngineRow row;
  row.id = info.id;
  row.absentReason = info.absentReason;
  const auto found = figures_.find(info.id);
  if (found == figures_.end()) return row;
  const Figures& figures = found->second;
  row.stale = figures.setting != setting_;
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
  row.predicted = last.predictedSeconds;
  row.phases = {.compile = figures.compiled,
                .upload = medianOf(reports, &Phases::upload),
                .kernel = medianOf(reports, &Phases::kernel),
                .download = medianOf(reports, &Phases::download),
                .overlap = medianOf(reports, &Phases::overlap),
                .total = medianOf(reports, &Phases::total)};
  for (const RunReport& report : reports) row.samples.push_back(report.phases.total);
  row.disturbed = figures.disturbed;
  if (!row.provisional && row.phases.upload == 0) row.uploadedOnce = figures.uploaded;
  if (row.phases.kernel > 0) row.gflops = last.operations / row.phases.kernel * 1e-9;
  if (figures.checked) {
    row.check = figures.verification;
    row.verified = figures.verification.verified;
    row.verification = row.verified ? verificationText(figures.verification) : figures.verification.failure;
  } else {
    row.verification = fromQt(TimesText::tr("not yet verified"));
  }
  return row;
}

}  // namespace sscope
