// The Lattice room of the main window: what opens in it, what its status line says, and where its fields go.

#include <QTabWidget>

#include "core/lattice/wilson_flow.h"
#include "ui/base/text.h"
#include "ui/panels/engines_panel.h"
#include "ui/panels/panel.h"
#include "ui/rooms/lattice/lattice_page.h"
#include "ui/rooms/lattice/lattice_setup.h"
#include "ui/rooms/lattice/solve_panel.h"
#include "ui/window/main_window.h"
#include "ui/window/status_line.h"

namespace sscope {

void MainWindow::followLattices() {
  connect(latticePage_, &LatticePage::openRequested, this, &MainWindow::chooseFile);
  connect(latticePage_, &LatticePage::generateRequested, latticeSetup_, [this] {
    panels_[3]->show();
    panels_[3]->setCollapsed(false);
    latticeSetup_->beginGenerating();
  });
  connect(latticePage_, &LatticePage::exportRequested, this, [this](int offer) { showExport(offer); });
  connect(latticePage_, &LatticePage::offersChanged, this, [this] {
    if (room_ == kLatticeRoom) offerExports();
  });
  connect(latticeSetup_, &LatticeSetup::openRequested, this, &MainWindow::chooseFile);
  connect(latticeSetup_, &LatticeSetup::fileRequested, &loader_, qOverload<const QString&>(&DataLoader::open));
  connect(latticeSetup_, &LatticeSetup::saveRequested, this, &MainWindow::saveConfiguration);
  connect(&lattices_, &LatticeController::opened, &recent_, &RecentFiles::add);
  connect(&lattices_, &LatticeController::savedTo, &recent_, &RecentFiles::add);
  connect(&lattices_, &LatticeController::started, this, [this] { smoothing_.start(); });
  connect(&lattices_, &LatticeController::progressed, this, [this](double fraction, const QString& stage) {
    if (room_ == kLatticeRoom && smoothing_.elapsed() > kQuietMilliseconds) status_->showWork(stage, fraction);
  });
  connect(&lattices_, &LatticeController::failed, this, [this](const QString& message) { status_->endWork(message); });
  connect(&lattices_, &LatticeController::canceled, this, [this] {
    if (room_ == kLatticeRoom && !lattices_.busy()) status_->endWork(tr("canceled \u00b7 what is shown stays"));
  });
  connect(&lattices_, &LatticeController::fieldChanged, this, [this] {
    fieldMilliseconds_.reset();
    if (lattices_.busy()) {
      fieldMilliseconds_ = smoothing_.elapsed();
    } else {
      tellLattices();
    }
  });
  connect(&lattices_, &LatticeController::ended, this, &MainWindow::tellLattices);
  connect(&latticePage_->tabs(), &QTabWidget::currentChanged, this, &MainWindow::tellLattices);
}

// "atb_nersc.l8t4b3360 \u00b7 topological charge density, flow time 1.00 \u00b7 412 ms".
void MainWindow::tellLattices() {
  SolvePanel& solve = latticePage_->solve();
  if (room_ != kLatticeRoom || lattices_.busy() || solve.controller().busy()) return;
  if (latticePage_->solving()) {
    status_->endWork(solve.statusText());
    return;
  }
  const auto field = lattices_.field();
  if (!field) {
    status_->endWork(lattices_.configuration() ? lattices_.name() : tr("no configuration is open"));
    return;
  }
  QStringList parts{lattices_.name(), field->title};
  if (field->flowSteps > 0) parts << tr("flow time %1").arg(field->flowSteps * lattice::kFlowStep, 0, 'f', 2);
  if (!fieldMilliseconds_) {
    parts << tr("of the last solve");
  } else {
    parts << (*fieldMilliseconds_ > 0
                  ? tr("computed on all cores in %1").arg(secondsText(static_cast<double>(*fieldMilliseconds_) * 1e-3))
                  : tr("there in less than 1 ms"));
  }
  status_->endWork(parts.join(QStringLiteral(" \u00b7 ")));
}

void MainWindow::openConfiguration(const QString& path) {
  enterRoom(kLatticeRoom);
  lattices_.open(path);
}

const Session& MainWindow::wholeSession() {
  model_.setLattice(latticePage_->settings());
  if (room_ == kLatticeRoom) {
    ViewState view = model_.view();
    view.room = fromQt(rooms_[kLatticeRoom].key);
    model_.setView(view);
  }
  return model_.session();
}

// Of the session that was opened.
void MainWindow::restoreLattice() {
  const Session& session = model_.session();
  if (session.lattice) {
    std::vector<std::string> engines;
    for (const SolveSettings::Place& place : session.lattice->solve.places) engines.push_back(place.engine);
    if (!engines.empty()) engines_->setCompared(engines);
    latticePage_->restore(*session.lattice);
  }
  if (fromQt(rooms_[kLatticeRoom].key) == session.view.room) enterRoom(kLatticeRoom);
}

// The data of the Filter room are replaced. Sessions do not hold what is sent: one that was changed since it was saved
// would lose its data, and is asked for first.
void MainWindow::sendField(bool all) {
  const auto field = lattices_.field();
  if (!field) return;
  LatticeFields& fields = latticePage_->fields();
  const std::shared_ptr<const Volume> volume =
      all ? field->volume : std::make_shared<const Volume>(componentOf(*field->volume, fields.component()));
  QStringList name{field->title};
  if (!all) name << fields.componentText();
  if (field->flowSteps > 0) name << tr("flow %1").arg(field->flowSteps * lattice::kFlowStep, 0, 'f', 2);
  VolumeInfo info;
  info.shape = volume->shape();
  info.type = volume->type();
  info.geometry = volume->geometry();
  info.format = tr("field of %1").arg(lattices_.name()).toStdString();
  const auto take = [this, volume, info = std::move(info), name = fromQt(name.join(QStringLiteral(", ")))] {
    enterRoom(kFilterRoom);
    loader_.take(volume, info, name);
  };
  if (!model_.dirty() || model_.session().data.empty()) {
    take();
    return;
  }
  askToSave(tr("Save the session before the field takes the place of its data?"), {[take](bool) { take(); }, {}});
}

}  // namespace sscope
