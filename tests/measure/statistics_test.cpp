#include "core/base/statistics.h"

#include "core/measure/ceilings.h"
#include "core/measure/table.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

TEST_CASE("quartiles interpolate between sorted samples") {
  const std::vector<double> samples{4, 1, 3, 2};
  const Spread spread = spreadOf(samples);
  CHECK(spread.minimum == 1);
  CHECK(spread.firstQuartile == Approx(1.75));
  CHECK(spread.median == Approx(2.5));
  CHECK(spread.thirdQuartile == Approx(3.25));
  CHECK(spread.maximum == 4);
  CHECK(medianOf(std::vector<double>{5}) == 5);
  CHECK(spreadOf({}).median == 0);
}

TEST_CASE("utilization is the share of the lower of the two limits") {
  const Ceilings ceilings{100, 50, 10, 1, ""};
  // 1 operation a byte: the memory allows 10 GFLOP/s, and 5 are reached.
  CHECK(utilization(ceilings, Precision::f32, 5e9, 5e9, 1) == Approx(0.5));
  // 1000 operations a byte: arithmetic is the limit.
  CHECK(utilization(ceilings, Precision::f32, 80e9, 80e6, 1) == Approx(0.8));
  CHECK(utilization(ceilings, Precision::f64, 40e9, 40e6, 1) == Approx(0.8));
  CHECK(utilization(ceilings, Precision::f32, 1e9, 1e9, 0) == 0);
}

TEST_CASE("tables align their columns") {
  const std::string text = textTable({{"name", "ms"}, {"a", "1.5"}, {"longer", "12"}, {"b"}, {"c"}});
  CHECK(text == "name     ms\na       1.5\nlonger   12\nb\nc\n");
  const std::string rest = textTable({{"id", "x", "y"}, {"a", "absent: a long reason"}, {"b", "1", "2"}});
  CHECK(rest == "id  x  y\na   absent: a long reason\nb   1  2\n");
  CHECK(shortNumber(3.14159) == "3.14");
  CHECK(shortNumber(1234.5) == "1234");
  CHECK(shortNumber(0.01234) == "0.0123");
  CHECK(shortNumber(99.97) == "100");
}
