// What formulas mean, by other words for the same, and the rules for NaN.
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "core/filter/formula/formula_value.h"
#include "core/filter/formula/symmetric_eigen.h"
#include "tests/support/catch.h"

using namespace sscope;

namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

double of(const std::string& text, double a = 0, double b = 0, double c = 0) {
  const Formula formula = Formula::parse(text);
  std::vector<double> reads;
  for (const FormulaRead& read : formula.reads()) {
    const std::string& name = formula.inputs()[read.input];
    reads.push_back(name == "a" ? a : name == "b" ? b : c);
  }
  return FormulaEvaluator(formula)(reads, {});
}

}  // namespace

TEST_CASE("functions are those of the C library") {
  const std::pair<const char*, double (*)(double)> functions[] = {
      {"sqrt", std::sqrt}, {"exp", std::exp},   {"log", std::log},   {"log2", std::log2}, {"log10", std::log10},
      {"sin", std::sin},   {"cos", std::cos},   {"tan", std::tan},   {"asin", std::asin}, {"acos", std::acos},
      {"atan", std::atan}, {"sinh", std::sinh}, {"cosh", std::cosh}, {"tanh", std::tanh}, {"floor", std::floor},
      {"ceil", std::ceil}, {"abs", std::fabs},  {"round", std::rint}};
  for (const auto& [name, function] : functions)
    for (const double a : {0.3, 0.9, 2.5, 3.5, -0.7, -2.5}) {
      INFO(name << " " << a);
      const double value = of(std::string(name) + "(a)", a);
      const double wanted = function(a);
      CHECK((value == wanted || (std::isnan(value) && std::isnan(wanted))));
    }
}

TEST_CASE("functions of our own") {
  CHECK(of("min(a, b, c)", 3, -1, 2) == -1);
  CHECK(of("max(a, b, c, 7)", 3, -1, 2) == 7);
  CHECK(of("min(a)", 3) == 3);
  CHECK(of("sign(a)", -3) == -1);
  CHECK(of("sign(a)", 0) == 0);
  CHECK(of("clamp(a, 0, 1)", 3) == 1);
  CHECK(of("clamp(a, 0, 1)", -3) == 0);
  CHECK(of("mix(a, b, 0.25)", 4, 8) == 5);
  CHECK(of("step(a, b)", 2, 2) == 1);
  CHECK(of("step(a, b)", 2, 1.9) == 0);
  CHECK(of("smoothstep(1, 3, a)", 1.5) == Approx(0.15625));
  CHECK(of("smoothstep(1, 3, a)", 9) == 1);
  CHECK(of("hypot(a, b)", 3e200, 4e200) == Approx(5e200));
  CHECK(of("atan2(a, b)", 1, -1) == std::atan2(1.0, -1.0));
  CHECK(of("pow(a, b)", 2, 0.5) == std::sqrt(2.0));
  CHECK(of("mod(a, b)", 7, 3) == 1);
  CHECK(of("mod(a, b)", -7, 3) == 2);
  CHECK(of("mod(a, b)", 7, -3) == -2);
  CHECK(of("a^5", 3) == 243);
  CHECK(of("a^-2", 4) == 1.0 / 16);
  CHECK(of("a^0", 4) == 1);
  CHECK(of("round(a)", 2.5) == 2);
  CHECK(of("pi") == Approx(3.14159265358979));
  CHECK(of("e") == Approx(2.71828182845905));
}

TEST_CASE("NaN is handled as IEEE 754 has it") {
  CHECK(std::isnan(of("a + 1", kNotANumber)));
  CHECK(of("a < 1", kNotANumber) == 0);
  CHECK(of("a >= 1", kNotANumber) == 0);
  CHECK(of("a == a", kNotANumber) == 0);
  CHECK(of("a != a", kNotANumber) == 1);
  CHECK(of("not a", kNotANumber) == 0);
  CHECK(of("if(a, 1, 2)", kNotANumber) == 1);
  CHECK(of("if(b, a, 2)", kNotANumber, 0) == 2);
  CHECK(std::isnan(of("min(1, a)", kNotANumber)));
  CHECK(std::isnan(of("min(a, 1)", kNotANumber)));
  CHECK(std::isnan(of("max(1, 2, a)", kNotANumber)));
  CHECK(std::isnan(of("clamp(a, 0, 1)", kNotANumber)));
  CHECK(std::isnan(of("clamp(1, a, 1)", kNotANumber)));
  CHECK(std::isnan(of("sign(a)", kNotANumber)));
  CHECK(std::isnan(of("hypot(a, b)", kUnbounded, kNotANumber)));
  CHECK(of("isnan(a)", kNotANumber) == 1);
  CHECK(of("isfinite(a)", kNotANumber) == 0);
  CHECK(of("isfinite(a)", -kUnbounded) == 0);
  CHECK(of("isfinite(a)", 3) == 1);
  CHECK(of("a^0", kNotANumber) == 1);
  CHECK(of("1/a", 0.0) == kUnbounded);
  CHECK(std::isnan(of("sqrt(a)", -1)));
  CHECK(of("log(a)", 0) == -kUnbounded);
  CHECK(std::isnan(of("eig1(a, 1, 1, 0, 0, 0)", kUnbounded)));
  CHECK(std::isnan(of("eigmax(a, 1, 0)", kUnbounded)));
}

