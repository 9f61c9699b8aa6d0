// The ladder of the conjugate residual: the sweep, its figures, and the paper's shares of the kernels.
#include <algorithm>
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "core/cpu/cpu_engines.h"
#include "core/ladder/extents.h"
#include "core/ladder/ladder.h"
#include "core/report/trace_section.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

const Figure* find(const std::vector<Figure>& figures, const std::string& id) {
  const auto found = std::find_if(figures.begin(), figures.end(), [&](const Figure& one) { return one.id == id; });
  return found == figures.end() ? nullptr : &*found;
}

std::string cell(const Figure& figure, const std::string& series, const std::string& column) {
  const auto at = std::find(figure.categories.begin(), figure.categories.end(), column) - figure.categories.begin();
  for (const FigureSeries& one : figure.series)
    if (one.name == series)
      for (const FigurePoint& point : one.points)
        if (point.x == static_cast<double>(at)) return point.label;
  return "nothing";
}

}  // namespace

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
  REQUIRE(find(figures, "cr-speedup-core") != nullptr);
  REQUIRE(find(figures, "cr-speedup-threads") != nullptr);
  REQUIRE(find(figures, "cr-gflops") != nullptr);
  const Figure* table = find(figures, "cr-rungs");
  REQUIRE(table != nullptr);
  CHECK(cell(*table, "scalar, Intel Xeon W3600, 3.47 GHz, one core", "time") == "51.002 s");
  CHECK(cell(*table, "scalar, cpu:scalar", "over one core") == "1.00x");
  const Figure* devices = find(figures, "cr-devices");
  REQUIRE(devices != nullptr);
  CHECK(cell(*devices, "AMD Radeon 7970", "peak in double precision") == "947.2 GFLOP/s");
  CHECK(cell(*devices, "NVIDIA Quadro 4000", "clock") == "950 MHz");
  const Figure* rates = find(figures, "cr-gflops");
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
