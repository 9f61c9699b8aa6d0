// The window's start in the Lattice room.

#include <QTabWidget>
#include <cmath>

#include "app/stencilscope_start.h"
#include "core/lattice/wilson_flow.h"
#include "ui/base/text.h"
#include "ui/rooms/lattice/lattice_page.h"
#include "ui/rooms/lattice/lattice_room.h"
#include "ui/rooms/lattice/solve_panel.h"
#include "ui/rooms/lattice/solve_setup.h"
#include "ui/window/main_window.h"

namespace sscope {

namespace {

// Solves on the opened configuration after its field has been computed, so that nothing else runs during the timed
// solve.
void solveLattice(MainWindow& window, const StartOptions& options) {
  LatticePage& page = window.roomOf<LatticeRoom>().latticePage();
  QObject::connect(
      &window.roomOf<LatticeRoom>().controller(), &LatticeController::opened, &window,
      [&page, kappa = *options.solve] {
        page.tabs().setCurrentWidget(&page.solve());
        page.solve().setup().setKappa(kappa);
      },
      Qt::SingleShotConnection);
  QObject::connect(&window.roomOf<LatticeRoom>().controller(), &LatticeController::ended, &page,
                   [&page, &window, begun = false]() mutable {
                     if (begun || window.roomOf<LatticeRoom>().controller().busy() ||
                         !window.roomOf<LatticeRoom>().controller().field())
                       return;
                     begun = true;
                     page.solve().solve();
                   });
  if (options.screenshot.empty()) return;
  QObject::connect(&page.solve().controller(), &SolveController::failed, &window, endWithError);
  QObject::connect(&page.solve().controller(), &SolveController::finished, &window,
                   [&window, path = toQt(options.screenshot)] { saveScreenshotSoon(window, path); });
}

}  // namespace

void showLattice(MainWindow& window, const StartOptions& options) {
  LatticeController& lattices = window.roomOf<LatticeRoom>().controller();
  const int steps = static_cast<int>(std::lround(options.flow / lattice::kFlowStep));
  if (steps > 0)
    QObject::connect(
        &lattices, &LatticeController::opened, &window, [&lattices, steps] { lattices.setFlowSteps(steps); },
        Qt::SingleShotConnection);
  if (options.solve) solveLattice(window, options);
  if (options.screenshot.empty()) return;
  QObject::connect(&lattices, &LatticeController::failed, &window, endWithError);
  if (options.solve) return;
  QObject::connect(&lattices, &LatticeController::ended, &window,
                   [&window, &lattices, steps, path = toQt(options.screenshot)] {
                     if (!lattices.field() || lattices.busy() || lattices.field()->flowSteps != steps) return;
                     saveScreenshotSoon(window, path);
                   });
}

}  // namespace sscope