TEST_CASE("eigenvalues are those of matrices made from them") {
  std::mt19937 random(3);
  const auto number = [&] { return std::ldexp(random(), -31) - 1; };
  for (int n = 0; n < 300; ++n) {
    // A rotation from a quaternion, and eigenvalues that are often equal or nearly so.
    double q[4] = {number(), number(), number(), number() + 1.5};
    const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (double& part : q) part /= norm;
    const double r[3][3] = {
        {1 - 2 * (q[1] * q[1] + q[2] * q[2]), 2 * (q[0] * q[1] - q[2] * q[3]), 2 * (q[0] * q[2] + q[1] * q[3])},
        {2 * (q[0] * q[1] + q[2] * q[3]), 1 - 2 * (q[0] * q[0] + q[2] * q[2]), 2 * (q[1] * q[2] - q[0] * q[3])},
        {2 * (q[0] * q[2] - q[1] * q[3]), 2 * (q[1] * q[2] + q[0] * q[3]), 1 - 2 * (q[0] * q[0] + q[1] * q[1])}};
    std::array<double, 3> lambda{number(), number(), number()};
    if (n % 3 == 0) lambda[1] = lambda[0];
    if (n % 5 == 0) lambda[2] = lambda[1] * (1 + 1e-9);
    if (n % 7 == 0) lambda = {0, 0, lambda[2]};
    const double scale = n % 4 == 0 ? 1e-200 : n % 4 == 1 ? 1e200 : 1;
    const auto element = [&](int i, int j) {
      double sum = 0;
      for (int k = 0; k < 3; ++k) sum += r[i][k] * lambda[static_cast<std::size_t>(k)] * r[j][k];
      return sum * scale;
    };
    const auto found = symmetricEigenvalues(
        {element(0, 0), element(1, 1), element(2, 2), element(0, 1), element(0, 2), element(1, 2)});
    std::sort(lambda.begin(), lambda.end());
    for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(found[i] / scale - lambda[i]) <= 1e-14);
  }
  CHECK(of("eigmin(2, 5, 2)") == Approx(1));
  CHECK(of("eigmax(2, 5, 2)") == Approx(6));
  CHECK(of("eigabs1(3, -1, 2, 0, 0, 0)") == Approx(-1));
  CHECK(of("eigabs2(3, -1, 2, 0, 0, 0)") == Approx(2));
  CHECK(of("eigabs3(3, -4, 2, 0, 0, 0)") == Approx(-4));
  CHECK(of("eig2(3, -4, 2, 0, 0, 0)") == Approx(2));
  CHECK(of("eigmapxx(3, -4, 2, 0, 0, 0, 10, 20, 30)") == Approx(30));
  CHECK(of("eigmapyy(3, -4, 2, 0, 0, 0, 10, 20, 30)") == Approx(10));
  CHECK(of("eigmapzz(3, -4, 2, 0, 0, 0, 10, 20, 30)") == Approx(20));
}

TEST_CASE("functions of matrices are those of their eigenvalues") {
  // Of a matrix M without negative ones: the identity is f(M) = M, and the square of the root is M.
  const std::string m = "4.4, 5.2, 4.4, 1.2, -1.6, 2.1", values = "eig1(" + m + "), eig2(" + m + "), eig3(" + m + ")";
  const std::array elements{"xx", "yy", "zz", "xy", "xz", "yz"};
  const std::array wanted{4.4, 5.2, 4.4, 1.2, -1.6, 2.1};
  for (std::size_t i = 0; i < elements.size(); ++i)
    CHECK(of("eigmap" + std::string(elements[i]) + "(" + m + ", " + values + ")") == Approx(wanted[i]));
  const auto root = [&](const char* element) {
    return of("eigmap" + std::string(element) + "(" + m + ", sqrt(eig1(" + m + ")), sqrt(eig2(" + m + ")), sqrt(eig3(" +
              m + ")))");
  };
  const double xx = root("xx"), xy = root("xy"), xz = root("xz"), yy = root("yy"), yz = root("yz");
  CHECK(xx * xx + xy * xy + xz * xz == Approx(4.4));
  CHECK(xx * xy + xy * yy + xz * yz == Approx(1.2));
  // Equal values leave no trace of the eigenvectors, whatever these are.
  CHECK(of("eigmapxy(1, 1, 1, 1e-17, 0, 0, 2, 2, 2)") == Approx(0).margin(1e-12));
  CHECK(of("eigmapzz(0, 0, 0, 0, 0, 0, 2, 2, 2)") == Approx(2));
  CHECK(std::isnan(of("eigmapzz(1/0, 0, 0, 0, 0, 0, 2, 2, 2)")));
}
