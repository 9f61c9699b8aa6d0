// From a slider's event to the pixels of the three slices, and how long the event loop ever stands still while a slider
// is dragged. benches "[chain]"

#include <algorithm>
#include <cmath>
#include <iostream>

#include "core/base/stopwatch.h"
#include "tests/support/catch.h"
#include "tests/ui/stall_monitor.h"
#include "tests/ui/test_window.h"
#include "ui/controls/value_slider.h"
#include "ui/rooms/filter/filter_room.h"
#include "ui/rooms/wavelet/wavelet_controller.h"
#include "ui/rooms/wavelet/wavelet_room.h"
#include "ui/views/volume_views.h"

using namespace sscope;
using namespace sscope::test;

namespace {

void choose(TestWindow& test, const char* layout, const char* variant) {
  ViewState view = test.model().view();
  view.layout = layout;
  test.model().setView(view);
  EngineChoice choice;
  choice.variant = variant;
  test.model().editEngineChoice(choice, QStringLiteral("choice"));
}

}  // namespace

TEST_CASE("from slider to slices, dense 7^3 on 256^3", "[chain]") {
  const char* layout = GENERATE("axial", "all");
  TestWindow test;
  test.setBank({"gaussian:sigma=0.7"});  // seven taps an axis from 0.625 to 0.875
  choose(test, layout, "dense");
  REQUIRE(test.openSample("gyroid", 256));
  auto& slider = test.find<ValueSlider>("sigma.slider");
  slider.setFocus();
  int previews = 0;
  double compute = 0;
  QObject::connect(&test.window->live(), &LiveController::previewReady, &test.window->roomOf<FilterRoom>().views(),
                   [&](const LivePreview& preview) {
                     ++previews;
                     compute = preview.report.phases.total;
                   });
  std::vector<double> chain, kernels;
  for (int step = 0; step < 10; ++step) {
    const int before = previews;
    const Stopwatch watch;
    QTest::keyClick(&slider, step % 2 == 0 ? Qt::Key_Right : Qt::Key_Left);
    while (previews == before) QCoreApplication::processEvents();
    QCoreApplication::processEvents();  // the paint events of the slices
    chain.push_back(1e3 * watch.seconds());
    kernels.push_back(1e3 * compute);
    REQUIRE(test.waitIdle());
  }
  std::ranges::sort(chain);
  std::ranges::sort(kernels);
  std::cout << "slider to slices, views " << layout << ": median " << chain[5] << " ms, best " << chain[0] << ", worst "
            << chain[9] << "; computing the slices: median " << kernels[5] << " ms\n";
  CHECK(previews >= 10);
}

TEST_CASE("the event loop while a slider is dragged over 256^3", "[chain]") {
  constexpr int kMoves = 240, kMoveMilliseconds = 16;
  const char* layout = GENERATE("axial", "all");
  TestWindow test;
  test.setBank({"gaussian:sigma=2", "sobel:axis=x"});
  choose(test, layout, "");
  REQUIRE(test.openSample("gyroid", 256));
  static_cast<void>(test.window->roomOf<FilterRoom>().views().renderToImage({200, 200}));
  auto& slider = test.find<ValueSlider>("sigma.slider");
  int previews = 0;
  QObject::connect(&test.window->live(), &LiveController::previewReady, &test.window->roomOf<FilterRoom>().views(),
                   [&] { ++previews; });
  StallMonitor monitor;
  monitor.restart();
  const double middle = slider.width() / 2.0;
  sendMouse(slider, QEvent::MouseButtonPress, middle);
  QTimer mover;
  mover.setTimerType(Qt::PreciseTimer);
  int moves = 0;
  QObject::connect(&mover, &QTimer::timeout, &slider, [&] {
    sendMouse(slider, QEvent::MouseMove, middle + 0.2 * slider.width() * std::sin(0.05 * ++moves));
  });
  mover.start(kMoveMilliseconds);
  REQUIRE(wait([&] { return moves >= kMoves; }));
  mover.stop();
  const double dragging = monitor.largestGapMilliseconds();
  monitor.restart();
  sendMouse(slider, QEvent::MouseButtonRelease, middle);
  REQUIRE(test.waitIdle());
  // The 3D view is still being refined.
  static_cast<void>(QTest::qWaitFor([] { return false; }, 1500));
  std::cout << "largest gap of the event loop, views " << layout << ": " << dragging << " ms while dragging ("
            << previews << " previews), " << monitor.largestGapMilliseconds() << " ms in the run after\n";
  CHECK(previews > 0);
}

TEST_CASE("from the threshold's slider to slices, wavelet room, 256^3", "[chain]") {
  constexpr int kSteps = 9;
  TestWindow test;
  test.window->enterRoom("wavelet");
  WaveletController& wavelets = test.window->roomOf<WaveletRoom>().controller();
  WaveletSettings settings = test.model().settings<WaveletSettings>();
  settings.wavelet = "sym8";
  test.model().edit(settings);
  test.window->loader().openSample("gyroid", 256);
  REQUIRE(wait([&] { return wavelets.current(); }));
  auto& slider = test.find<ValueSlider>("waveletSlider");
  slider.setFocus();
  int previews = 0, wholes = 0;
  double compute = 0;
  QObject::connect(&wavelets, &WaveletController::previewed, &slider, [&](const WaveletPreview& preview) {
    ++previews;
    compute = preview.seconds;
  });
  QObject::connect(&wavelets, &WaveletController::ready, &slider, [&] { ++wholes; });
  // While the step before is verified, then while the whole of the step before is still computed.
  for (const bool hurried : {false, true}) {
    std::vector<double> chain, slices, whole;
    for (int step = 0; step < kSteps; ++step) {
      const int before = previews, wholesBefore = wholes;
      const Stopwatch watch;
      QTest::keyClick(&slider, step % 2 == 0 ? Qt::Key_Right : Qt::Key_Left);
      while (previews == before) QCoreApplication::processEvents();
      QCoreApplication::processEvents();  // the paint events of the slices
      chain.push_back(1e3 * watch.seconds());
      slices.push_back(1e3 * compute);
      if (hurried) continue;
      while (wholes == wholesBefore) QCoreApplication::processEvents();
      whole.push_back(1e3 * watch.seconds());
      QTest::qWait(200);
    }
    for (auto* times : {&chain, &slices, &whole}) std::ranges::sort(*times);
    std::cout << "threshold to slices" << (hurried ? ", key after key" : "") << ": median " << chain[kSteps / 2]
              << " ms, best " << chain[0] << ", worst " << chain.back() << "; computing them: median "
              << slices[kSteps / 2] << " ms";
    if (!hurried) std::cout << "; to the whole: median " << whole[kSteps / 2] << " ms";
    std::cout << "\n";
  }
}
