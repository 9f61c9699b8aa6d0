// The ladder of Wilson's operator: its point, its size, and figures 11 to 18.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/cpu/run/cpu_engine.h"
#include "core/ladder/ladder.h"
#include "core/report/extents.h"
#include "core/report/figure_svg.h"
#include "tests/ladder/figures_support.h"
#include "tests/measure/fake_engine.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

struct DiracLadder {
  EngineSet engines;
  test::FakeLog log;
  VariantTable variants;
  DiracLadder() {
    addCpuEngines(engines);
    addCpuVariants(variants);
  }
  [[nodiscard]] Sweep sweep(std::array<std::int64_t, 3> shape = {}, const OptionValues& values = {},
                            bool everyPoint = false) const {
    std::vector<std::string> ids;
    for (const EngineInfo& info : engines.infos()) ids.push_back(info.id);
    SweepRequest request;
    request.workload = "dirac";
    request.rows = ladderRows(engines, variants, "dirac", ids);
    request.shape = shape;
    request.values = values;
    request.everyPoint = everyPoint;
    return makeSweep(engines, variants, request);
  }
};

BenchOptions quick() {
  BenchOptions options;
  options.seconds = 0;
  options.measureCeilings = false;
  options.threads = 1;
  return options;
}

Measurement diracRow(const std::string& engine, const std::string& variant, double seconds, double executed = 0) {
  Measurement m;
  m.workload = "dirac";
  m.engine = engine;
  m.engineName = "device of " + engine;
  m.variant = m.ran = variant;
  m.params = {{"lattice", {4, 4, 4, 8}}, {"kappa", 0.12}};
  m.shape = {4, 4, 32};
  m.input = "f64";
  m.samples = {seconds};
  m.operations = 512 * 1368;
  m.executedOperations = 512 * executed;
  m.verification.verified = true;
  return m;
}

const FigurePoint* point(const Figure& figure, const std::string& series, const std::string& category) {
  const auto at = std::find(figure.categories.begin(), figure.categories.end(), category) - figure.categories.begin();
  for (const FigureSeries& one : figure.series)
    if (one.name == series)
      for (const FigurePoint& each : one.points)
        if (each.x == static_cast<double>(at)) return &each;
  return nullptr;
}

double value(const Figure& figure, const std::string& series, const std::string& category) {
  const FigurePoint* found = point(figure, series, category);
  INFO(series << " " << category);
  REQUIRE(found != nullptr);
  return found->value;
}

}  // namespace

TEST_CASE("the point of dirac is the paper's lattice, and plain rungs stand under one engine only") {
  const DiracLadder machine;
  const Sweep sweep = machine.sweep();
  CHECK(sweep.shape == std::array<std::int64_t, 3>{16, 16, 16});
  REQUIRE(sweep.points.size() == 1);
  CHECK(extentsText(extentsOf(*findWorkloadKind("dirac"), sweep.shape, sweep.commonValues())) == "16 x 16 x 16 x 32");
  std::size_t scalar = 0, tuned = 0;
  for (const BenchRow& one : sweep.points[0].rows) {
    if (one.variant == "scalar" || one.variant == "threads") CHECK(one.engine == "cpu:scalar");
    scalar += one.variant == "scalar" ? 1 : 0;
    tuned += one.variant == "tuned" ? 1 : 0;
  }
  CHECK(scalar == 1);
  CHECK(tuned == static_cast<std::size_t>(std::count_if(machine.engines.infos().begin(), machine.engines.infos().end(),
                                                        [](const EngineInfo& info) { return info.available(); })));
}

