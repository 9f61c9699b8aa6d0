// Intervals hold what single precision computes, in any order of rounding, and are no wider than they must be.
#include <cmath>
#include <random>

#include "core/filter/formula/formula_interval.h"
#include "tests/support/catch.h"

using namespace sscope;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

Interval intervalOf(const std::string& text, const std::vector<Interval>& reads, Precision precision = Precision::f32) {
  return evaluateInterval(Formula::parse(text), reads, {{3, 4, 5}, {10, 20, 30}, {0.1, 1, 1}}, precision);
}
Interval at(const std::string& text, std::vector<double> reads, Precision precision = Precision::f32) {
  std::vector<Interval> intervals;
  for (const double read : reads) intervals.push_back(IntervalRounding(precision).element(read));
  return intervalOf(text, intervals, precision);
}

bool isPoint(const Interval& interval, double value) { return interval.isPoint() && interval.low == value; }

}  // namespace

TEST_CASE("what is exact stays a point") {
  CHECK(isPoint(at("a + b", {3, 5}), 8));
  CHECK(isPoint(at("a*b - 2", {3, 5}), 13));
  CHECK(isPoint(at("a^2 + b^2", {3, 255}), 9 + 255 * 255));
  CHECK(isPoint(at("if(a + b > 7, x, y)", {3, 5}), 3));
  CHECK(isPoint(at("floor(a/2) + 0*b", {3, 5}), 1));
  CHECK(isPoint(at("sqrt(a)", {0}), 0));
  CHECK(isPoint(at("1/a", {0}), kInfinite));
  CHECK(isPoint(at("log(a)", {0}), -kInfinite));
  CHECK_FALSE(at("a + b", {16777216, 1}).isPoint());
  CHECK(isPoint(at("a + b", {16777216, 1}, Precision::f64), 16777217));
  CHECK_FALSE(at("a*0.1", {3}).isPoint());
}

TEST_CASE("roundings stay inside, and the interval within a few of them") {
  std::mt19937 random(7);
  const auto number = [&] { return static_cast<float>(std::ldexp(random(), -31) - 1); };
  for (int n = 0; n < 2000; ++n) {
    const float a = number(), b = number(), c = number();
    const float sum = a * b + c, joined = std::fma(a, b, c);
    const Interval interval = at("a*b + c", {a, b, c});
    const double exact = static_cast<double>(a) * b + c;
    CHECK(interval.contains(sum));
    CHECK(interval.contains(joined));
    CHECK(interval.contains(exact));
    CHECK(interval.width() <= 12 * 0x1p-24 * (std::abs(static_cast<double>(a) * b) + std::abs(exact)) + 1e-30);
    const Interval waves = at("exp(a)*sin(9*b)/sqrt(abs(c))", {a, b, c});
    CHECK(waves.contains(std::exp(a) * std::sin(9 * b) / std::sqrt(std::abs(c))));
    const Interval wide = at("exp(a)*sin(9*b)/sqrt(abs(c))", {a, b, c}, Precision::f64);
    CHECK(waves.low <= wide.low);
    CHECK(wide.high <= waves.high);
    CHECK(wide.width() <= 1e-7 * waves.width() + 1e-300);
  }
}

