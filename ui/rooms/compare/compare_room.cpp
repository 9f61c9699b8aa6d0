#include "ui/rooms/compare/compare_room.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/filter/job/bank_case.h"
#include "ui/base/text.h"
#include "ui/model/engine_times.h"
#include "ui/panels/engines_panel.h"
#include "ui/panels/panel.h"
#include "ui/rooms/compare/compare_page.h"
#include "ui/rooms/compare/race_setup.h"

namespace sscope {

namespace {

constexpr int kRestMilliseconds = 300;

// The rows of the Engines panel: one per lane with a result; before there are any, one per engine, without figures.
std::vector<EngineRow> raceRows(const std::vector<LaneState>& lanes, const EngineSet& engines) {
  std::vector<EngineRow> rows;
  for (const LaneState& lane : lanes) {
    if (!lane.result) continue;
    const Measurement& m = lane.result->measurement;
    EngineRow row;
    row.id = m.engine;
    row.variant = m.ran.empty() ? m.variant : m.ran;
    if (!lane.engine.available()) row.absentReason = lane.engine.absentReason;
    row.verification = lane.result->hasFigures() ? verificationText(m.verification) : lane.result->reason();
    row.check = m.verification;
    if (lane.result->hasFigures()) {
      row.measured = true;
      row.phases = m.phases;
      row.samples = lane.result->totals;
      row.disturbed = static_cast<int>(lane.result->marks.beside);
      row.predicted = m.predictedSeconds;
      row.gflops = m.gflops();
      row.verified = m.verification.verified;
      if (const auto share = m.share(); share && *share > 0) row.ceilingGflops = row.gflops / *share;
    }
    rows.push_back(std::move(row));
  }
  if (!rows.empty()) {
    std::ranges::stable_partition(rows, [](const EngineRow& row) { return row.absentReason.empty(); });
    return rows;
  }
  return EngineTimes().rows(engines, {});
}

}  // namespace

CompareRoom::CompareRoom(const Desk& desk, QObject* parent)
    : Room(parent),
      desk_(desk),
      model_(desk.toolbox, desk.window),
      looks_(desk.toolbox, desk.window, model_.alone()),
      load_(*desk.toolbox.engines, model_, looks_, desk.deviceLoad) {
  setup_ = new RaceSetup(desk.toolbox, desk.model, &desk.window);
  setupPanel_ = new Panel(tr("Race"), QStringLiteral("panel-race"), setup_, &desk.window);
  page_ = new ComparePage({desk.toolbox, desk.model, desk.loader, model_, looks_, load_, *setup_}, &desk.window);
  // Filtering gives back its device memory before the race starts.
  model_.othersAtWork = looks_.othersAtWork = [&live = desk.live] { return live.working(); };
  rest_.setSingleShot(true);
  rest_.setInterval(kRestMilliseconds);
  connect(&rest_, &QTimer::timeout, this, &CompareRoom::changed);
  follow();
  followLooks();
}

void CompareRoom::followLooks() {
  looks_.refusal = [this] { return refusal(); };
  connect(&looks_, &LookRunner::started, this, [this] {
    Q_EMIT started();
    Q_EMIT timingChanged();
  });
  connect(&looks_, &LookRunner::moved, this, [this] {
    if (looks_.busy()) tellProgress();
  });
  connect(&looks_, &LookRunner::quietChanged, &desk_.engines, &EnginesPanel::setResting);
  connect(&looks_, &LookRunner::failed, page_, &ComparePage::showError);
  connect(&looks_, &LookRunner::ended, this, [this](const QString& outcome) {
    outcome_ = outcome;
    tell({.text = outcome, .everywhere = true});
    Q_EMIT timingChanged();
  });
}

void CompareRoom::follow() {
  connect(&model_, &RaceModel::started, this, [this] {
    Q_EMIT started();
    Q_EMIT timingChanged();
  });
  connect(&model_, &RaceModel::moved, this, [this] {
    if (model_.busy()) tellProgress();
  });
  connect(&model_, &RaceModel::quietChanged, &desk_.engines, &EnginesPanel::setResting);
  connect(&model_, &RaceModel::ended, this, [this](const QString& outcome) {
    outcome_ = outcome;
    tell({.text = outcome, .everywhere = true});
    Q_EMIT timingChanged();
    if (shown()) desk_.engines.refreshCharts();
    page_->setStale(stale());
  });
  connect(page_, &ComparePage::raceRequested, this, &CompareRoom::race);
  connect(page_, &ComparePage::raceAtRequested, this, &CompareRoom::raceAt);
  connect(page_, &ComparePage::openRequested, this, &CompareRoom::openRequested);
  connect(page_, &ComparePage::exportRequested, this, &CompareRoom::exportRequested);
  connect(page_, &ComparePage::offersChanged, this, &CompareRoom::offersChanged);
  connect(&desk_.engines, &EnginesPanel::compareRequested, this, &CompareRoom::compareThese);
  SessionModel& model = desk_.model;
  const auto note = [this] {
    due_ = true;
    rest_.start();
  };
  connect(&model, &SessionModel::bankChanged, this, note);
  connect(&model, &SessionModel::dataChanged, this, note);
  connect(&model, &SessionModel::engineChoiceChanged, this, note);
  connect(&model, &SessionModel::heldChanged, this, [this] { rest_.start(); });
  connect(&model, &SessionModel::settingsChanged, this, [note](const SettingsTable* table) {
    if (table == &CompareSettings::table()) note();
  });
  connect(&model, &SessionModel::dataChanged, this, &CompareRoom::documentChanged);
}

RoomSign CompareRoom::sign() const {
  return {QString::fromLatin1(kKey), tr("Compare"), "compare", tr("Race engines at your job")};
}

QWidget& CompareRoom::page() { return *page_; }

// With the bank, so that the case can be changed here, too.
RoomPanels CompareRoom::panels() const {
  RoomPanels panels{{setupPanel_}, 3, {26}};
  if (Panel* bank = bankPanel()) panels.panels.push_back(bank);
  panels.openAtFirst = panels.panels.size() + 1;
  panels.panels.push_back(&desk_.enginesPanel);
  panels.panels.push_back(&desk_.dataPanel);
  return panels;
}

bool CompareRoom::showsSettingsOf(const QString& room) const {
  return room == QLatin1String("filter") && bankPanel() != nullptr;
}

// Null where no room has one.
Panel* CompareRoom::bankPanel() const { return desk_.window.findChild<Panel*>(QStringLiteral("panel-bank")); }

void CompareRoom::race() {
  try {
    raceAt(raceJob(desk_.model.settings<CompareSettings>(), desk_.model));
  } catch (const Error& error) {
    page_->showError(toQt(error.what()));
  }
}

QString CompareRoom::refusal() const {
  return timed_ ? tr("another room times something, which this would disturb; wait for it or cancel it") : QString();
}

void CompareRoom::raceAt(const RaceJob& job) {
  if (const QString why = refusal(); !why.isEmpty()) {
    page_->showError(why);
    return;
  }
  const std::vector<BenchRow> contenders = setup_->contenders();
  if (contenders.empty()) {
    page_->showError(tr("no contender is checked; check at least one in the Race panel"));
    return;
  }
  looks_.cancel();
  due_ = false;
  model_.run(job, contenders);
}

// Whether a race now would be at another case than that of the lanes.
bool CompareRoom::stale() const {
  if (model_.lanes().empty() || model_.busy()) return false;
  try {
    return !sameJob(raceJob(desk_.model.settings<CompareSettings>(), desk_.model).what.recipe, model_.recipe());
  } catch (const Error&) {
    return true;
  }
}

void CompareRoom::changed() {
  if (!shown()) return;
  page_->setStale(stale());
  if (!due_ || timed_ || looks_.busy() || desk_.model.held() || !desk_.model.settings<CompareSettings>().again) return;
  if (desk_.model.settings<CompareSettings>().job == kBankCase && !desk_.model.hasData()) return;
  race();
}

void CompareRoom::compareThese() {
  CompareSettings settings = desk_.model.settings<CompareSettings>();
  settings.job = kBankCase;
  const EngineChoice choice = desk_.model.engineChoice();
  const std::string current = desk_.live.engineId();
  settings.contenders = desk_.engines.compared();
  std::erase(settings.contenders, current);
  // A single engine has no opponent: the room chooses the contenders.
  if (!settings.contenders.empty())
    settings.contenders.insert(settings.contenders.begin(), contenderName({current, choice.variant}));
  desk_.model.edit(settings);
  Q_EMIT enterRequested();
  race();
}

void CompareRoom::setShown(bool shown) {
  Room::setShown(shown);
  setup_->setShown(shown);
  load_.setShown(shown);
  if (model_.busy() || looks_.busy())
    tellProgress();
  else if (shown)
    tell({.text = outcome_.isEmpty() ? tr("no race has been run yet") : outcome_});
  if (shown && due_) rest_.start();
}

void CompareRoom::hold(bool timed, bool /*elsewhere*/) {
  timed_ = timed;
  if (timed) cancel();
}

void CompareRoom::cancel() {
  model_.cancel();
  looks_.cancel();
}

void CompareRoom::tellProgress() {
  const bool look = looks_.busy();
  tell({.text = look ? looks_.progressText() : model_.progressText(),
        .busy = true,
        .fraction = look ? looks_.progress() : model_.progress(),
        .everywhere = true});
}

std::vector<ExportOffer> CompareRoom::exportOffers(double scale) { return page_->exportOffers(scale); }

void CompareRoom::takeFocus() { page_->setFocus(); }

std::function<std::vector<EngineRow>()> CompareRoom::engineRows() {
  return [this] { return raceRows(model_.lanes(), *desk_.toolbox.engines); };
}

QString CompareRoom::exportStem() const {
  const std::string& job = desk_.model.settings<CompareSettings>().job;
  return job == kBankCase ? QString() : toQt(job);
}

void CompareRoom::addOpenFiles(InputFiles& files) const {
  for (const QString& path : page_->shelf().paths()) files.add(fromQt(path));
}

QString CompareRoom::document() const { return desk_.model.hasData() ? dataTitle(desk_.model.data()) : QString(); }

}  // namespace sscope

#include "moc_compare_room.cpp"
