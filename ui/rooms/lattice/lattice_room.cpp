
#include "ui/rooms/lattice/lattice_room.h"

#include <QScopedValueRollback>
#include <QTabWidget>
#include <cmath>
#include <utility>

#include "core/lattice/wilson_flow.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/model/data_loader.h"
#include "ui/model/paths.h"
#include "ui/model/saving.h"
#include "ui/panels/data_panel.h"
#include "ui/panels/engines_panel.h"
#include "ui/panels/panel.h"
#include "ui/rooms/lattice/field_setup.h"
#include "ui/rooms/lattice/lattice_page.h"
#include "ui/rooms/lattice/lattice_setup.h"
#include "ui/rooms/lattice/solve_panel.h"
#include "ui/rooms/lattice/solve_setup.h"

namespace sscope {

LatticeRoom::LatticeRoom(const Desk& desk, QObject* parent) : Room(parent), desk_(desk), controller_(desk.toolbox) {
  page_ = new LatticePage(desk.toolbox, controller_, &desk.window);
  setup_ = new LatticeSetup(controller_, desk.recent, &desk.window);
  setupPanel_ = new Panel(tr("Configuration"), QStringLiteral("panel-lattice"), setup_, &desk.window);
  auto* field = new FieldSetup(controller_, page_->fields(), &desk.window);
  fieldPanel_ = new Panel(tr("Field"), QStringLiteral("panel-field"), field, &desk.window);
  connect(field, &FieldSetup::sendRequested, this, &LatticeRoom::sendField);
  connect(field, &FieldSetup::exportRequested, this, [this] { Q_EMIT exportRequested({}); });
  connect(field, &FieldSetup::edited, this, &LatticeRoom::edit);
  follow();
  followOpening();
  followSettings();
  followSolve();
}

RoomSign LatticeRoom::sign() const {
  return {QString::fromLatin1(kKey), tr("Lattice"), "lattice",
          tr("Gauge configurations of lattice QCD: fields, flow, solvers")};
}

QWidget& LatticeRoom::page() { return *page_; }

RoomPanels LatticeRoom::panels() const { return {{setupPanel_, fieldPanel_, &desk_.enginesPanel}, 2, {22, 26}}; }

void LatticeRoom::follow() {
  connect(page_, &LatticePage::openRequested, this, &LatticeRoom::openRequested);
  connect(page_, &LatticePage::generateRequested, setup_, [this] {
    setupPanel_->show();
    setupPanel_->setCollapsed(false);
    setup_->beginGenerating();
  });
  connect(page_, &LatticePage::exportRequested, this, &LatticeRoom::exportRequested);
  connect(page_, &LatticePage::offersChanged, this, &LatticeRoom::offersChanged);
  connect(&page_->tabs(), &QTabWidget::currentChanged, this, &LatticeRoom::showField);
  connect(setup_, &LatticeSetup::openRequested, this, &LatticeRoom::openRequested);
  connect(setup_, &LatticeSetup::fileRequested, &desk_.loader, qOverload<const QString&>(&DataLoader::open));
  connect(setup_, &LatticeSetup::saveRequested, this, &LatticeRoom::saveAs);
  connect(&controller_, &LatticeController::opened, &desk_.recent, &RecentFiles::add);
  connect(&controller_, &LatticeController::savedTo, &desk_.recent, &RecentFiles::add);
  connect(&controller_, &LatticeController::configurationChanged, this, &LatticeRoom::documentChanged);
  connect(&controller_, &LatticeController::started, this, [this] {
    since_.start();
    Q_EMIT started();
  });
  connect(&controller_, &LatticeController::progressed, this, [this](double fraction, const QString& stage) {
    if (since_.elapsed() > kQuietMilliseconds) tell({.text = stage, .busy = true, .fraction = fraction});
  });
  connect(&controller_, &LatticeController::failed, this,
          [this](const QString& message) { tell({.text = message, .everywhere = true}); });
  connect(&controller_, &LatticeController::canceled, this, [this] {
    if (!controller_.busy()) showStatus(tr("canceled \u00b7 the shown field is unchanged"));
  });
  connect(&controller_, &LatticeController::fieldChanged, this, [this] {
    milliseconds_.reset();
    if (controller_.busy()) {
      milliseconds_ = since_.elapsed();
    } else {
      showField();
    }
  });
  connect(&controller_, &LatticeController::ended, this, &LatticeRoom::showField);
}

// Messages about a file that was opened from this room are shown in it, because the Data panel is not.
void LatticeRoom::followOpening() {
  const auto opened = [this] { return std::exchange(opening_, QString()); };
  DataLoader& loader = desk_.loader;
  connect(&loader, &DataLoader::configurationFound, this, [this](const QString& path) {
    opening_.clear();
    openConfiguration(path);
  });
  connect(&loader, &DataLoader::loaded, this, [this, opened] {
    const QString path = opened();
    if (path.isEmpty() || path == desk_.model.path() || shown() || !desk_.model.hasData()) return;
    desk_.data.notice().showMessage(
        Notice::Kind::Hint,
        tr("%1 is not a gauge configuration, so it was opened in this room.").arg(dataTitle(desk_.model.data())));
  });
  connect(&loader, &DataLoader::progressed, this, [this](double fraction, const QString& stage) {
    if (!opening_.isEmpty() && shown()) tell({.text = stage, .busy = true, .fraction = fraction});
  });
  connect(&loader, &DataLoader::failed, this, [this, opened](const QString& message) {
    if (opened().isEmpty() || !shown()) return;
    showStatus(message);
    setup_->notice().showMessage(Notice::Kind::Error, message);
  });
  connect(&loader, &DataLoader::canceled, this, [this, opened] {
    if (!opened().isEmpty() && shown()) showStatus(tr("opening was canceled"));
  });
}

void LatticeRoom::followSolve() {
  SolvePanel& solve = page_->solve();
  // The chosen engine, then those to compare it with.
  const auto engines = [this, &solve] {
    const Session& session = desk_.model.session();
    std::vector<std::string> ids{session.engine.empty() ? desk_.toolbox.engines->preferred().info().id
                                                        : session.engine};
    for (const std::string& id : desk_.engines.compared())
      if (id != ids.front()) ids.push_back(id);
    solve.setEngines(ids);
    solve.setThreads(session.threads);
  };
  connect(&desk_.model, &SessionModel::engineChoiceChanged, this, engines);
  connect(&desk_.engines, &EnginesPanel::comparedChanged, this, engines);
  connect(&solve, &SolvePanel::enginesRequested, this, [this] {
    desk_.enginesPanel.show();
    desk_.enginesPanel.raise();
  });
  connect(&solve, &SolvePanel::busyChanged, this, &LatticeRoom::timingChanged);
  // Solves that are timed while something else is computed are marked.
  solve.controller().setOthers(desk_.anyComputing);
  solve.hideStatus();  // it is shown in the window's status line
  connect(&solve, &SolvePanel::statusChanged, this,
          [this, &solve, shownEverywhere = false](const QString& words) mutable {
            if (solve.controller().busy()) {
              tell({.text = words, .busy = true, .fraction = solve.progress(), .everywhere = true});
              shownEverywhere = true;
            } else if (std::exchange(shownEverywhere, false)) {
              tell({.text = words, .everywhere = true});
            } else if (page_->solving()) {
              showStatus(words);
            }
          });
  engines();
}

void LatticeRoom::showStatus(const QString& text) { tell({.text = text}); }

// "atb_nersc.l8t4b3360 · topological charge density, flow time 1.00 · 412 ms".
void LatticeRoom::showField() {
  SolvePanel& solve = page_->solve();
  if (controller_.busy() || solve.controller().busy()) return;
  if (page_->solving()) {
    showStatus(solve.statusText());
    return;
  }
  const auto field = controller_.field();
  if (!field) {
    showStatus(controller_.configuration() ? controller_.name() : tr("no configuration is open"));
    return;
  }
  QStringList parts{controller_.name(), field->title};
  if (field->flowSteps > 0) parts << tr("flow time %1").arg(field->flowSteps * lattice::kFlowStep, 0, 'f', 2);
  if (!milliseconds_) {
    parts << tr("of the last solve");
  } else {
    parts << (*milliseconds_ > 0
                  ? tr("computed on all cores in %1").arg(secondsText(static_cast<double>(*milliseconds_) * 1e-3))
                  : tr("computed in less than 1 ms"));
  }
  showStatus(parts.join(QStringLiteral(" \u00b7 ")));
}

void LatticeRoom::openConfiguration(const QString& path) {
  Q_EMIT enterRequested();
  controller_.open(path);
}

void LatticeRoom::setShown(bool shown) {
  Room::setShown(shown);
  if (shown) showField();
}

void LatticeRoom::hold(bool timed, bool /*elsewhere*/) {
  controller_.setPaused(timed);
  if (timed) page_->solve().cancel();
}

bool LatticeRoom::timing() const { return page_->solve().controller().busy(); }

void LatticeRoom::othersBegan() { page_->solve().controller().noteOthers(); }

void LatticeRoom::cancel() {
  controller_.cancel();
  page_->solve().cancel();
}

std::vector<ExportOffer> LatticeRoom::exportOffers(double scale) { return page_->exportOffers(scale); }

QString LatticeRoom::exportStem() const { return page_->exportStem(); }

void LatticeRoom::finishDrawing() { static_cast<void>(page_->fields().renderToImage()); }

bool LatticeRoom::takeKey(int key) { return page_->takeKey(key); }

QString LatticeRoom::document() const { return controller_.configuration() ? controller_.name() : QString(); }

std::optional<OpenWords> LatticeRoom::openWords() const {
  return OpenWords{tr("Open a gauge configuration"),
                   {tr("All files (*)"), tr("NERSC, ILDG, MILC (*.nersc *.lime *.ildg *.milc)")}};
}

void LatticeRoom::addOpenFiles(InputFiles& files) const { files.add(fromQt(controller_.path())); }

void LatticeRoom::followSettings() {
  SessionModel& model = desk_.model;
  // Undo and redo.
  connect(&model, &SessionModel::settingsChanged, this, [this, &model](const SettingsTable* table) {
    if (table != &LatticeSettings::table() || applying_) return;
    const QScopedValueRollback<bool> guard(applying_, true);
    const LatticeSettings now = model.settings<LatticeSettings>();
    // Shows the field again, even if one of a solution is shown now.
    if (now.observable != known_.observable || now.part != known_.part || now.flowTime != known_.flowTime)
      controller_.choose(now.observable);
    page_->apply(now);
    keep();  // without engines that are no longer chosen
  });
  // A session without settings of this room leaves it unchanged.
  connect(&model, &SessionModel::replaced, this, [this, &model] {
    restoring_ = model.session().holds(LatticeSettings::table());
    if (!restoring_) keep();
  });
  SolveSetup& solve = page_->solve().setup();
  connect(&solve, &SolveSetup::settled, this, [this] {
    if (!applying_ && !restoring_) keep();
  });
  // The undo step starts from the settings before, although the controls have changed already.
  connect(&solve, &SolveSetup::edited, this, [this, &model](const QString& gesture) {
    const LatticeSettings now = page_->settings(model.settings<LatticeSettings>());
    LatticeSettings before = now;
    before.solve = model.settings<LatticeSettings>().solve;
    const QScopedValueRollback<bool> guard(applying_, true);
    model.setSettings(before);
    model.edit(now, gesture);
    known_ = now;
  });
}

void LatticeRoom::edit(const std::function<void(LatticeSettings&)>& change, const QString& gesture) {
  keep();
  LatticeSettings settings = desk_.model.settings<LatticeSettings>();
  change(settings);
  desk_.model.edit(settings, gesture);
}

void LatticeRoom::keep() {
  restoring_ = false;
  const QScopedValueRollback<bool> guard(applying_, true);
  known_ = page_->settings(desk_.model.settings<LatticeSettings>());
  desk_.model.setSettings(known_);
}

void LatticeRoom::restore(const Session& session) {
  restoring_ = false;
  const auto* settings = session.find<LatticeSettings>();
  if (settings == nullptr) return;
  const QScopedValueRollback<bool> guard(applying_, true);
  std::vector<std::string> engines;
  for (const SolveSettings::Place& place : settings->solve.places) engines.push_back(place.engine);
  if (!engines.empty()) desk_.engines.setCompared(engines);
  page_->restore(*settings);
}

void LatticeRoom::saveAs(const QString& path) {
  desk_.guard.ask(&desk_.window, {fromQt(path)},
                  {[this, path] { controller_.save(path); },
                   [this](const QString& reason) {
                     if (!reason.isEmpty()) Q_EMIT controller_.failed(reason);
                   }});
}

// The field replaces the session's data. Sessions do not store it, so a changed session would lose its data; the user
// is asked first.
void LatticeRoom::sendField(bool all) {
  const auto field = controller_.field();
  if (!field) return;
  LatticeFields& fields = page_->fields();
  const std::shared_ptr<const Volume> volume =
      all ? field->volume : std::make_shared<const Volume>(componentOf(*field->volume, fields.component()));
  QStringList name{field->title};
  if (!all) name << fields.componentText();
  if (field->flowSteps > 0) name << tr("flow %1").arg(field->flowSteps * lattice::kFlowStep, 0, 'f', 2);
  VolumeInfo info;
  info.shape = volume->shape();
  info.type = volume->type();
  info.geometry = volume->geometry();
  info.format = tr("field of %1").arg(controller_.name()).toStdString();
  const auto take = [this, volume, info = std::move(info), name = fromQt(name.join(QStringLiteral(", ")))] {
    Q_EMIT dataRequested();
    desk_.loader.take(volume, info, name);
  };
  if (!desk_.model.dirty() || desk_.model.session().data.empty()) {
    take();
    return;
  }
  desk_.askToSave(tr("Save the session before the field replaces its data?"), {[take](bool) { take(); }, {}});
}

namespace {

ConfigurationSource sourceOf(const LatticeController& lattices) {
  ConfigurationSource from;
  if (const auto& made = lattices.generated())
    from = {{}, made->extents, made->beta, made->hot, made->sweeps, made->seed};
  from.path = fromQt(lattices.path());
  if (lattices.givenExtents()) from.extents = *lattices.givenExtents();
  return from;
}

int stepsOf(const LatticeSettings& settings) {
  return static_cast<int>(std::lround(settings.flowTime / lattice::kFlowStep));
}

}  // namespace

LatticeSettings LatticePage::settings(const LatticeSettings& before) const {
  LatticeSettings settings = before;
  using Activity = LatticeController::Activity;
  // While another configuration is opened, the session keeps its own.
  const Activity now = controller_.activity();
  if (controller_.configuration() && now != Activity::Opening && now != Activity::Generating) {
    settings.configuration = sourceOf(controller_);
    settings.flowTime = controller_.flowSteps() * lattice::kFlowStep;
    settings.slice = fields_->slice();
  }
  // Fields of solutions are not in sessions.
  for (const lattice::ObservableInfo& info : lattice::observables())
    if (info.name == controller_.choice()) settings.observable = info.name;
  settings.part = kLoopPartNames[static_cast<std::size_t>(fields_->part())];
  settings.solve = solve_->setup().settings();
  return settings;
}

void LatticePage::apply(const LatticeSettings& settings) {
  if (controller_.configuration()) controller_.setFlowSteps(stepsOf(settings));
  if (settings.solve != solve_->setup().settings()) tabs_->setCurrentWidget(solve_);
  applyChoices(settings);
}

void LatticePage::applyChoices(const LatticeSettings& settings) {
  if (this->settings(settings).observable != settings.observable) controller_.choose(settings.observable);
  for (std::size_t part = 0; part < kLoopPartNames.size(); ++part)
    if (settings.part == kLoopPartNames[part]) fields_->setPart(static_cast<LoopPart>(part));
  if (settings.solve != solve_->setup().settings()) solve_->setup().restore(settings.solve);
}

void LatticePage::restore(const LatticeSettings& settings) {
  const ConfigurationSource& from = settings.configuration;
  if (!from.path.empty()) {
    controller_.open(toQt(from.path), from.hasExtents() ? std::optional(from.extents) : std::nullopt,
                     stepsOf(settings));
  } else if (!from.empty()) {
    controller_.generate({from.extents, from.beta, from.hot, from.sweeps, from.seed}, stepsOf(settings));
  }
  if (!from.empty()) fields_->setSlice(settings.slice);
  applyChoices(settings);
}

}  // namespace sscope

#include "moc_lattice_room.cpp"