TEST_CASE("intervals of inputs are carried through") {
  const Interval a{1, 2, false, false}, b{-1, 3, false, false};
  const auto holds = [](const Interval& interval, double low, double high) {
    return interval.low <= low && interval.high >= high && interval.low >= low - 1e-4 && interval.high <= high + 1e-4;
  };
  CHECK(holds(intervalOf("a + b", {a, b}), 0, 5));
  CHECK(holds(intervalOf("a - b", {a, b}), -2, 3));
  CHECK(holds(intervalOf("a*b", {a, b}), -2, 6));
  CHECK(holds(intervalOf("b^2", {b}), 0, 9));
  CHECK(holds(intervalOf("b^3", {b}), -1, 27));
  CHECK(holds(intervalOf("abs(b)", {b}), 0, 3));
  CHECK(holds(intervalOf("b/a", {b, a}), -1, 3));
  CHECK(holds(intervalOf("sin(a)", {a}), std::sin(1.0), 1));
  CHECK(holds(intervalOf("cos(b)", {b}), std::cos(3.0), 1));
  CHECK(holds(intervalOf("max(a, b)", {a, b}), 1, 3));
  CHECK(holds(intervalOf("clamp(b, 0, 1)", {b}), 0, 1));
  CHECK(holds(intervalOf("hypot(a, b)", {a, b}), 1, std::sqrt(13.0)));
  CHECK(holds(intervalOf("pow(a, b)", {a, b}), 0.5, 8));
  CHECK(holds(intervalOf("smoothstep(0, 4, b)", {b}), 0, 0.84375));
  const Interval divided = intervalOf("a/b", {a, b});
  CHECK(divided.low == -kInfinite);
  CHECK(divided.high == kInfinite);
  CHECK_FALSE(divided.decided());
}

TEST_CASE("jumps are torn where rounding decides, and only there") {
  const Interval near{0.999999, 1.000001, false, false}, far{0.4, 0.6, false, false};
  CHECK(intervalOf("floor(a)", {near}).torn);
  CHECK_FALSE(intervalOf("floor(a)", {far}).torn);
  CHECK(intervalOf("a < 1", {near}).torn);
  CHECK(isPoint(intervalOf("a < 1", {far}), 1));
  CHECK(intervalOf("if(a < 1, 5, 6)", {near}).torn);
  // Of a continuous function both branches are near each other.
  CHECK_FALSE(intervalOf("if(a < 1, a, 2 - a)", {near}).torn);
  CHECK_FALSE(intervalOf("max(floor(a), 5)", {near}).torn);
  CHECK(intervalOf("round(a*0.5)", {near}).torn);
  CHECK(isPoint(intervalOf("floor(a) < 5 and 1", {near}), 1));
  CHECK(intervalOf("sqrt(a - 1)", {near}).nan);
  CHECK_FALSE(intervalOf("sqrt(a - 1)", {near}).decided());
  CHECK(intervalOf("atan2(a - 1, -1)", {near}).torn);
  CHECK(intervalOf("mod(a, 1)", {near}).torn);
  CHECK_FALSE(intervalOf("mod(a, 1)", {far}).torn);
  CHECK(intervalOf("eigabs1(a, -1, 5, 0, 0, 0)", {near}).torn);
  // Eigenvectors that rounding decides matter as much as their values differ.
  CHECK(intervalOf("eigmapxx(a, 1, 5, 0, 0, 0, 2, 2, 9)", {near}).width() < 1e-3);
  CHECK(intervalOf("eigmapxx(a, 1, 5, 0, 0, 0, 2, 3, 9)", {near}).width() > 1);
  CHECK(intervalOf("eigmapxx(a, -7, 5, 0, 0, 0, 2, 3, 9)", {near}).width() < 1e-3);
}

TEST_CASE("NaN and infinity are known where they are certain") {
  const double nan = std::nan("");
  CHECK(at("a + 1", {nan}).empty());
  CHECK(at("a + 1", {nan}).decided());
  CHECK(isPoint(at("isnan(a)", {nan}), 1));
  CHECK(isPoint(at("if(a == a, 1, 2)", {nan}), 2));
  CHECK(isPoint(at("exp(a)", {kInfinite}), kInfinite));
  CHECK(at("a - a", {kInfinite}).empty());
  // Beyond single precision: an engine may have computed it in another order.
  CHECK_FALSE(at("sqrt(a*a)", {1e30}).decided());
  CHECK(at("sqrt(a*a)", {1e30}, Precision::f64).decided());
  // Numbers below the normal ones may be taken for zero.
  CHECK(at("a > 0", {1e-40}).torn);
  CHECK(isPoint(at("a > 0", {1e-40}, Precision::f64), 1));
}
