#include "core/report/figure.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "core/ladder/ladder.h"
#include "core/workload/catalog.h"
#include "tests/ladder/figures_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

Measurement row(const std::string& workload, const std::string& engine, const std::string& variant,
                nlohmann::json params, double seconds, double operations = 1e9) {
  Measurement m;
  m.workload = workload;
  m.variant = m.ran = variant;
  m.engine = engine;
  m.engineName = "device of " + engine;
  m.shape = {64, 64, workload == "bank" ? 64 : 1};
  m.params = std::move(params);
  m.params["boundary"] = "nearest";
  m.input = "u8";
  m.samples = {seconds, seconds, seconds};
  m.operations = operations;
  m.bytes = 1e6;
  m.ceilings = Ceilings{100, 50, 10, 1, "2026-01-01T00:00:00Z"};
  return m;
}

const FigureSeries& series(const Figure& figure, std::string_view name) {
  for (const FigureSeries& one : figure.series)
    if (one.name == name) return one;
  FAIL("there is no series " << name);
  return figure.series.front();
}

double cell(const Figure& table, const std::string& row, const std::string& column) {
  const auto at = std::find(table.categories.begin(), table.categories.end(), column) - table.categories.begin();
  for (const FigurePoint& point : series(table, row).points)
    if (point.x == static_cast<double>(at)) return point.value;
  FAIL("there is no cell " << row << ", " << column);
  return 0;
}

}  // namespace

TEST_CASE("the bank's curves: time per kernel, share of the peak, points of the other figure left out") {
  std::vector<Measurement> all;
  for (const int n : {8, 1, 2}) all.push_back(row("bank", "opencl:0", "unrolled", {{"filters", n}}, 0.02 * n));
  for (const int unroll : {16, 4})
    for (const int y : {8, 16})
      all.push_back(row("bank", "opencl:0", "unrolled",
                        {{"filters", 8}, {"unroll", unroll}, {"group_x", 16}, {"group_y", y}}, 0.04));
  all.push_back(row("soup", "opencl:0", "naive", {}, 1));
  all.push_back(row("bank", "cuda:0", "unrolled", {{"filters", 1}}, 1));
  all.back().skipped = "not there";
  const std::vector<Figure> figures = figuresOf("bank", all, publishedValues());
  REQUIRE(figures.size() == 3);

  const Figure& seconds = test::figureNamed(figures, "bank-seconds");
  const FigureSeries& ours = series(seconds, "unrolled, opencl:0");
  REQUIRE(ours.points.size() == 3);
  CHECK(ours.origin == SeriesOrigin::Measured);
  CHECK(ours.hardware == "device of opencl:0");
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(ours.points[i].x == std::vector<double>{1, 2, 8}[i]);
    CHECK(ours.points[i].y == Approx(20));
    REQUIRE(ours.points[i].measurement);
    CHECK(all[*ours.points[i].measurement].params.at("filters") == ours.points[i].x);
  }
  const FigureSeries& theirs = series(seconds, "naive-array, AMD Radeon HD 6970");
  CHECK(theirs.origin == SeriesOrigin::Published);
  CHECK(!theirs.source.empty());
  REQUIRE(theirs.points.size() == 2);
  CHECK(theirs.points[0].y == Approx(184));
  CHECK(theirs.points[1].x == 32);
  CHECK(!theirs.points[0].measurement);

  const Figure& unroll = test::figureNamed(figures, "bank-unroll");
  const FigureSeries& group = series(unroll, "unrolled, groups of 16 x 8, opencl:0");
  REQUIRE(group.points.size() == 2);
  CHECK(group.points[0].x == 4);
  CHECK(group.points[0].y == Approx(25));  // 1e9 operations in 0.04 s of 100 GFLOP/s
  CHECK(series(unroll, "unrolled, AMD Radeon HD 6970").points.at(0).y == Approx(65));

  // 256^3 * 343 multiply-adds in 0.022 s of 2.52e12 a second.
  const Figure& efficiency = test::figureNamed(figures, "bank-efficiency");
  CHECK(series(efficiency, "naive-array, AMD Radeon HD 6970").points.at(1).y == Approx(10.38).epsilon(0.01));
  CHECK(series(efficiency, "unrolled, opencl:0").points.at(0).y == Approx(50));
}

