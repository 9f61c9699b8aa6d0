// The ladder of the conjugate residual: the sweep, its figures, and the paper's shares of the kernels.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/cpu/run/cpu_engine.h"
#include "core/ladder/ladder.h"
#include "core/report/extents.h"
#include "core/report/trace_section.h"
#include "tests/ladder/figures_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

TEST_CASE("a small sweep of cr runs, is verified and fills the figures, the paper's time beside ours") {
  EngineSet engines;
  VariantTable variants;
  addCpuEngines(engines);
  addCpuVariants(variants);
  const std::vector<std::string> ids{engines.infos().front().id};
  SweepRequest request;
  request.workload = "cr";
  request.rows = ladderRows(engines, variants, "cr", ids);
  request.shape = {4, 2, 4};
  request.values = {{"time", std::int64_t{4}}, {"iterations", std::int64_t{3}}};
  const Sweep sweep = makeSweep(engines, variants, request);
  REQUIRE(sweep.points.size() == 1);
  BenchOptions options;
  options.seconds = 0;
  options.measureCeilings = false;
  options.threads = 1;
  const SweepOutcome outcome = runSweep(engines, variants, sweep, options, {});
  for (const Measurement& m : outcome.results) {
    INFO(m.engine << " " << m.variant << " " << m.failed << m.skipped);
    CHECK((m.hasFigures() || !m.skipped.empty()));
    CHECK(extentsText(extentsOf(m)) == "4 x 2 x 4 x 4");
  }
  const std::vector<Figure> figures = figuresOf("cr", outcome.results, publishedValues());
  REQUIRE(test::findFigure(figures, "cr-speedup-core") != nullptr);
  REQUIRE(test::findFigure(figures, "cr-speedup-threads") != nullptr);
  REQUIRE(test::findFigure(figures, "cr-gflops") != nullptr);
  const Figure* table = test::findFigure(figures, "cr-rungs");
  REQUIRE(table != nullptr);
  CHECK(test::cellText(*table, "scalar, Intel Xeon W3600, 3.47 GHz, one core", "time") == "51.002 s");
  CHECK(test::cellText(*table, "scalar, cpu:scalar", "over one core") == "1.00x");
  const Figure* devices = test::findFigure(figures, "cr-devices");
  REQUIRE(devices != nullptr);
  CHECK(test::cellText(*devices, "AMD Radeon 7970", "peak in double precision") == "947.2 GFLOP/s");
  CHECK(test::cellText(*devices, "NVIDIA Quadro 4000", "clock") == "950 MHz");
  const Figure* rates = test::findFigure(figures, "cr-gflops");
  CHECK(std::any_of(rates->series.begin(), rates->series.end(),
                    [](const FigureSeries& series) { return series.hardware.starts_with("QUDA"); }));
}

TEST_CASE("the paper's shares of the kernels stand beneath ours") {
  const std::vector<NamedTrace> traces{{"cuda:0 v2.0", {{{"xgemm34x44", 0, 1e-3, 1}, {"xaxpy", 1e-3, 2e-3, 1}}}}};
  const std::string html = report::traceSection(traces, publishedValues());
  for (const char* text : {"v1.2, published: stencilCore 75.0 %", "v2.0, published: xgemm34x44 42.2 %",
                           "v2.0, published: xgemm33x34 35.5 %", "cuda:0 v2.0: xaxpy 50.0 %"}) {
    INFO(text);
    CHECK(html.find(text) != std::string::npos);
  }
}
