// Where the time goes from the move of a held slider to the frame with the maximized slice, stage by stage.
// benches "[stages]"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

#include "core/base/stopwatch.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/controls/value_slider.h"
#include "ui/panels/engines_panel.h"
#include "ui/rooms/filter/filter_room.h"
#include "ui/views/slice_pane.h"
#include "ui/views/volume_views.h"

using namespace sscope;
using namespace sscope::test;

namespace {

double seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Wall time, time of this thread and of the whole process, in ms since the slider's event.
struct Stamp {
  double wall = 0, thread = 0, process = 0;
  static Stamp now() {
    return {1e3 * seconds(CLOCK_MONOTONIC), 1e3 * seconds(CLOCK_THREAD_CPUTIME_ID),
            1e3 * seconds(CLOCK_PROCESS_CPUTIME_ID)};
  }
  Stamp operator-(const Stamp& from) const { return {wall - from.wall, thread - from.thread, process - from.process}; }
};

// The stages end with these.
enum Point { kEvent, kSubmitted, kArrived, kTaken, kPainted, kFrame, kPoints };
constexpr std::array<const char*, kPoints> kStages{"all",
                                                   "to the worker: undo step, session",
                                                   "slice computed, news in the window",
                                                   "taken by views and status line",
                                                   "slice painted",
                                                   "frame handed on"};

void print(const char* what, std::vector<double> ms) {
  std::ranges::sort(ms);
  const auto at = [&](double share) {
    return ms[static_cast<std::size_t>(share * static_cast<double>(ms.size() - 1))];
  };
  std::cout << std::left << std::setw(46) << what << std::right << std::fixed << std::setprecision(2);
  for (const double share : {0.0, 0.1, 0.25, 0.5, 0.75}) std::cout << std::setw(8) << at(share);
  std::cout << '\n';
}

}  // namespace

TEST_CASE("from a held slider to the maximized slice, by stages", "[stages]") {
  constexpr int kSteps = 60, kWarmUp = 5;
  const char* layout = GENERATE("axial", "all");
  const int pause = GENERATE(4, 60);  // ms between a frame and the next move
  TestWindow test;
  test.setBank({"gaussian:sigma=2"});
  ViewState view = test.model().view();
  view.layout = layout;
  test.model().setView(view);
  REQUIRE(test.openSample("gyroid", 256));
  QTest::qWait(1500);  // charts, 3D view
  auto& slider = test.find<ValueSlider>("sigma.slider");
  auto& room = test.window->roomOf<FilterRoom>();
  LiveController& live = test.window->live();
  const WaitClock& waits = test.window->findChild<EnginesPanel*>()->waits();

  std::array<Stamp, kPoints> at;
  std::vector<double> computing, preparing, handling;
  bool framed = false;
  QObject context;
  QObject::connect(&live, &LiveController::started, &context, [&] { at[kSubmitted] = Stamp::now(); });
  QObject::connect(&live, &LiveController::previewReady, &context, [&](const LivePreview& preview) {
    if (!preview.last) return;
    at[kTaken] = Stamp::now();
    computing.push_back(1e3 * preview.report.phases.kernel);
    preparing.push_back(1e3 * preview.report.phases.total);
  });
  QObject::connect(&room.views(), &VolumeViews::slicesPainted, &context, [&] { at[kPainted] = Stamp::now(); });
  double pictures = 0;
  QObject::connect(&waits, &WaitClock::waited, &context, [&](const Wait& wait) {
    at[kFrame] = Stamp::now();
    pictures = 1e3 * wait.pictures;
    framed = true;
  });

  const double middle = slider.width() / 2.0;
  sendMouse(slider, QEvent::MouseButtonPress, middle);
  std::array<std::vector<double>, kPoints> wall, thread, process;
  for (int step = -kWarmUp; step < kSteps; ++step) {
    QTest::qWait(pause);
    if (step == 0) {
      computing.clear();
      preparing.clear();
      handling.clear();
    }
    framed = false;
    at[kEvent] = Stamp::now();
    sendMouse(slider, QEvent::MouseMove, middle + 2 + 2 * std::abs((step + 40) % 40 - 20));  // to and fro
    handling.push_back((Stamp::now() - at[kEvent]).wall);
    const Stopwatch watch;
    while (!framed && watch.seconds() < 5) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    REQUIRE(framed);
    if (step < 0) continue;
    at[kArrived] = {at[kFrame].wall - pictures, at[kTaken].thread, at[kTaken].process};
    for (int point = 1; point < kPoints; ++point) {
      const Stamp took = at[point] - at[point - 1];
      wall[point].push_back(took.wall);
      thread[point].push_back(took.thread);
      process[point].push_back(took.process);
    }
    const Stamp all = at[kFrame] - at[kEvent];
    wall[0].push_back(all.wall);
    thread[0].push_back(all.thread);
    process[0].push_back(all.process);
  }
  sendMouse(slider, QEvent::MouseButtonRelease, middle);
  REQUIRE(test.waitIdle());
  std::cout << "\nviews " << layout << ", moves " << pause << " ms after the frame before; slice pane "
            << room.views().findChild<SlicePane*>()->width() << " x " << room.views().findChild<SlicePane*>()->height()
            << "; ms: least, 10 %, quartile, median, quartile of " << kSteps << "\n";
  for (int point = 1; point <= kPoints; ++point) print(kStages[point % kPoints], wall[point % kPoints]);
  print("the slice, plan included", preparing);
  print("the slice, kernel", computing);
  print("slider's event handled, panels included", handling);
  print("processor time, window's thread", thread[0]);
  for (int point = 1; point < kPoints; ++point)
    if (point != kArrived) print((std::string("  ") + kStages[point]).c_str(), thread[point]);
  print("processor time, whole program", process[0]);
  CHECK(wall[0].size() == kSteps);
}