TEST_CASE("conv2d: a heat map an engine, averages, table 2 and the relative performance") {
  std::vector<Measurement> all;
  for (const int width : {3, 9})
    for (const int height : {3, 9})
      for (const auto& [variant, seconds] :
           {std::pair{"naive", 0.4}, std::pair{"optimized", 0.2}, std::pair{"tiled-tiling", 0.05}}) {
        all.push_back(row("conv2d", "opencl:0", variant, {{"width", width}, {"height", height}}, seconds));
        if (std::string(variant) == "tiled-tiling")
          all.back().launch = {{"tiling factor", width}, {"modeled occupancy", 0.25}};
      }
  all.push_back(row("conv2d", "cpu:avx2", "tuned", {{"width", 3}, {"height", 3}}, 0.1));
  const std::vector<Figure> figures = figuresOf("conv2d", all, publishedValues());

  const Figure& map = test::figureNamed(figures, "conv2d-map-opencl-0");
  CHECK(map.kind == FigureKind::HeatMap);
  const FigureSeries& panel = series(map, "optimized");
  REQUIRE(panel.points.size() == 4);
  CHECK(panel.points[1].x == 3);
  CHECK(panel.points[1].y == 9);
  CHECK(panel.points[1].value == Approx(5));
  CHECK(*panel.average == Approx(5));
  CHECK(*series(map, "tiled-tiling, NVIDIA Tesla C2050").average == 274);
  CHECK(test::figureNamed(figures, "conv2d-map-cpu-avx2").series.front().points.size() == 1);

  const Figure& averages = test::figureNamed(figures, "conv2d-average");
  CHECK(cell(averages, "opencl:0", "tiled-tiling") == Approx(20));
  CHECK(cell(averages, "cpu:avx2", "tuned") == Approx(10));
  CHECK(cell(averages, "NVIDIA GeForce 8800 GT", "naive") == 1);

  const Figure& tiling = test::figureNamed(figures, "conv2d-tiling");
  CHECK(cell(tiling, "opencl:0", "tiled-tiling: tiling factor") == Approx(6));
  CHECK(cell(tiling, "opencl:0", "tiled-tiling: occupancy") == Approx(25));
  CHECK(cell(tiling, "NVIDIA Tesla C2050", "tiled-occupancy: tiling factor") == 3.83);

  const Figure& relative = test::figureNamed(figures, "conv2d-relative");
  CHECK(cell(relative, "tiled-tiling, opencl:0", "opencl:0: tiled-tiling") == Approx(4));
  CHECK(cell(relative, "tiled-tiling, published", "NVIDIA GeForce GTX 280: tiled-tiling") == 2.3);
}

