#include "app/stencilscope_start.h"

#include <QApplication>
#include <QFileInfo>
#include <QTimer>
#include <cstdio>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/filter/families/recipe_text.h"
#include "ui/base/text.h"
#include "ui/rooms/compare/compare_room.h"
#include "ui/rooms/filter/filter_room.h"
#include "ui/rooms/ladder/ladder_room.h"
#include "ui/rooms/ladder/ladder_setup.h"
#include "ui/rooms/room.h"
#include "ui/window/main_window.h"

namespace sscope {

namespace {

constexpr const char* kDefaultSample = "foam";

// The first bank of a new user: smoothing, and edges.
FilterBank startingBank() {
  FilterBank bank;
  bank.filters = {parseFilterSpec("gaussian:sigma=1.5"), parseFilterSpec("sobel:axis=x,normalize=true")};
  return bank;
}

void runLadder(MainWindow& window, const StartOptions& options) {
  window.enterRoom("ladders");
  window.roomOf<LadderRoom>().ladderPage().choose(options.ladder);
  window.roomOf<LadderRoom>().ladderPage().setup().setSize(LadderSize::Small);
  if (!options.screenshot.empty()) {
    // The figures are redrawn a moment after the last row.
    QObject::connect(&window.roomOf<LadderRoom>().model(), &LadderModel::ended, &window,
                     [&window, path = toQt(options.screenshot)] { saveScreenshotSoon(window, path); });
    QObject::connect(&window.roomOf<LadderRoom>().model(), &LadderModel::failed, &window, endWithError);
  }
  window.roomOf<LadderRoom>().ladderPage().run();
}

// Handles files that start no computation whose end could be awaited: banks and sessions without data, or data without
// filters.
bool nothingToCome(MainWindow& window) {
  const Session& opened = window.model().session();
  return !window.computing() &&
         (opened.data.empty() || (opened.bank.enabled().empty() && !window.openRoom().computes()));
}

}  // namespace

void showRace(MainWindow& window, const StartOptions& options) {
  window.enterRoom(CompareRoom::kKey);
  if (options.screenshot.empty()) return;
  CompareRoom& room = window.roomOf<CompareRoom>();
  QObject::connect(&window.loader(), &DataLoader::failed, &window, endWithError);
  const auto taken = [&window, path = toQt(options.screenshot)] { saveScreenshotSoon(window, path); };
  QObject::connect(&window.loader(), &DataLoader::loaded, &room, [&room, taken] {
    room.race();
    if (!room.model().busy()) taken();  // the page shows the reason
  });
  QObject::connect(&room.model(), &RaceModel::failed, &window, endWithError);
  QObject::connect(&room.model(), &RaceModel::ended, &window, taken);
}

void start(MainWindow& window, const StartOptions& options) {
  window.loader().setWatched(options.screenshot.empty());
  Session session;
  session.bank = startingBank();
  window.model().replaceSession(std::move(session));
  if (!options.ladder.empty()) {
    runLadder(window, options);
    return;
  }
  // Loaded data open a room of pictures, and a session may name another room.
  for (const char* room : {"wavelet", "lattice", "ladders"}) {
    if (options.room != room) continue;
    window.enterRoom(room);
    QObject::connect(
        &window.loader(), &DataLoader::loaded, &window, [&window, room] { window.enterRoom(room); },
        Qt::SingleShotConnection);
  }
#ifndef SSCOPE_WITHOUT_LATTICE
  showLattice(window, options);
#endif
  const bool race = options.room == CompareRoom::kKey;
  if (race) showRace(window, options);
  if (!options.screenshot.empty() && !race) {
    const QString path = toQt(options.screenshot);
    QObject::connect(&window.loader(), &DataLoader::failed, &window, endWithError);
    QObject::connect(&window.loader(), &DataLoader::dataMissing, &window,
                     [](const QString& /*path*/, const QString& reason) { endWithError(reason); });
    // After all consequences of an opened file, such as the configuration of a session.
    QObject::connect(
        &window.loader(), &DataLoader::loaded, &window,
        [&window, path] {
          if (nothingToCome(window)) saveScreenshotSoon(window, path);
        },
        Qt::QueuedConnection);
#ifndef SSCOPE_WITHOUT_WAVELET
    showTransform(window, path);
#endif
    QObject::connect(&window.live(), &LiveController::failed, &window, endWithError);
    // idle: the whole is verified, and the compared engines have run.
    QObject::connect(&window.live(), &LiveController::idle, &window, [&window, path] {
      QTimer::singleShot(0, &window, [&window, path] { saveScreenshot(window, path); });
    });
  }
  if (!options.file.empty()) {
    window.loader().open(QFileInfo(toQt(options.file)).absoluteFilePath());
  } else if (options.room != "lattice" || !options.sample.empty()) {
    window.loader().openSample(options.sample.empty() ? kDefaultSample : options.sample, options.sampleSize);
  } else if (!options.screenshot.empty()) {
    saveScreenshotSoon(window, toQt(options.screenshot));
  }
}

void endWithError(const QString& message) {
  std::fprintf(stderr, "error: %s\n", qPrintable(message));
  QApplication::exit(1);
}

void saveScreenshot(MainWindow& window, const QString& path) {
  // Makes the 3D view finish its background refinement.
  window.openRoom().finishDrawing();
  QApplication::processEvents();
  try {
    writeAtomically(fromQt(path), [&window, &path](const std::filesystem::path& temporary) {
      if (!window.grab().save(toQt(temporary.string()), "PNG"))
        throw Error(ErrorKind::Io, "cannot write " + fromQt(path), "choose another folder or free some space");
    });
  } catch (const Error& error) {
    endWithError(toQt(error.what()));
    return;
  }
  QApplication::exit(0);
}

void saveScreenshotSoon(MainWindow& window, const QString& path) {
  constexpr int kDrawMilliseconds = 500;
  QTimer::singleShot(kDrawMilliseconds, &window, [&window, path] { saveScreenshot(window, path); });
}

}  // namespace sscope
