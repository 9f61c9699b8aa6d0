// Rows of a formula are what its tree gives voxel by voxel.
#include <bit>
#include <random>
#include <sstream>

#include "core/filter/formula/formula_rows.h"
#include "tests/support/catch.h"

using namespace sscope;

namespace {

bool sameNumber(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a != a && b != b);
}

}  // namespace

TEST_CASE("rows of a formula are its voxels, in numbers and in intervals") {
  std::mt19937 random(7);
  constexpr std::size_t kStride = FormulaRows::kMost;
  for (const char* text :
       {"a", "3", "x + 2*xmm - nz", "a - a[1,0] + a*b/(a[1,0] + b)", "if(a < b, -a, b^3) + max(a, b, 0.2)",
        "exp(-(a*b)^2) + exp(-(a*b)^2) * @k=0.5",
        "eig2(a, b, 1, a*b, 0.1, b) + eigmapxy(a, b, 1, a*b, 0.1, b, 1, a, 2)", "1/a + sqrt(b) + log(a - b)",
        "floor(3*a) + mod(b, 0.3) + clamp(a, 0, b) + smoothstep(-1, 1, b) + sign(0*a)"})
    for (const Precision precision : {Precision::f32, Precision::f64})
      for (const std::size_t count : {std::size_t{1}, std::size_t{7}, kStride}) {
        const Formula formula = Formula::parse(text);
        const std::size_t reads = formula.reads().size();
        std::vector<double> values(reads * kStride);
        std::vector<Interval> ranges(reads * kStride);
        for (std::size_t i = 0; i < values.size(); ++i) {
          values[i] = i % 11 == 3 ? 0.0 : std::ldexp(static_cast<double>(random()), -31) - 1;
          ranges[i] = Interval::point(values[i]);
          if (i % 3 != 0) ranges[i].high += 1e-6;
          if (i % 13 == 5) ranges[i] = Interval::nothingButNan();
        }
        const FormulaPlace first{{3, 4, 5}, {100, 20, 30}, {0.1, 1, 2}};
        FormulaRows rows(formula, precision);
        FormulaEvaluator evaluate(formula);
        FormulaIntervals enclose(formula, precision);
        const auto row = rows.values(values, first, count);
        const auto enclosed = rows.intervals(ranges, first, count);
        REQUIRE(row.size() == count);
        REQUIRE(enclosed.size() == count);
        FormulaPlace place = first;
        for (std::size_t i = 0; i < count; ++i, ++place.voxel[0]) {
          std::vector<double> value;
          std::vector<Interval> range;
          for (std::size_t r = 0; r < reads; ++r) {
            value.push_back(values[r * kStride + i]);
            range.push_back(ranges[r * kStride + i]);
          }
          INFO(text << " at " << i << " of " << count);
          CHECK(sameNumber(row[i], evaluate(value, place)));
          const Interval one = enclose(range, place);
          CHECK(sameNumber(enclosed[i].low, one.low));
          CHECK(sameNumber(enclosed[i].high, one.high));
          CHECK(enclosed[i].nan == one.nan);
          CHECK(enclosed[i].torn == one.torn);
        }
      }
}

TEST_CASE("equal parts of a tree are found") {
  const Formula formula = Formula::parse("(a*b + 1) / (a*b + 2) - a*b");
  const std::vector<std::uint32_t> equal = equalNodes(formula.tree());
  std::size_t products = 0;
  for (std::uint32_t n = 0; n < equal.size(); ++n) {
    CHECK(equal[n] <= n);
    products += formula.tree().nodes[n].op == FormulaOp::Multiply && equal[n] == n ? 1 : 0;
  }
  CHECK(products == 1);
}
