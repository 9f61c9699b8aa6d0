#include "app/stencilscope_screenshot.h"

#include <QApplication>
#include <QTimer>
#include <cstdio>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "ui/base/text.h"
#include "ui/rooms/room.h"
#include "ui/window/main_window.h"

namespace sscope {

void endWithError(const QString& message) {
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
