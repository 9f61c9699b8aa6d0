// The ladder of the magic filter: where its points lie, and the tables of the paper.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <nlohmann/json.hpp>

#include "core/ladder/ladder.h"
#include "core/wavelet/figures/wavelet_figures.h"
#include "core/wavelet/magic_taps.h"
#include "tests/ladder/figures_support.h"
#include "tests/support/catch.h"
#include "tests/support/cpu_machine.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

struct MagicLadder : test::CpuMachine {
  MagicLadder() {
    EngineInfo absent;
    absent.id = "cuda:0";
    absent.kind = EngineKind::Cuda;
    absent.absentReason = "libcuda.so.1 not found";
    engines.addAbsent(absent);
  }
  [[nodiscard]] Sweep sweep(std::array<std::int64_t, 3> shape = {}) const {
    std::vector<std::string> ids;
    for (const EngineInfo& info : engines.infos()) ids.push_back(info.id);
    SweepRequest request;
    request.workload = "magic";
    request.rows = ladderRows(engines, variants, "magic", ids);
    request.shape = shape;
    return makeSweep(engines, variants, request);
  }
};

bool has(const SweepPoint& point, const std::string& variant) {
  return std::any_of(point.rows.begin(), point.rows.end(), [&](const BenchRow& row) { return row.variant == variant; });
}

Measurement magicRow(const std::string& engine, const std::string& variant, const nlohmann::json& params,
                     std::array<std::int64_t, 3> shape, double seconds) {
  Measurement m;
  m.workload = "magic";
  m.engine = engine;
  m.engineKind = engine == "cuda:0" ? EngineKind::Cuda : EngineKind::Cpu;
  m.engineName = "this machine";
  m.variant = m.ran = variant;
  m.params = {{"direction", "forward"}, {"passes", "3d"}, {"order", 8}};
  if (!params.is_null()) m.params.update(params);
  m.shape = shape;
  m.input = "f64";
  m.samples = {seconds};
  m.operations = 1e9;
  m.verification.verified = true;
  return m;
}

}  // namespace

TEST_CASE("the points of magic are those of the four tables") {
  const MagicLadder machine;
  const Sweep sweep = machine.sweep();
  CHECK(sweep.shape == std::array<std::int64_t, 3>{128, 126, 130});
  REQUIRE(sweep.points.size() == 5);  // the absent device has a row, for the reason, in table IV only
  const SweepPoint &volume = sweep.points[0], &patterns = sweep.points[1], &columns = sweep.points[2];
  CHECK(sweep.shapeOf(volume) == sweep.shape);
  for (const char* rung : {"tuned", "simple", "simple-t", "unrolled", "unrolled-t"}) CHECK(has(volume, rung));
  CHECK(!has(volume, "sse-1x2"));
  CHECK(sweep.shapeOf(patterns) == std::array<std::int64_t, 3>{5040, 32, 1});
  CHECK(!has(patterns, "simple-t"));
  CHECK(has(columns, "simple-t"));
  CHECK(!has(columns, "simple"));
  for (std::size_t i = 3; i < 5; ++i) {
    CHECK(sweep.shapeOf(sweep.points[i]) == std::array<std::int64_t, 3>{124, 132, 130});
    for (const BenchRow& one : sweep.points[i].rows) CHECK(one.engine == "cuda:0");
  }
  // Rungs stand only under the level that they are written for.
  for (const BenchRow& one : volume.rows)
    if (one.variant == "simple") CHECK(one.engine == "cpu:scalar");
  const Sweep small = machine.sweep({20, 10, 6});
  for (const SweepPoint& point : small.points) CHECK(small.shapeOf(point) == std::array<std::int64_t, 3>{20, 10, 6});
}