TEST_CASE("soup stacks memory and compute, a rung without a twin is one piece") {
  std::vector<Measurement> all{row("soup", "opencl:0", "tuned", {}, 0.001),
                               row("soup", "opencl:0", "shared-coalesced", {}, 0.004),
                               row("soup", "opencl:0", "shared-coalesced", {{"block", "16x8"}}, 0.005),
                               row("soup", "opencl:0", "shared-coalesced-memory", {}, 0.003, 0),
                               row("soup", "opencl:0", "shared-coalesced-memory", {{"block", "16x8"}}, 0.006, 0)};
  all[3].twinOf = all[4].twinOf = "shared-coalesced";
  const std::vector<Figure> figures = figuresOf("soup", all, publishedValues());
  REQUIRE(figures.size() == 1);
  const Figure& stack = figures[0];
  CHECK(stack.kind == FigureKind::StackedBars);
  CHECK(stack.categories.front() == "naive");
  CHECK(stack.categories.back() == "tuned");  // the talk does not have it
  CHECK(cell(stack, "memory, opencl:0", "shared-coalesced") == Approx(3));
  CHECK(cell(stack, "compute, opencl:0", "shared-coalesced") == Approx(1));
  // A twin cannot take longer than the whole by anything but noise.
  CHECK(cell(stack, "memory, opencl:0", "shared-coalesced 16x8") == Approx(5));
  CHECK(cell(stack, "compute, opencl:0", "shared-coalesced 16x8") == 0);
  CHECK(cell(stack, "opencl:0", "tuned") == Approx(1));
  CHECK(cell(stack, "memory, NVIDIA GeForce 8800 GT", "shared-coalesced 19x13") == Approx(2.4));
  CHECK(cell(stack, "compute, NVIDIA GeForce 8800 GT", "shared-coalesced 19x13") == Approx(2.7));
  for (const FigureSeries& one : stack.series)
    CHECK(one.stack == (one.origin == SeriesOrigin::Measured ? "opencl:0" : "NVIDIA GeForce 8800 GT"));
}

TEST_CASE("names of series are distinct, and nothing measured means no figures") {
  std::vector<Measurement> all;
  for (const char* engine : {"opencl:0", "cuda:0"})
    for (const int n : {1, 2}) all.push_back(row("bank", engine, "naive-array", {{"filters", n}}, 0.1));
  for (const Figure& one : figuresOf("bank", all, publishedValues())) {
    std::set<std::string> names;
    for (const FigureSeries& s : one.series) CHECK(names.insert(s.name).second);
  }
  CHECK(figuresOf("bank", {}, publishedValues()).empty());
  CHECK(figuresOf("filter", all, publishedValues()).empty());
}

TEST_CASE("rows of another size do not mix with the others") {
  std::vector<Measurement> all{row("bank", "cpu:a", "naive", {{"filters", 1}}, 0.1),
                               row("bank", "cpu:a", "naive", {{"filters", 2}}, 0.1),
                               row("bank", "cpu:a", "naive", {{"filters", 4}}, 0.1)};
  all[2].shape = {128, 128, 128};
  const auto figures = figuresOf("bank", all, {});
  CHECK(series(test::figureNamed(figures, "bank-seconds"), "naive, cpu:a").points.size() == 2);
}

TEST_CASE("tiles that a search chose do not make another series") {
  std::vector<Measurement> all;
  for (const int n : {1, 2, 4, 8}) {
    all.push_back(row("bank", "opencl:0", "tuned", {{"filters", n}}, 0.01 * n));
    if (n < 4) continue;
    all.back().params["together"] = n / 2;
    all.back().searched = {"together"};
  }
  CHECK(givenParameters(all[3]) == nlohmann::json({{"filters", 8}, {"boundary", "nearest"}}));
  const auto seconds = test::figureNamed(figuresOf("bank", all, {}), "bank-seconds");
  REQUIRE(seconds.series.size() == 1);
  CHECK(seconds.series[0].name == "tuned, opencl:0");
  CHECK(seconds.series[0].points.size() == 4);
}

TEST_CASE("every ladder has a figure") {
  for (const WorkloadKind& kind : workloadCatalog()) {
    INFO(kind.name);
    const std::vector<Measurement> all{row(kind.name, "cpu:avx2", "naive", {}, 0.4),
                                       row(kind.name, "cpu:avx2", "tuned", {}, 0.1)};
    CHECK(!figuresOf(kind.name, all, publishedValues()).empty());
  }
  std::vector<Measurement> dwt{row("dwt", "cpu:avx2", "simple", {}, 0.004)};
  dwt[0].params = {{"extent", {64, 62, 66}}};  // of the data, nothing that tells rungs apart
  const auto figures = figuresOf("dwt", dwt, {});
  REQUIRE(figures.size() == 1);
  CHECK(figures[0].title == "Time of each rung");
  CHECK(cell(figures[0], "cpu:avx2", "simple") == Approx(4));
}