TEST_CASE("the whole ladder of dirac has the paper's numbers of sites a group") {
  DiracLadder machine;
  machine.engines.add(std::make_unique<test::FakeEngine>("opencl:9", EngineKind::OpenCl, machine.log));
  Variant fine;
  fine.workload = "dirac";
  fine.name = "v1.2";
  fine.kind = EngineKind::OpenCl;
  fine.options = {integerOption("multiple", "Sites a group", 16, 1, 64, "")};
  machine.variants.add(fine);
  for (const bool everyPoint : {false, true}) {
    const Sweep sweep = machine.sweep({}, {}, everyPoint);
    REQUIRE(sweep.points.size() == 1);
    std::vector<OptionValues> values;
    for (const BenchRow& one : sweep.points[0].rows)
      if (one.variant == "v1.2") values.push_back(one.values);
    std::vector<OptionValues> wanted{{}};
    if (everyPoint) wanted = {{}, {{"multiple", std::int64_t{8}}}, {{"multiple", std::int64_t{64}}}};
    CHECK(values == wanted);
  }
}

TEST_CASE("the rungs that speed-ups are counted from come along with any engine") {
  const DiracLadder machine;
  const std::vector<std::string> last{machine.engines.infos().back().id};
  for (const char* base : {"scalar", "threads"}) {
    const auto count = [&](const std::vector<BenchRow>& rows) {
      return std::count(rows.begin(), rows.end(), BenchRow{"cpu:scalar", base, {}});
    };
    CHECK(count(ladderRows(machine.engines, machine.variants, "dirac", last)) == 1);
    CHECK(count(ladderRows(machine.engines, machine.variants, "magic", last)) == 0);
  }
}

TEST_CASE("a machine that is too small for the paper's lattice takes a smaller one and says so") {
  const DiracLadder machine;
  Sweep sweep = machine.sweep({}, {{"time", std::int64_t{4}}});
  chooseSize(machine.engines, machine.variants, sweep, quick(), 1e-6, {});
  CHECK(sweep.shape == findWorkloadKind("dirac")->smallShape);
  CHECK(sweep.sizeReason.find("instead of the paper's 16 x 16 x 16 x 4, with which") != std::string::npos);
}

TEST_CASE("a small sweep of dirac runs, is verified and fills the figures") {
  const DiracLadder machine;
  const SweepOutcome outcome =
      runSweep(machine.engines, machine.variants, machine.sweep({4, 2, 4}, {{"time", std::int64_t{6}}}), quick(), {});
  for (const Measurement& m : outcome.results) {
    INFO(m.engine << " " << m.variant << " " << m.failed << m.skipped);
    CHECK((m.hasFigures() || !m.skipped.empty()));
    CHECK(extentsText(extentsOf(m)) == "4 x 2 x 4 x 6");
  }
  const std::vector<Figure> figures = figuresOf("dirac", outcome.results, publishedValues());
  CHECK(figures.size() == 5);
  CHECK(value(test::figureNamed(figures, "dirac-speedup-core"), "cpu:scalar", "scalar") == 1);
}

TEST_CASE("figures 11 to 18: speed-ups over one core and over all threads, rates, published numbers beside ours") {
  const std::vector<Measurement> rows{
      diracRow("cpu:scalar", "scalar", 0.08),    diracRow("cpu:scalar", "threads", 0.04),
      diracRow("cpu:avx2", "tuned", 0.01),       diracRow("opencl:0", "v1.0", 0.004, 5376),
      diracRow("cuda:0", "v1.0", 0.002, 5376),   diracRow("cuda:0", "v1.5", 0.001, 3264),
      diracRow("cuda:0", "tuned", 512 * 1368e-9)};
  const std::vector<Figure> figures = figuresOf("dirac", rows, publishedValues());
  REQUIRE(figures.size() == 5);
  const Figure& core = test::figureNamed(figures, "dirac-speedup-core");
  CHECK(core.beside);
  CHECK(core.categories == std::vector<std::string>{"scalar", "threads", "v1.0", "v1.5", "tuned"});
  CHECK(value(core, "opencl:0", "v1.0") == Approx(20));
  CHECK(value(core, "cuda:0", "v1.0") == Approx(40));
  CHECK(value(core, "cpu:avx2", "tuned") == Approx(8));
  CHECK(core.note.find("80.0 ms on device of cpu:scalar, 1 thread") != std::string::npos);
  const Figure& threads = test::figureNamed(figures, "dirac-speedup-threads");
  CHECK(value(threads, "cuda:0", "v1.5") == Approx(40));
  CHECK(point(threads, "cpu:scalar", "scalar") == nullptr);
  const Figure& rates = test::figureNamed(figures, "dirac-gflops");
  CHECK(value(rates, "cuda:0", "tuned") == Approx(1));  // 1368 operations a site in 1368 ns
  CHECK(value(rates, "NVIDIA Tesla C2050", "unnamed version") == 68);
  CHECK(value(rates, "AMD Radeon 7970, OpenCL", "unnamed version") == 145);
  CHECK(rates.series.back().origin == SeriesOrigin::Published);
  // Hovering tells what was executed: 5376 / 1368 times what is counted.
  CHECK(point(rates, "cuda:0", "v1.0")->label.find("0.350 GFLOP/s counted, 1.38 executed") != std::string::npos);
  const Figure& executed = test::figureNamed(figures, "dirac-executed");
  CHECK(value(executed, "cuda:0", "v1.0") == Approx(1.376256));
  CHECK(value(executed, "cuda:0", "tuned") == Approx(1));
  CHECK(value(executed, "AMD Radeon 7970, OpenCL", "unnamed version") == 145);
  const Figure& table = test::figureNamed(figures, "dirac-rungs");
  CHECK(value(table, "v1.5, cuda:0", "executed a site") == 3264);
  CHECK(value(table, "v1.5, cuda:0", "counted a site") == 1368);
  CHECK(value(table, "v1.5, cuda:0", "over one core") == Approx(80));
}

