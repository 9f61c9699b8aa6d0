// The ladder of the magic filter: where its points lie, and the tables of the paper.
#include <algorithm>
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "core/cpu/cpu_engines.h"
#include "core/ladder/ladder.h"
#include "tests/ladder/figures_support.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

struct MagicLadder {
  EngineSet engines;
  VariantTable variants;
  MagicLadder() {
    addCpuEngines(engines);
    addCpuVariants(variants);
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