TEST_CASE("a small sweep of magic runs, is verified and fills the tables") {
  const MagicLadder machine;
  BenchOptions options;
  options.seconds = 0;
  options.measureCeilings = false;
  const SweepOutcome outcome = runSweep(machine.engines, machine.variants, machine.sweep({34, 10, 6}), options, {});
  for (const Measurement& m : outcome.results) {
    INFO(m.engine << " " << m.variant << " " << m.failed << m.skipped);
    CHECK((m.hasFigures() || m.engine == "cuda:0"));
    if (m.hasFigures()) CHECK(m.threads == 1);  // as in the paper
  }
  const std::vector<Figure> figures = figuresOf("magic", outcome.results, publishedValues());
  REQUIRE(test::findFigure(figures, "magic-counters") != nullptr);
  REQUIRE(test::findFigure(figures, "magic-patterns") != nullptr);
  REQUIRE(test::findFigure(figures, "magic-columns") != nullptr);
  CHECK(test::findFigure(figures, "magic-devices") == nullptr);
}

TEST_CASE("the tables of magic hold ours and the published numbers") {
  std::vector<Measurement> rows{
      magicRow("cpu:scalar", "simple", {}, {128, 126, 130}, 0.5),
      magicRow("cpu:sse4", "sse-1x2", {{"passes", "lines"}, {"transposed", false}}, {5040, 32, 1}, 0.25),
      magicRow("cpu:sse4", "sse-4x2-t", {{"passes", "lines"}, {"transposed", true}}, {5040, 32, 1}, 0.125),
      magicRow("cuda:0", "magic", {{"passes", "lines"}, {"transposed", true}}, {124, 132, 130}, 0.01),
      magicRow("cuda:0", "magic", {}, {124, 132, 130}, 0.02),
      magicRow("cuda:0", "magic-inverse", {{"direction", "inverse"}}, {124, 132, 130}, 0.04)};
  rows[0].counters.unavailable = "nobody counts";
  const std::vector<Figure> figures = figuresOf("magic", rows, publishedValues());
  REQUIRE(figures.size() == 5);
  const Figure& counters = *test::findFigure(figures, "magic-counters");
  CHECK(test::cellText(counters, "simple, cpu:scalar", "cycles") == "unavailable");
  CHECK(test::cellText(counters, "simple, cpu:scalar", "GFLOP/s") == "2.00");
  CHECK(counters.note.find("nobody counts") != std::string::npos);
  CHECK(test::cellText(counters, "sse-t, Intel Xeon X5550, 2.67 GHz, one core", "cycles") == "82.2 M");
  CHECK(test::cellText(counters, "sse-t, Intel Xeon X5550, 2.67 GHz, one core", "GFLOP/s") == "6.52");
  rows[0].counters = {{{"cycles", 2e6}, {"instructions", 5e6}}, {}};
  const std::vector<Figure> again = figuresOf("magic", rows, publishedValues());
  CHECK(test::cellText(*test::findFigure(again, "magic-counters"), "simple, cpu:scalar", "instructions a cycle") ==
        "2.50");
  CHECK(test::cellText(*test::findFigure(figures, "magic-patterns"), "cpu:sse4", "sse-1x2") == "4.00");
  CHECK(test::cellText(*test::findFigure(figures, "magic-patterns"), "Intel Xeon X5550, 2.67 GHz, one core",
                       "sse-1x10") == "8.43");
  CHECK(test::cellText(*test::findFigure(figures, "magic-columns"), "cpu:sse4", "sse-4x2-t") == "8.00");
  const Figure& devices = *test::findFigure(figures, "magic-devices");
  CHECK(test::cellText(devices, "cuda:0", "magic, 1D") == "100");
  CHECK(test::cellText(devices, "cuda:0", "magic-inverse, 3D") == "25.0");
  CHECK(test::cellText(devices, "AMD Radeon HD 6970", "magic-block, 3D") == "118");
  const Figure& program = *test::findFigure(figures, "magic-program");
  CHECK(test::cellText(program, "4 MPI + NVIDIA", "execution time") == "160 s");
  CHECK(test::cellText(program, "(4 MPI + NV) + (4 MPI + AMD)", "speed-up over 1 MPI") == "55");
}

