// Not a test but a measurement, hidden from the runner: from a slider's event to the pixels of the three slices.
// Run it with: tests/ui/with_display build/default/bin/test_ui "[chain]"

#include <algorithm>
#include <iostream>

#include "core/base/stopwatch.h"
#include "tests/ui/test_window.h"
#include "ui/controls/value_slider.h"
#include "ui/views/volume_views.h"

using namespace sscope;
using namespace sscope::test;

TEST_CASE("from slider to slices, dense 7^3 on 256^3", "[.][chain]") {
  TestWindow test;
  test.setBank({"gaussian:sigma=0.7"});  // seven taps an axis from 0.625 to 0.875
  EngineChoice choice;
  choice.variant = "dense";
  test.model().editEngineChoice(choice, QStringLiteral("dense"));
  REQUIRE(test.openSample("gyroid", 256));
  auto& slider = test.find<ValueSlider>("sigma.slider");
  slider.setFocus();
  int previews = 0;
  double compute = 0;
  QObject::connect(&test.window->live(), &LiveController::previewReady, &test.window->views(),
                   [&](const LiveUpdate& update) {
                     ++previews;
                     compute = update.report.phases.total;
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
  std::cout << "slider to slices: median " << chain[5] << " ms, best " << chain[0] << ", worst " << chain[9]
            << "; computing the slices: median " << kernels[5] << " ms\n";
  CHECK(previews >= 10);
}
