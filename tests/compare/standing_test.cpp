#include "core/compare/lane.h"

#include "core/compare/compare_page.h"
#include "core/compare/lane_figures.h"
#include "tests/compare/comparison_scene.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
using namespace sscope::compare;

TEST_CASE("the winner is the smallest median, and who is within its quartiles is level with it") {
  const std::vector<Lane> lanes{laneWith("a", {1.0, 1.1, 1.2}, {5, 5, 5}), laneWith("b", {1.15, 1.2, 1.3}, {6, 6, 6}),
                                laneWith("c", {3, 3.3, 3.6}, {2, 2, 2}), Lane{}};
  const Standing total = standing(lanes, Times::Total);
  REQUIRE(total.winner == 0U);
  CHECK(total.level.empty());
  CHECK(total.factor[2] == Approx(3));
  CHECK(total.factor[3] == 0);
  CHECK(standingText(lanes, Times::Total) ==
        "a separable is the fastest with transfers, 1.09 times as fast as b separable");
  const Standing kernel = standing(lanes, Times::Kernel);
  CHECK(kernel.winner == 2U);

  std::vector<Lane> close = lanes;
  close[1].totals = {1.05, 1.12, 1.3};  // its first quartile is 1.085, the winner's third 1.15
  CHECK(standing(close, Times::Total).level == std::vector<std::size_t>{1});
  CHECK(standingText(close, Times::Total) ==
        "a separable and b separable take the same time with transfers, within their quartiles; the next is c "
        "separable, 3.00 times as long");
  CHECK(standingText({Lane{}}, Times::Total).empty());
  CHECK(standingText({lanes[0], Lane{}}, Times::Total) == "a separable is the only one with figures");
}

TEST_CASE("no factor is told between a library and us on other numbers of threads") {
  std::vector<Lane> lanes{laneWith("a", {1, 1, 1}, {1, 1, 1}), laneWith("b", {100, 100, 100}, {9, 9, 9}),
                          laneWith("c", {2, 2, 2}, {2, 2, 2})};
  for (Lane& lane : lanes) lane.measurement.engineKind = EngineKind::Cpu;
  lanes[1].measurement.engineKind = EngineKind::Peer;
  lanes[0].measurement.threads = lanes[2].measurement.threads = 2;
  lanes[1].measurement.threads = 1;
  CHECK(standing(lanes, Times::Total).factor == std::vector<double>{1, 0, 2});
  CHECK(standingText(lanes, Times::Total) ==
        "a separable is the fastest with transfers, 2.00 times as fast as c separable; no factor to b separable, which "
        "ran on another number of threads");
  lanes[1].measurement.threads = 2;
  CHECK(standing(lanes, Times::Total).factor[1] == Approx(100));
  CHECK(standingText({lanes[0], lanes[1]}, Times::Total) ==
        "a separable is the fastest with transfers, 100 times as fast as b separable");
}

TEST_CASE("a memory-only twin never wins") {
  std::vector<Lane> lanes{laneWith("a", {2, 2, 2}, {2, 2, 2}), laneWith("a", {1, 1, 1}, {1, 1, 1})};
  lanes[1].measurement.twinOf = "separable";
  CHECK(standing(lanes, Times::Total).winner == 0U);
}

TEST_CASE("what disturbed a lane is told with numbers") {
  Lane lane = laneWith("a", {1, 1, 1}, {1, 1, 1});
  CHECK(lane.disturbances().empty());
  lane.marks.beside = 2;
  lane.marks.otherCores = 1.5;
  lane.measurement.stolen = 0.2;
  lane.measurement.clock = RowClock{1500, 900, 900, 1500, 0, {"power cap"}};
  const std::vector<std::string> words = lane.disturbances();
  REQUIRE(words.size() == 3);
  CHECK(words[0] == "2 of 3 repetitions beside other work, 1.50 cores of other programs");
  CHECK(words[1] == "a hypervisor took 20.0 % of the processor's time");
  CHECK(words[2] == "the clock fell from 1500 to 900 MHz, power cap");
}

