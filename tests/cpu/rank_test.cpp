// Order statistics beside their results (tests/agreement/method_cases.cpp).
#include <cmath>

#include "core/base/error.h"
#include "tests/cpu/cpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::test;

TEST_CASE("elements are compared as what they are unless the value outside is none of them") {
  const auto ordered = [](ElementType input, ElementType output, Boundary boundary, double outside) {
    const ArraySpec spec{input, {5, 5, 5, 1}};
    return FilterWorkload({medianWindow(WindowShape::Box, 3, 3)}, boundary, outside, spec, output).orderedAs();
  };
  using enum ElementType;
  for (const ElementType type : kElementTypes) CHECK(ordered(type, type, Boundary::nearest, 0.5) == type);
  CHECK(ordered(u8, f32, Boundary::constant, 255) == u8);
  CHECK(ordered(u8, f32, Boundary::constant, 256) == f32);
  CHECK(ordered(u8, u8, Boundary::constant, 0.5) == f32);
  CHECK(ordered(u8, u8, Boundary::constant, 0.1) == f64);
  CHECK(ordered(i32, f32, Boundary::constant, 0.5) == f64);
  CHECK(ordered(u16, f64, Boundary::constant, NAN) == f64);
  CHECK(ordered(f32, f64, Boundary::constant, 0.1) == f64);
}

TEST_CASE("the widest windows are found, and stop when they are told to") {
  const Volume input = randomVolume({40, 34, 33, 1}, ElementType::f32, 4);
  const FilterWorkload workload({medianWindow(WindowShape::Box, 31, 3)}, Boundary::nearest, 0, input.spec(),
                                ElementType::f32);
  const auto corner = workload.restrictedTo({{0, 0, 0}, {17, 2, 1}});
  CHECK(wrongIn(*corner, input, runOnCpu("cpu:scalar", "", *corner, input)) == "");
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(runOnCpu("cpu:scalar", "", workload, input, 1, {stop.get_token(), {}}), Canceled);
  const Volume bytes = randomVolume({40, 34, 6, 1}, ElementType::u8, 4);
  const FilterWorkload counted({medianWindow(WindowShape::Box, 31, 3)}, Boundary::nearest, 0, bytes.spec(),
                               ElementType::u8);
  const PlanRun run = runOnCpu("cpu:scalar", "", counted, bytes);
  CHECK(run.report.variant == "histogram");
  CHECK(compared(counted, bytes, run).failure.empty());
}
