// How fast the Compare room answers, and whether a window beside a race lengthens what is quoted.
// benches "[race-figures]"

#include <QPushButton>
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/compare/compare_page.h"
#include "core/compare/compare_settings.h"
#include "core/compare/race.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/rooms/compare/compare_page.h"
#include "ui/rooms/compare/compare_room.h"
#include "ui/rooms/compare/lane_board.h"

using namespace sscope;
using namespace sscope::test;

namespace {

const std::vector<std::string> kContenders{"cpu:scalar", "cpu:sse4", "cpu:avx2", "cpu:avx512", "opencl:0"};

// Sees when a widget paints.
class PaintClock : public QObject {
 public:
  explicit PaintClock(QWidget& widget) { widget.installEventFilter(this); }
  std::function<void()> painted;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    const bool paints = event->type() == QEvent::Paint;
    const bool handled = QObject::eventFilter(watched, event);
    if (paints && painted) painted();
    return handled;
  }
};

struct RaceFigures : TestWindow {
  RaceFigures() {
    setBank({"gaussian:sigma=2"});
    REQUIRE(openSample("gyroid", 256));
    CompareSettings settings = model().settings<CompareSettings>();
    settings.contenders = kContenders;
    model().edit(settings);
  }
  CompareRoom& room() { return window->roomOf<CompareRoom>(); }
  RaceModel& race() { return room().model(); }
  LaneBoard& board() { return find<LaneBoard>("laneBoard"); }
  void press() { QTest::mouseClick(&find<QPushButton>("race"), Qt::LeftButton); }
};

void tell(const char* what, std::vector<double> seconds) {
  std::ranges::sort(seconds);
  const auto at = [&](double share) {
    return 1e3 * seconds[static_cast<std::size_t>(share * static_cast<double>(seconds.size() - 1))];
  };
  std::cout << what << ": least " << at(0) << " ms, median " << at(0.5) << " ms, most " << at(1) << " ms of "
            << seconds.size() << std::endl;
}

}  // namespace

TEST_CASE("how long the Compare room takes to open", "[race-figures]") {
  std::vector<double> first, again;
  for (int i = 0; i < 3; ++i) {
    RaceFigures test;
    for (int j = 0; j < 10; ++j) {
      std::optional<double> shown;
      const Stopwatch clock;
      test.window->enterRoom("compare");
      PaintClock paints(test.room().page());
      paints.painted = [&] {
        if (!shown) shown = clock.seconds();
      };
      REQUIRE(wait([&] { return shown.has_value(); }));
      (j == 0 ? first : again).push_back(*shown);
      test.window->enterRoom("filter");
      REQUIRE(test.waitIdle());
    }
  }
  tell("room opens, the first time", first);
  tell("room opens, again", again);
}

TEST_CASE("how long until the first lane of five moves", "[race-figures]") {
  RaceFigures test;
  test.window->enterRoom("compare");
  std::vector<double> moves;
  PaintClock paints(test.board());
  for (int i = 0; i < 20; ++i) {
    std::optional<double> moved;
    REQUIRE(wait([&] { return !test.race().working(); }));
    const Stopwatch clock;
    paints.painted = [&] {
      const auto& lanes = test.race().lanes();
      if (!moved && test.race().busy() && !lanes.empty() && lanes.front().stage >= LaneState::Stage::Computing)
        moved = clock.seconds();
    };
    test.press();
    REQUIRE(wait([&] { return moved.has_value(); }));
    moves.push_back(*moved);
    test.race().cancel();
  }
  tell("from the click to the first lane's movement", moves);
}

TEST_CASE("quoted times with the window and without", "[race-figures]") {
  RaceFigures test;
  test.window->enterRoom("compare");
  std::vector<std::vector<double>> ratios(kContenders.size());
  std::vector<BenchRow> contenders;
  for (int i = 0; i < 5; ++i) {
    const QSignalSpy ended(&test.race(), &RaceModel::ended);
    test.press();
    REQUIRE(QTest::qWaitFor([&] { return !ended.isEmpty(); }, 10 * kPatienceMilliseconds));
    const auto with = test.race().comparison();
    REQUIRE(with != nullptr);
    if (i == 0) std::cout << "page: " << compare::toPage(*with).size() << " bytes" << std::endl;
    // The same race again, with nothing that could paint: this thread waits for it.
    const RaceJob job = raceJob(test.model().settings<CompareSettings>(), test.model());
    QuietGate gate;
    const auto without =
        compare::executeRace({test.workshop.engines, test.workshop.variants, gate},
                             {job.what.workload, job.what.input, with->contenders, with->how}, {}, Control{});
    for (std::size_t lane = 0; lane < ratios.size(); ++lane)
      if (with->lanes[lane].hasFigures() && without[lane].hasFigures())
        ratios[lane].push_back(with->lanes[lane].total().median / without[lane].total().median);
  }
  for (std::size_t lane = 0; lane < ratios.size(); ++lane) {
    std::vector<double>& of = ratios[lane];
    std::ranges::sort(of);
    std::cout << std::left << std::setw(12) << kContenders[lane] << std::right << " time with the window over without:";
    for (const double ratio : of) std::cout << ' ' << std::fixed << std::setprecision(3) << ratio;
    std::cout << std::endl;
  }
}
