// The window's start in the Wavelet room.

#include "app/stencilscope_start.h"
#include "ui/rooms/wavelet/wavelet_page.h"
#include "ui/rooms/wavelet/wavelet_room.h"
#include "ui/window/main_window.h"

namespace sscope {

void showTransform(MainWindow& window, const QString& path) {
  WaveletController& wavelets = window.roomOf<WaveletRoom>().controller();
  QObject::connect(&wavelets, &WaveletController::failed, &window, endWithError);
  QObject::connect(&wavelets, &WaveletController::verified, &window, [&window, &wavelets, path] {
    if (wavelets.current()) saveScreenshotSoon(window, path);
  });
}

}  // namespace sscope
