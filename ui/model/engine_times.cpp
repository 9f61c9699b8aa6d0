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

void EngineTimes::beginSetting() {
  ++setting_;
  wanted_ = compare::kShortRepetitions;
  repeat_ = declined_ = false;
}

bool EngineTimes::choose(std::vector<std::string> engines) {
  if (engines == compared_) return false;
  compared_ = std::move(engines);
  declined_ = false;
  return true;
}

void EngineTimes::askForMore(bool running) {
  if (repeat_ || !compared_.empty()) {
    // Engines with fewer repetitions catch up first; a request during a race asks for more.
    int fewest = wanted_;
    for (const auto& [engine, figures] : figures_)
      if (figures.setting == setting_ && repetitionsOf(engine) > 0) fewest = std::min(fewest, repetitionsOf(engine));
    if (running || fewest >= wanted_) wanted_ += compare::kShortRepetitions;
  }
  repeat_ = true;
  declined_ = false;
}

int EngineTimes::repetitionsOf(const std::string& engine) const {
  const auto found = figures_.find(engine);
  if (found == figures_.end() || found->second.setting != setting_) return 0;
  return std::max(static_cast<int>(found->second.repetitions.size()), found->second.missed);
}

std::optional<EngineTimes::DueRace> EngineTimes::due(const std::string& shown, const std::string& variant) const {
  if (declined_) return std::nullopt;
  std::vector<BenchRow> all{{shown, variant}};
  for (const std::string& id : compared_)
    if (id != shown) all.push_back({id, {}});
  if (all.size() == 1 && !repeat_) return std::nullopt;
  int fewest = wanted_, next = wanted_;
  for (const BenchRow& row : all) fewest = std::min(fewest, repetitionsOf(row.engine));
  for (const BenchRow& row : all)
    if (repetitionsOf(row.engine) > fewest) next = std::min(next, repetitionsOf(row.engine));
  if (fewest >= wanted_) return std::nullopt;
  std::erase_if(all, [&](const BenchRow& row) { return repetitionsOf(row.engine) > fewest; });
  return DueRace{std::move(all), next - fewest};
}

void EngineTimes::takeShown(const RunReport& report) {
  Figures& figures = of(report.engine);
  figures.shown = report;
  figures.compiled = std::max(figures.compiled, report.phases.compile);
  if (figures.repetitions.empty()) figures.verified.reset();
}

void EngineTimes::takeVerification(const std::string& engine, const Verification& verification) {
  of(engine).verified = verification;
}

void EngineTimes::fail(const std::string& engine, const std::string& why) {
  Figures& figures = of(engine);
  figures.failure = why;
  figures.missed = wanted_;
}

void EngineTimes::takeFailure(const std::vector<BenchRow>& contenders, const std::string& why) {
  for (const BenchRow& contender : contenders) fail(contender.engine, why);
}

bool EngineTimes::take(const std::vector<BenchRow>& contenders, const compare::RaceEvent& event) {
  const auto engineOf = [&](const auto& what) -> const std::string& { return contenders.at(what.lane).engine; };
  if (const auto* checked = std::get_if<compare::LaneVerified>(&event)) {
    Figures& figures = of(engineOf(*checked));
    figures.failure.clear();
    figures.checked = checked->report;
    figures.compiled = std::max(figures.compiled, checked->report.phases.compile);
    figures.uploaded = std::max(figures.uploaded, checked->report.phases.upload);
    figures.verified = checked->verification;
  } else if (const auto* repetition = std::get_if<compare::Repetition>(&event)) {
    Figures& figures = of(engineOf(*repetition));
    if (repetition->sample.apart || !figures.checked) return false;
    RunReport& report = figures.repetitions.emplace_back(*figures.checked);
    report.phases = repetition->sample.phases;
  } else if (const auto* beside = std::get_if<compare::RepetitionDisturbed>(&event)) {
    ++of(engineOf(*beside)).disturbed;
  } else if (const auto* ended = std::get_if<compare::LaneEnded>(&event)) {
    if (ended->result.hasFigures()) return false;
    fail(engineOf(*ended), ended->result.reason());
  } else {
    return false;
  }
  return true;
}

const RunReport* EngineTimes::last(const std::string& engine) const {
  const auto found = figures_.find(engine);
  if (found == figures_.end()) return nullptr;
  const Figures& figures = found->second;
  if (!figures.repetitions.empty()) return &figures.repetitions.back();
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
  std::vector<RunReport> reports = figures.repetitions;
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
  if (figures.verified) {
    row.check = figures.verified;
    row.verified = figures.verified->verified;
    row.verification = row.verified ? verificationText(*figures.verified) : figures.verified->failure;
  } else {
    row.verification = fromQt(TimesText::tr("not yet verified"));
  }
  return row;
}

}  // namespace sscope
