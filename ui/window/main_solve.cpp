// The Solve tab of the Lattice room: where it solves, and what the rest of the window makes of it.

#include <utility>

#include "ui/panels/engines_panel.h"
#include "ui/panels/panel.h"
#include "ui/rooms/lattice/lattice_page.h"
#include "ui/rooms/lattice/solve_panel.h"
#include "ui/window/main_window.h"
#include "ui/window/status_line.h"

namespace sscope {

void MainWindow::followSolve() {
  SolvePanel& solve = latticePage_->solve();
  // The engine that is chosen first, then those to compare it with.
  const auto engines = [this, &solve] {
    const std::string& chosen = model_.session().engine;
    std::vector<std::string> ids{chosen.empty() ? toolbox_.engines->preferred().info().id : chosen};
    for (const std::string& id : engines_->compared())
      if (id != ids.front()) ids.push_back(id);
    solve.setEngines(ids);
    solve.setThreads(model_.session().threads);
  };
  connect(&model_, &SessionModel::engineChoiceChanged, this, engines);
  connect(engines_, &EnginesPanel::comparedChanged, this, engines);
  connect(&solve, &SolvePanel::enginesRequested, this, [this] {
    Panel* panel = panels_.back();
    panel->show();
    panel->raise();
  });
  connect(&solve, &SolvePanel::busyChanged, this,
          [this](bool busy) { engines_->holdMeasuring(busy || ladders_.busy()); });
  // What is timed beside other computations says so.
  SolveController& controller = solve.controller();
  controller.setOthers([this] { return live_.busy() || wavelets_.busy() || lattices_.busy(); });
  connect(&live_, &LiveController::started, &controller, &SolveController::noteOthers);
  connect(&wavelets_, &WaveletController::started, &controller, &SolveController::noteOthers);
  connect(&lattices_, &LatticeController::started, &controller, &SolveController::noteOthers);
  solve.hideStatus();  // the window has a line for it
  // While it runs it is told in every room: it can be canceled there, too.
  connect(&solve, &SolvePanel::statusChanged, this, [this, &solve, told = false](const QString& words) mutable {
    if (solve.controller().busy()) {
      status_->showWork(words, solve.progress());
      told = true;
    } else if (std::exchange(told, false) || (room_ == kLatticeRoom && latticePage_->solving())) {
      status_->endWork(words);
    }
  });
  engines();
}

}  // namespace sscope
