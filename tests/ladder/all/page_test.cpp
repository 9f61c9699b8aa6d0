#include <algorithm>
#include <sstream>

#include "core/ladder/ladder.h"
#include "core/report/svg.h"
#include "tests/ladder/figures_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

Measurement pageRow(const std::string& workload, const std::string& engine, const std::string& variant,
                    nlohmann::json params, double seconds) {
  Measurement m;
  m.workload = workload;
  m.variant = m.ran = variant;
  m.engine = engine;
  m.engineName = "a <device> & \"more\"";
  m.shape = {64, 64, workload == "bank" ? 64 : 1};
  m.params = std::move(params);
  m.input = "u8";
  m.samples = {seconds};
  m.operations = 1e9;
  m.bytes = 1e6;
  m.verification.verified = true;
  m.verification.coverage = "full volume";
  m.ceilings = Ceilings{100, 50, 10, 1, "2026-01-01T00:00:00Z"};
  return m;
}

// Elements that open also close, and no coordinate is NaN or infinite.
void checkWellFormed(const std::string& page) {
  for (const std::string tag :
       {"svg", "g", "text", "title", "table", "tr", "td", "th", "figure", "section", "div", "p"})
    CHECK(test::countOf(page, "<" + tag + ">") + test::countOf(page, "<" + tag + " ") ==
          test::countOf(page, "</" + tag + ">"));
  for (const char* bad : {"nan", "inf'", "inf ", "'-inf", "<device>"}) {
    INFO(bad);
    CHECK(page.find(bad) == std::string::npos);
  }
}

}  // namespace

TEST_CASE("the page shows every ladder's figures, every row, the machine and its ceilings") {
  BenchReport report;
  report.machine.cpu = "a processor";
  EngineInfo device;
  device.id = "opencl:0";
  device.name = "a <device> & \"more\"";
  EngineInfo absent;
  absent.id = "cuda:0";
  absent.absentReason = "libcuda.so.1 not found";
  report.devices = {device, absent};
  report.notes = {"64 x 64 x 64 because this is a test."};
  for (const int n : {1, 8}) report.results.push_back(pageRow("bank", "opencl:0", "unrolled", {{"filters", n}}, 0.1));
  report.results.push_back(pageRow("bank", "opencl:0", "naive-array", {{"filters", 8}}, 0.1));
  report.results.back().failed = "the output is wrong";
  for (const int w : {3, 9})
    report.results.push_back(pageRow("conv2d", "opencl:0", "naive", {{"width", w}, {"height", 3}}, 0.1));
  report.results.push_back(pageRow("soup", "opencl:0", "naive", {}, 0.1));
  report.results.push_back(pageRow("soup", "cuda:0", "", {}, 0));
  report.results.back().skipped = "libcuda.so.1 not found";
  report.results.back().ceilings.reset();
  const std::string page = toHtml(report);
  checkWellFormed(page);
  for (const char* id : {"bank-seconds", "bank-efficiency", "conv2d-map-opencl-0", "conv2d-average", "soup-stack"})
    CHECK(test::countOf(page, "<figure id='" + std::string(id) + "'>") == 1);
  for (const char* text : {"64 x 64 x 64 because this is a test.", "a processor", "skipped: libcuda.so.1 not found",
                           "FAILED: the output is wrong", "absent: libcuda.so.1 not found", "2026-01-01T00:00:00Z",
                           "AMD Radeon HD 6970", "NVIDIA GeForce 8800 GT", "prefers-color-scheme:dark"}) {
    INFO(text);
    CHECK(page.find(text) != std::string::npos);
  }
  for (const char* loads : {"<script", "<link", "<img", "src=", "url(", "@import"})
    CHECK(page.find(loads) == std::string::npos);
}

TEST_CASE("single points, equal values and zeros can be drawn") {
  report::Palette palette;
  Figure figure;
  figure.x = {"x", "", true};
  figure.y = {"y", "ms", true};
  FigureSeries series;
  series.name = "a, b";
  series.engine = "b";
  series.points = {{4, 0.5, 0.5, "one", {}}, {0, 1, 1, "not on a log scale", {}}};
  figure.series = {series};
  std::string svg = report::draw(figure, palette);
  checkWellFormed(svg);
  CHECK(svg.find("not on a log scale") == std::string::npos);
  figure.x.log = figure.y.log = false;
  figure.series[0].points = {{0, 0, 0, "zero", {}}};
  checkWellFormed(report::draw(figure, palette));

  figure.kind = FigureKind::HeatMap;
  svg = report::draw(figure, palette);
  checkWellFormed(svg);
  CHECK(svg.find("<title>zero</title>") != std::string::npos);

  figure.kind = FigureKind::StackedBars;
  figure.categories = {"rung"};
  checkWellFormed(report::draw(figure, palette));
  figure.kind = FigureKind::Table;
  checkWellFormed(report::draw(figure, palette));
}

TEST_CASE("a rung has one color on the whole page, a device one marker") {
  report::Palette palette;
  FigureSeries a, b, c;
  a.name = "naive, cpu:a";
  a.engine = "cpu:a";
  b.name = "naive, cpu:b";
  b.engine = "cpu:b";
  c.name = "tuned, cpu:b";
  c.engine = "cpu:b";
  CHECK(palette.colorOf(a) == palette.colorOf(b));
  CHECK(palette.colorOf(b) != palette.colorOf(c));
  CHECK(palette.markerOf(b) == palette.markerOf(c));
  CHECK(palette.markerOf(a) != palette.markerOf(b));
}