TEST_CASE("extras of lower precision come last in the figures and say what they are") {
  std::vector<Measurement> rows{diracRow("cpu:scalar", "scalar", 0.08), diracRow("cuda:0", "tuned-f32", 0.0005),
                                diracRow("cuda:0", "tuned", 0.001)};
  rows[1].lowerPrecision = "float32";
  const std::vector<Figure> figures = figuresOf("dirac", rows, publishedValues());
  const Figure& core = test::figureNamed(figures, "dirac-speedup-core");
  CHECK(core.categories == std::vector<std::string>{"scalar", "tuned", "tuned-f32 [float32]"});
  CHECK(value(core, "cuda:0", "tuned") == Approx(80));
  CHECK(value(core, "cuda:0", "tuned-f32 [float32]") == Approx(160));
  for (const Figure& figure : figures)
    if (figure.id != "dirac-speedup-threads")  // nothing to count from
      CHECK(figure.note.find("not versions of the paper") != std::string::npos);
  rows.erase(rows.begin() + 1);
  CHECK(test::figureNamed(figuresOf("dirac", rows, publishedValues()), "dirac-gflops").note.find("extra") ==
        std::string::npos);
}

TEST_CASE("without the rung they are counted from there are no speed-ups") {
  const std::vector<Figure> figures =
      figuresOf("dirac", std::vector{diracRow("cuda:0", "tuned", 0.001)}, publishedValues());
  REQUIRE(figures.size() == 3);
  CHECK(test::figureNamed(figures, "dirac-gflops").series.size() == 3);
  CHECK(test::figureNamed(figures, "dirac-rungs").series.size() == 1);
}

TEST_CASE("bars that are compared stand under one another on one scale") {
  const std::vector<Measurement> rows{diracRow("opencl:0", "v1.0", 0.004), diracRow("cuda:0", "v1.0", 0.002)};
  report::Palette palette;
  const std::vector<Figure> figures = figuresOf("dirac", rows, publishedValues());
  const std::string svg = report::draw(test::figureNamed(figures, "dirac-gflops"), palette);
  const auto count = [&](const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = svg.find(part); at != std::string::npos; at = svg.find(part, at + 1)) ++n;
    return n;
  };
  CHECK(count("<svg ") == 1);
  CHECK(count("<g>") == count("</g>"));
  CHECK(count("<g><title>") == 8);           // two bars of ours, two published, and what the legend says
  CHECK(count("fill='var(--paper)'") == 4);  // the published bars and their marks in the legend
  CHECK(count(">v1.0</text>") == 1);
  CHECK(svg.find("device of cuda:0") != std::string::npos);
}
