// Who cannot wait for the compiler gets other kernels until the ones that are chosen are there.
#include "tests/gpu/posing_engine.h"
#include "tests/support/catch.h"

namespace sscope::test {

namespace {

// What ran for a filter that nobody else asks for, before its kernel was there, with it, and afterwards.
std::vector<RunReport> reportsOf(Engine& engine, const Operator& filter) {
  const Volume input = randomVolume({40, 24, 20, 1}, ElementType::f32, 2);
  const FilterWorkload workload({filter}, Boundary::wrap, 0, input.spec(), ElementType::f32);
  std::vector<RunReport> reports;
  for (const bool impatient : {true, false, true}) {
    PrepareOptions options;
    options.impatient = impatient;
    const PlanRun run = runOn(engine, workload, input, "auto", options);
    requireRight(workload, input, run);
    reports.push_back(run.report);
  }
  return reports;
}

}  // namespace

TEST_CASE("who cannot wait for the compiler gets passes until the fused kernel is there") {
  SSCOPE_POSING_ENGINE(posing);
  const auto reports = reportsOf(*posing.engine, waves({{11, 13, 7}}));
  CHECK(reports[0].variant == "separable");
  CHECK(reports[1].variant == "fused");
  CHECK(reports[2].variant == "fused");
}

TEST_CASE("a device chooses sums of few terms, in passes until their kernel is there") {
  SSCOPE_POSING_ENGINE(posing);
  const auto reports = reportsOf(*posing.engine, {"taps", twoBumps({12, 14, 13}, {5, 6, 5})});
  for (const RunReport& report : reports) CHECK(report.variant == "low-rank");
  CHECK_THAT(reports[0].why, Catch::Matchers::ContainsSubstring("passes and sums, until"));
  for (const RunReport& report : {reports[1], reports[2]})
    CHECK_THAT(report.why, Catch::Matchers::ContainsSubstring("as a sum of few products of lines"));
}

}  // namespace sscope::test