TEST_CASE("a sweep of magic goes over the orders where that is asked for") {
  const MagicLadder machine;
  SweepRequest request;
  request.workload = "magic";
  request.over = "order";
  request.rows = {{"cpu:scalar", "", {}}, {"cpu:scalar", "simple", {}}};
  request.shape = {12, 10, 8};
  const Sweep sweep = makeSweep(machine.engines, machine.variants, request);
  REQUIRE(sweep.points.size() == 10);
  for (std::size_t i = 0; i < 10; ++i) {
    CHECK(std::get<std::int64_t>(sweep.points[i].values.at("order")) == static_cast<std::int64_t>(i + 1));
    CHECK(sweep.points[i].rows.size() == 2);
  }
  CHECK(sweep.threads == 0);
  request.over = "direction";
  CHECK_THROWS_WITH(makeSweep(machine.engines, machine.variants, request),
                    Catch::Matchers::ContainsSubstring("give order"));
  request.workload = "soup";
  CHECK_THROWS_WITH(makeSweep(machine.engines, machine.variants, request),
                    Catch::Matchers::ContainsSubstring("omit --over"));
}

TEST_CASE("accuracy over cost has a curve for each row of several orders, and the tables stay the paper's") {
  std::vector<Measurement> rows;
  for (const int order : {8, 2, 4}) {
    rows.push_back(magicRow("cpu:avx2", "tuned", {{"order", order}}, {64, 64, 64}, 1e-3 * order));
    rows.push_back(magicRow("cpu:scalar", "simple", {{"order", order}}, {64, 64, 64}, 1e-2 * order));
  }
  rows.push_back(magicRow("cpu:sse4", "tuned", {}, {64, 64, 64}, 0.01));  // one order only
  rows.push_back(magicRow("cpu:avx2", "tuned", {{"order", 6}, {"passes", "lines"}}, {64, 64, 64}, 1));  // not all axes
  const std::vector<Figure> figures = figuresOf("magic", rows, publishedValues());
  const Figure* orders = test::findFigure(figures, "magic-orders");
  REQUIRE(orders != nullptr);
  REQUIRE(orders->series.size() == 2);
  for (const FigureSeries& series : orders->series) {
    REQUIRE(series.points.size() == 3);
    for (std::size_t i = 1; i < 3; ++i) {
      CHECK(series.points[i].x > series.points[i - 1].x);  // more taps cost more,
      CHECK(series.points[i].y < series.points[i - 1].y);  // and err less
    }
  }
  CHECK(orders->series[0].points[0].x == Approx(2));
  CHECK(orders->series[0].points[2].y == Approx(magicOrderError(8, 8)).epsilon(1e-12));
  const std::string table = magicOrdersTable(rows);
  CHECK(std::count(table.begin(), table.end(), '\n') == 7);
  CHECK(table.find("error") != std::string::npos);
  const Figure* counters = test::findFigure(figures, "magic-counters");
  REQUIRE(counters != nullptr);
  for (const FigureSeries& series : counters->series)
    for (const FigurePoint& point : series.points)
      if (point.measurement) CHECK(rows[*point.measurement].params.at("order") == 8);
  // One order alone is no curve.
  CHECK(test::findFigure(figuresOf("magic", std::vector<Measurement>{rows[0]}, publishedValues()), "magic-orders") ==
        nullptr);
  CHECK(magicOrdersTable(std::vector<Measurement>{rows[0]}).empty());
}

TEST_CASE("the error of an order is that of a wave through the filter and back") {
  const std::vector<double> taps = magicTaps(3);
  constexpr int kSamples = 8;
  // sum of w_j w_k cos of their distance: the wave's factor.
  double factor = 0;
  for (std::size_t j = 0; j < taps.size(); ++j)
    for (std::size_t k = 0; k < taps.size(); ++k)
      factor += taps[j] * taps[k] *
                std::cos(2 * std::numbers::pi / kSamples * (static_cast<double>(j) - static_cast<double>(k)));
  CHECK(magicOrderError(3, kSamples) == Approx(std::abs(factor - 1)).epsilon(1e-10));
  CHECK(magicOrderError(8, 16) < 1e-8);
  CHECK(magicOrderError(1, 8) == Approx(std::abs(std::pow(std::cos(std::numbers::pi / 8), 2) - 1)).epsilon(1e-12));
}
