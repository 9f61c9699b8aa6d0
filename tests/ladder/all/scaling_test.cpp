// Scaling reports read again, and drawn beside what the papers state.
#include <algorithm>
#include <fstream>

#include <nlohmann/json.hpp>

#include "core/ladder/scaling_figures.h"
#include "core/reach/scaling.h"
#include "core/reach/scaling_model.h"
#include "core/report/figure_svg.h"
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

nlohmann::json documentOf(const reach::ScalingReport& report, bool model = true) {
  nlohmann::json document = toJson(report);
  const reach::ExchangeRates rates{.ranks = 4, .latency = 1e-6, .bandwidth = 1e9, .sum = 1e-6};
  const std::vector<reach::ModelPoint> points{{2, 1, 0.21, 0.2}, {4, 2, 0.11, 0.125}, {8, 4, 0.06, 0}};
  if (model) document["model"] = toJson(report, points, rates);
  return document;
}

reach::ScalingRecord recordOf(const reach::ScalingReport& report, bool model = true) {
  return reach::parseScaling(documentOf(report, model), "r.json");
}

const FigureSeries& seriesNamed(const Figure& figure, const std::string& name) {
  const auto found = std::ranges::find(figure.series, name, &FigureSeries::name);
  INFO(name);
  REQUIRE(found != figure.series.end());
  return *found;
}

}  // namespace

TEST_CASE("a scaling report reads back what it says") {
  const reach::ScalingReport report = reportOf("magic", reach::Scaling::Strong, 2);
  const reach::ScalingRecord record = recordOf(report);
  CHECK(record.workload == "magic");
  CHECK(record.engine == "cuda:0");
  CHECK(record.machines == 1);
  REQUIRE(record.points.size() == 3);
  CHECK(record.points[2].devices == 2);
  CHECK(record.points[2].seconds == 0.125);
  for (const auto& each : report.points) {
    CHECK(record.speedUp(each.ranks, each.samples[1]) == Approx(speedUp(report, each)));
    CHECK(record.efficiency(each.ranks, each.samples[1]) == Approx(efficiency(report, each)));
  }
  REQUIRE(record.model.size() == 3);
  CHECK(record.model[1].error() == Approx(-0.12));
  CHECK(record.model[2].measured == 0);
  const reach::ScalingRecord weak = recordOf(reportOf("dirac", reach::Scaling::Weak), false);
  CHECK(weak.speedUp(4, 0.125) == Approx(4 * 0.4 / 0.125));
  CHECK(weak.model.empty());
}

TEST_CASE("a scaling report that is none or damaged is refused in a sentence") {
  const nlohmann::json good = documentOf(reportOf("magic", reach::Scaling::Strong));
  const auto refused = [&](const auto& damage, const std::string& words) {
    nlohmann::json bad = good;
    damage(bad);
    CHECK_THROWS_WITH(reach::parseScaling(bad, "r.json"), ContainsSubstring("r.json") && ContainsSubstring(words));
  };
  refused([](auto& j) { j["schema"] = "stencilscope.bench/1"; }, "stencilscope.scaling/1");
  refused([](auto& j) { j.erase("points"); }, "points");
  refused([](auto& j) { j["points"] = nlohmann::json::array(); }, "empty");
  refused([](auto& j) { j["points"][1]["median_s"] = -1; }, "median_s");
  refused([](auto& j) { j["points"][1]["ranks"] = 1; }, "order");
  refused([](auto& j) { j["points"][0]["compared"] = 0; }, "compared");
  refused([](auto& j) { j["scaling"] = "sideways"; }, "strong or weak");
  refused([](auto& j) { j["model"]["points"][0]["model_s"] = "soon"; }, "model_s");
  CHECK_THROWS_AS(reach::parseScaling(nlohmann::json::array(), "r.json"), Error);
  const test::TemporaryFolder folder;
  std::ofstream(folder / "no.json") << "{";
  CHECK_THROWS_WITH(reach::readScaling(folder / "no.json"), ContainsSubstring("no JSON"));
}

TEST_CASE("table V is drawn with our speed-ups, its own, and a model that says it is one") {
  const std::vector<reach::ScalingRecord> records{recordOf(reportOf("magic", reach::Scaling::Strong, 2)),
                                                  recordOf(reportOf("dirac", reach::Scaling::Strong))};
  const std::vector<Figure> figures = scalingFigures("magic", records, publishedValues());
  REQUIRE(figures.size() >= 2);
  const Figure& figure = figures.front();
  CHECK(figure.id == "magic-ranks");
  const FigureSeries& ours = seriesNamed(figure, "strong, cuda:0 tuned");
  CHECK(ours.origin == SeriesOrigin::Measured);
  REQUIRE(ours.points.size() == 3);
  CHECK(ours.points[2].y == Approx(3.2));
  CHECK_THAT(ours.points[2].label, ContainsSubstring("4 ranks share 2 devices"));
  const FigureSeries& model = seriesNamed(figure, "model: strong, cuda:0 tuned");
  CHECK(model.origin == SeriesOrigin::Model);
  CHECK_THAT(model.points[2].label, ContainsSubstring("not measured") && ContainsSubstring("12.0 %"));
  CHECK_THAT(figure.note, ContainsSubstring("a model, not measured") && ContainsSubstring("12.0 %"));
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
  const std::vector<reach::ScalingRecord> records{recordOf(reportOf("cr", reach::Scaling::Weak, 2))};
  const std::vector<Figure> figures = scalingFigures("cr", records, publishedValues());
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

TEST_CASE("reports of other workloads and no reports make no figure, and the same twice has two names") {
  const reach::ScalingRecord record = recordOf(reportOf("magic", reach::Scaling::Strong), false);
  CHECK(scalingFigures("magic", {}, publishedValues()).empty());
  CHECK(scalingFigures("dirac", {{record}}, publishedValues()).empty());
  const std::vector<reach::ScalingRecord> twice{record, record, record};
  const std::vector<Figure> figures = scalingFigures("magic", twice, {});
  std::vector<std::string> names;
  for (const FigureSeries& series : figures.front().series) names.push_back(series.name);
  std::ranges::sort(names);
  CHECK(std::ranges::adjacent_find(names) == names.end());
  CHECK(names.size() == 3);
  report::Palette palette;
  for (const Figure& figure : figures) CHECK_THAT(draw(figure, palette, {}), ContainsSubstring("<svg"));
}
