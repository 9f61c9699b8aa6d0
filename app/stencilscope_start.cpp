#include "app/stencilscope_start.h"

#include <QApplication>
#include <QFileInfo>
#include <QTabWidget>
#include <QTimer>
#include <cmath>
#include <cstdio>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/lattice/wilson_flow.h"
#include "ui/base/text.h"
#include "ui/rooms/filter/filter_room.h"
#include "ui/rooms/ladder/ladder_page.h"
#include "ui/rooms/ladder/ladder_room.h"
#include "ui/rooms/ladder/ladder_setup.h"
#include "ui/rooms/lattice/lattice_page.h"
#include "ui/rooms/lattice/lattice_room.h"
#include "ui/rooms/lattice/solve_panel.h"
#include "ui/rooms/lattice/solve_setup.h"
#include "ui/rooms/wavelet/wavelet_page.h"
#include "ui/rooms/wavelet/wavelet_pictures.h"
#include "ui/rooms/wavelet/wavelet_room.h"
#include "ui/views/volume_views.h"
#include "ui/window/main_window.h"

namespace sscope {

namespace {

constexpr const char* kDefaultSample = "foam";
constexpr int kDrawMilliseconds = 500;

// What a new user sees at work: smoothing, and the edges it leaves.
FilterBank startingBank() {
  FilterBank bank;
  bank.filters = {parseFilterSpec("gaussian:sigma=1.5"), parseFilterSpec("sobel:axis=x,normalize=true")};
  return bank;
}

void fail(const QString& message) {
  std::fprintf(stderr, "error: %s\n", qPrintable(message));
  QApplication::exit(1);
}

void saveScreenshot(MainWindow& window, const QString& path) {
  // Makes the 3D view finish what it refines behind the scenes.
  window.openRoom().finishDrawing();
  QApplication::processEvents();
  try {
    writeAtomically(fromQt(path), [&window, &path](const std::filesystem::path& temporary) {
      if (!window.grab().save(toQt(temporary.string()), "PNG"))
        throw Error(ErrorKind::Io, "cannot write " + fromQt(path), "choose another folder or free some space");
    });
  } catch (const Error& error) {
    fail(toQt(error.what()));
    return;
  }
  QApplication::exit(0);
}

void runLadder(MainWindow& window, const StartOptions& options) {
  window.enterRoom("ladders");
  window.roomOf<LadderRoom>().ladderPage().choose(options.ladder);
  window.roomOf<LadderRoom>().ladderPage().setup().setSize(LadderSize::Small);
  if (!options.screenshot.empty()) {
    // The figures are drawn anew a moment after the last row.
    QObject::connect(
        &window.roomOf<LadderRoom>().model(), &LadderModel::ended, &window, [&window, path = toQt(options.screenshot)] {
          QTimer::singleShot(kDrawMilliseconds, &window, [&window, path] { saveScreenshot(window, path); });
        });
    QObject::connect(&window.roomOf<LadderRoom>().model(), &LadderModel::failed, &window, fail);
  }
  window.roomOf<LadderRoom>().ladderPage().run();
}

// Wilson's operator inverted on the configuration that is opened, when its field is there: alone, so that the times are
// the solver's own.
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
  QObject::connect(&page.solve().controller(), &SolveController::failed, &window, fail);
  QObject::connect(&page.solve().controller(), &SolveController::finished, &window,
                   [&window, path = toQt(options.screenshot)] {
                     QTimer::singleShot(kDrawMilliseconds, &window, [&window, path] { saveScreenshot(window, path); });
                   });
}

// The field of a configuration, smoothed first where that is wanted.
void showLattice(MainWindow& window, const StartOptions& options) {
  LatticeController& lattices = window.roomOf<LatticeRoom>().controller();
  const int steps = static_cast<int>(std::lround(options.flow / lattice::kFlowStep));
  if (steps > 0)
    QObject::connect(
        &lattices, &LatticeController::opened, &window, [&lattices, steps] { lattices.setFlowSteps(steps); },
        Qt::SingleShotConnection);
  if (options.solve) solveLattice(window, options);
  if (options.screenshot.empty()) return;
  QObject::connect(&lattices, &LatticeController::failed, &window, fail);
  if (options.solve) return;
  QObject::connect(&lattices, &LatticeController::ended, &window,
                   [&window, &lattices, steps, path = toQt(options.screenshot)] {
                     if (!lattices.field() || lattices.busy() || lattices.field()->flowSteps != steps) return;
                     QTimer::singleShot(kDrawMilliseconds, &window, [&window, path] { saveScreenshot(window, path); });
                   });
}

}  // namespace

void start(MainWindow& window, const StartOptions& options) {
  Session session;
  session.bank = startingBank();
  window.model().replaceSession(std::move(session));
  if (!options.ladder.empty()) {
    runLadder(window, options);
    return;
  }
  if (options.room == "wavelet") {
    window.enterRoom("wavelet");
    // A session may name another room.
    QObject::connect(&window.loader(), &DataLoader::loaded, &window, [&window] { window.enterRoom("wavelet"); });
  }
  if (options.room == "lattice") window.enterRoom("lattice");
  showLattice(window, options);
  if (options.room == "ladders") window.enterRoom("ladders");
  if (!options.screenshot.empty()) {
    const QString path = toQt(options.screenshot);
    QObject::connect(&window.loader(), &DataLoader::failed, &window, fail);
    QObject::connect(&window.roomOf<WaveletRoom>().controller(), &WaveletController::failed, &window, fail);
    QObject::connect(
        &window.roomOf<WaveletRoom>().controller(), &WaveletController::verified, &window, [&window, path] {
          if (!window.roomOf<WaveletRoom>().controller().current()) return;
          QTimer::singleShot(kDrawMilliseconds, &window, [&window, path] { saveScreenshot(window, path); });
        });
    QObject::connect(&window.live(), &LiveController::failed, &window, fail);
    // idle: the whole is verified and engines to compare with have run as well.
    QObject::connect(&window.live(), &LiveController::idle, &window, [&window, path] {
      QTimer::singleShot(0, &window, [&window, path] { saveScreenshot(window, path); });
    });
  }
  if (!options.file.empty()) {
    window.loader().open(QFileInfo(toQt(options.file)).absoluteFilePath());
  } else if (options.room != "lattice" || !options.sample.empty()) {
    window.loader().openSample(options.sample.empty() ? kDefaultSample : options.sample, options.sampleSize);
  }
}

}  // namespace sscope
