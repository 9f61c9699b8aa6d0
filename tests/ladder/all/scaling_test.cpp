// How a workload scales over ranks, drawn beside what the papers state.
#include <algorithm>

#include "core/ladder/bench_page.h"
#include "core/reach/scaling.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using Catch::Matchers::ContainsSubstring;

namespace {

reach::RankMeasurement point(int ranks, int devices, double seconds) {
  reach::RankMeasurement made;
  made.ranks = ranks;
  made.devices = devices;
  made.samples = {0.9 * seconds, seconds, 1.2 * seconds};
  made.compute = seconds;
  made.facts.engine = devices > 0 ? "cuda:0" : "cpu:avx2";
  made.facts.variant = "tuned";
  made.facts.whole = {ElementType::f64, {64, 64, 64, 1}};
  made.facts.work = {1e9, 1e8};
  made.verification.verified = true;
  made.verification.compared = 100;
  made.verification.coverage = "every element";
  return made;
}

reach::ScalingReport reportOf(const std::string& workload, reach::Scaling scaling, int devices = 0) {
  reach::ScalingReport report;
  report.scaling = scaling;
  report.workload = workload;
  report.title = workload + ", 64x64x64";
  report.machines = {"one", "one", "one", "one"};
  report.points = {point(1, std::min(devices, 1), 0.4), point(2, std::min(devices, 2), 0.2),
                   point(4, std::min(devices, 2), 0.125)};
  return report;
}

const FigureSeries& seriesNamed(const Figure& figure, const std::string& name) {
  const auto found = std::ranges::find(figure.series, name, &FigureSeries::name);
  INFO(name);
  REQUIRE(found != figure.series.end());
  return *found;
}

}  // namespace

TEST_CASE("table V is drawn with the measured speed-ups and its own") {
  const std::vector<Figure> figures = scalingFigures(reportOf("magic", reach::Scaling::Strong, 2), publishedValues());
  REQUIRE(figures.size() >= 2);
  const Figure& figure = figures.front();
  CHECK(figure.id == "magic-ranks");
  const FigureSeries& ours = seriesNamed(figure, "strong, cuda:0 tuned");
  CHECK(ours.origin == SeriesOrigin::Measured);
  REQUIRE(ours.points.size() == 3);
  CHECK(ours.points[2].y == Approx(3.2));
  CHECK_THAT(ours.points[2].label, ContainsSubstring("4 ranks share 2 devices"));
  // What the paper states: 4 MPI 3.6, 1 MPI + NVIDIA 20, 4 MPI + NVIDIA 38, with AMD 17 and 30, both 55.
  const FigureSeries& processors = seriesNamed(figure, "BigDFT on processors");
  CHECK(processors.origin == SeriesOrigin::Published);
  CHECK_THAT(processors.source, ContainsSubstring("table V"));
  REQUIRE(processors.points.size() == 2);
  CHECK(processors.points[1].x == 4);
  CHECK(processors.points[1].y == 3.6);
  CHECK(seriesNamed(figure, "BigDFT on NVIDIA").points[1].y == 38);
  CHECK(seriesNamed(figure, "BigDFT on AMD").points[1].y == 30);
  CHECK(seriesNamed(figure, "BigDFT on NVIDIA and AMD").points[0].y == 55);
  CHECK(seriesNamed(figure, "BigDFT on NVIDIA and AMD").points[0].x == 8);
}

TEST_CASE("the outlook on several devices is drawn with the paper's goal") {
  const std::vector<Figure> figures = scalingFigures(reportOf("cr", reach::Scaling::Weak, 2), publishedValues());
  REQUIRE(figures.size() == 3);
  const Figure& rates = figures.back();
  CHECK(rates.id == "cr-device-rate");
  const FigureSeries& ours = rates.series.front();
  REQUIRE(ours.points.size() == 3);
  CHECK(ours.points[0].y == Approx(1e9 / 0.4 * 1e-9));
  CHECK(ours.points[2].x == 2);  // four ranks on two devices
  const FigureSeries& goal = rates.series.back();
  CHECK(goal.origin == SeriesOrigin::Published);
  REQUIRE(goal.points.size() == 1);
  CHECK(goal.points[0].x == 48);
  CHECK(goal.points[0].y == 30);
}

TEST_CASE("a page draws the figures of its report, and a report without points has none") {
  reach::ScalingReport report = reportOf("magic", reach::Scaling::Strong);
  CHECK_THAT(toHtml(BenchReport(), {}, &report), ContainsSubstring("id='magic-ranks'") && ContainsSubstring("<svg"));
  report.points.clear();
  CHECK(scalingFigures(report, publishedValues()).empty());
}
