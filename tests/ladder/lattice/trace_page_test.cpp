// Shares and timelines of traces on the report page.

#include "core/ladder/bench_page.h"
#include "core/report/page_sections.h"
#include "tests/ladder/figures_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Two iterations of two kernels, and what comes before them; the operator takes three times as long.
NamedTrace made() {
  NamedTrace one{"cuda:0 <v1.2>", {}};
  one.trace.spans = {{"start", 0, 1e-3, 0}};
  for (int iteration = 1; iteration <= 2; ++iteration) {
    const double at = 1e-3 * iteration;
    one.trace.spans.push_back({"stencilCore", at, at + 0.6e-3, iteration});
    one.trace.spans.push_back({"xaxpy", at + 0.7e-3, at + 0.9e-3, iteration});
  }
  return one;
}

std::vector<PublishedValue> stated() {
  return {{"cr", "v1.2", {{"kernel", "stencilCore"}}, "a device", "kernel_share", 0.75, "figure 9", ""}};
}

}  // namespace

TEST_CASE("traces become shares and the timeline of one iteration") {
  const std::vector<NamedTrace> traces{made()};
  const std::string html = report::traceSection(traces, stated());
  for (const std::string tag : {"svg", "g", "text", "title", "figure", "section", "div"})
    CHECK(test::countOf(html, "<" + tag + ">") + test::countOf(html, "<" + tag + " ") ==
          test::countOf(html, "</" + tag + ">"));
  CHECK(!has(html, "<v1.2>"));
  CHECK(!has(html, "nan"));
  // 2 x 0.6 of 2.6 ms.
  CHECK(has(html, "cuda:0 &lt;v1.2&gt;: stencilCore 46.2 %, 1.20 ms in 2 launches"));
  CHECK(has(html, "v1.2, published: stencilCore 75.0 % (figure 9; a device)"));
  CHECK(has(html, "the rest is not stated"));
  CHECK(has(html, "iteration 1<"));
  CHECK(has(html, "<title>xaxpy: 0.200 ms from 0.700 ms on</title>"));
  CHECK(!has(html, "<title>start: "));  // it belongs to no iteration
}

TEST_CASE("a page without traces has no part about them") {
  BenchReport report;
  report.machine.cpu = "a processor";
  CHECK(!has(toHtml(report), "trace-"));
  CHECK(report::traceSection({}, stated()).empty());
  const std::vector<NamedTrace> traces{made(), NamedTrace{"cpu:avx2 tuned", {}}};  // one that holds nothing
  const std::string page = toHtml(report, traces);
  CHECK(test::countOf(page, "<figure id='trace-shares'>") == 1);
  CHECK(test::countOf(page, "<figure id='trace-timeline'>") == 1);
  CHECK(!has(page, "inf"));
}