TEST_CASE("a replay is compared with its capsule by ratios") {
  const Comparison there = threeLanes();
  Comparison here = threeLanes();
  // Twice as slow in everything: the ratio is the same.
  for (Lane& lane : here.lanes)
    for (double& total : lane.totals) total *= 2;
  const Replay same = replayed(there, here, Times::Total);
  REQUIRE(same.factors.size() == 1);
  CHECK(same.base == "opencl:0 separable");
  CHECK(same.factors[0].there.median == Approx(2));
  CHECK(same.factors[0].here.median == Approx(2));
  CHECK(same.factors[0].within());
  CHECK(replayText(same) ==
        "the factor of opencl:1 separable to opencl:0 separable is that of the capsule within quartiles");
  for (double& total : here.lanes[1].totals) total *= 2;
  const Replay other = replayed(there, here, Times::Total);
  CHECK_FALSE(other.factors[0].within());
  CHECK_THAT(replayText(other),
             ContainsSubstring("opencl:1 separable took 4.00 (3.65 to 4.38) times as long, there 2.00 ("));
  here.lanes.pop_back();
  here.lanes.pop_back();
  CHECK(replayed(there, here, Times::Total).factors.empty());
  CHECK(replayText({}).empty());
}

TEST_CASE("tables and pages show every lane, those of others in gray, and absent ones with their reason") {
  const Comparison mine = threeLanes();
  Comparison other = threeLanes();
  other.machine.host = "elsewhere";
  const std::string text = toText(mine, {&other, 1});
  for (const char* part : {"opencl:0 separable", "elsewhere: opencl:1 separable", "skipped: libcuda.so.1 not found",
                           "1000 volumes", "on elsewhere, opencl:0 separable is the fastest", "A note."})
    CHECK_THAT(text, ContainsSubstring(part));
  LaneColors colors;
  const LaneFigure figure = timesFigure(mine, {&other, 1}, Times::Total, colors);
  REQUIRE(figure.figure.categories.size() == 4);
  CHECK(figure.figure.categories[0] == "opencl:0 separable");
  CHECK(figure.figure.categories[3] == "elsewhere: opencl:1 separable");
  REQUIRE(figure.looks.size() == figure.figure.series.size());
  for (std::size_t i = 0; i < figure.looks.size(); ++i) {
    const bool foreign = figure.figure.series[i].name.starts_with("elsewhere, capsule of 2026");
    CHECK((figure.looks[i].paint == report::own(kForeignLane)) == foreign);
  }
  const FigurePoint& bar = figure.figure.series[0].points[0];
  REQUIRE(bar.measurement);
  CHECK(figure.measurements[*bar.measurement].spread().median == 1.1);  // whiskers are of totals
  // The parts of a run add up to its wall time.
  const LaneFigure phases = phasesFigure(mine);
  std::vector<double> sums(phases.figure.categories.size(), 0);
  for (const FigureSeries& series : phases.figure.series)
    for (const FigurePoint& point : series.points) sums[static_cast<std::size_t>(point.x)] += point.value;
  REQUIRE(sums.size() == 2);
  CHECK(sums[0] == Approx(1.1));
  CHECK(sums[1] == Approx(2.2));

  const std::string page = toPage(mine, {&other, 1});
  for (const char* part : {"elsewhere", "libcuda.so.1 not found", "<svg", "1000 volumes", "id='capsule'"})
    CHECK_THAT(page, ContainsSubstring(part));
  for (const char* part : {"<link", "src=", "url(", "@import"}) CHECK(page.find(part) == std::string::npos);
  CHECK(page.size() < 2000000);
}

TEST_CASE("durations read like those of people") {
  CHECK(durationText(0.0125) == "12.5 ms");
  CHECK(durationText(12.5) == "12.5 s");
  CHECK(durationText(250) == "4 min 10 s");
  CHECK(durationText(7260) == "2 h 1 min");
  CHECK(durationText(1e6) == "11.6 days");
}
