// The grammar of formulas: what is one, what it means, and where it says that something else was expected.
#include <cmath>
#include <random>

#include "core/filter/formula/formula.h"
#include "core/filter/formula/formula_interval.h"
#include "core/filter/formula/formula_value.h"
#include "tests/support/catch.h"

using namespace sscope;

namespace {

// Of inputs in order of appearance.
double valueOf(const std::string& text, const std::vector<double>& reads = {}, const FormulaPlace& place = {}) {
  return FormulaEvaluator(Formula::parse(text))(reads, place);
}

struct Refusal {
  const char* text;
  std::size_t column;
  const char* words;
};

std::string refused(const std::string& text, std::size_t column, const std::string& words) {
  try {
    static_cast<void>(Formula::parse(text));
  } catch (const FormulaError& error) {
    const std::string said = error.what();
    if (error.kind() != ErrorKind::Usage) return "another kind";
    if (error.column() != column) return "column " + std::to_string(error.column());
    if (said.find("column " + std::to_string(column) + " of the formula: expected") != 0 &&
        said.find("is not allowed in formulas") == std::string::npos)
      return said;
    return said.find(words) == std::string::npos ? said : "";
  }
  return "it is taken";
}

}  // namespace

TEST_CASE("operators bind as in mathematics") {
  CHECK(valueOf("1 + 2 * 3") == 7);
  CHECK(valueOf("(1 + 2) * 3") == 9);
  CHECK(valueOf("8 - 3 - 2") == 3);
  CHECK(valueOf("16 / 4 / 2") == 2);
  CHECK(valueOf("2 ^ 3 ^ 2") == 512);
  CHECK(valueOf("-2 ^ 2") == -4);
  CHECK(valueOf("2 ^ -2") == 0.25);
  CHECK(valueOf("2 * -3") == -6);
  CHECK(valueOf("--3") == 3);
  CHECK(valueOf("+3 - -2") == 5);
  CHECK(valueOf("1 + 2 < 4 and 3 * 2 == 6") == 1);
  CHECK(valueOf("1 or 0 and 0") == 1);
  CHECK(valueOf("not 1 == 2") == 1);
  CHECK(valueOf("not 0 and 0") == 0);
  CHECK(valueOf("not not 5") == 1);
  CHECK(valueOf("0 and not 1 or 1") == 1);
  CHECK(valueOf("1 < 2 and 2 > 1 or 1 >= 5") == 1);
  CHECK(valueOf("if(2 != 2, 5, 6) + 1") == 7);
  CHECK(valueOf("1e3 + .5 + 2. + 1.5e-1") == 1002.65);
  CHECK(valueOf("1\n+\t1") == 2);
}

TEST_CASE("inputs are named in order of their appearance") {
  const Formula formula = Formula::parse("gx^2 + \"gaussian 2\"[1,-2] - gx[0,0,3] + source[0,0] + s");
  CHECK(formula.inputs() == std::vector<std::string>{"gx", "gaussian 2", "source", "s"});
  CHECK(formula.reads().size() == 5);
  CHECK(formula.reads()[1] == FormulaRead{1, {1, -2, 0}});
  CHECK(formula.reach(0) == FormulaReach{{0, 0, 0}, {0, 0, 3}});
  CHECK(formula.reach(1) == FormulaReach{{1, -2, 0}, {1, -2, 0}});
  CHECK_FALSE(formula.pointwise());
  CHECK(Formula::parse("a + nx").pointwise());
  CHECK_FALSE(Formula::parse("a + x").pointwise());
  // Names of functions are names where nothing is called; in quotes every name is one.
  CHECK(Formula::parse("log + log(\"x\")").inputs() == std::vector<std::string>{"log", "x"});
  CHECK(Formula::parse("\"größe\" + 1").inputs() == std::vector<std::string>{"größe"});
}

TEST_CASE("constants are declared where they are used first") {
  const Formula formula = Formula::parse("@k=0.5[0..1] * a + @k + @off=-3 + @zero=0 + @w=2[-1..2.5]");
  REQUIRE(formula.constants().size() == 4);
  CHECK(formula.constants()[0] == FormulaConstant{"k", 0.5, 0, 1});
  CHECK(formula.constants()[1] == FormulaConstant{"off", -3, -6, 0});
  CHECK(formula.constants()[2] == FormulaConstant{"zero", 0, 0, 1});
  CHECK(formula.constants()[3] == FormulaConstant{"w", 2, -1, 2.5});
  const Formula other = formula.withConstants({{"k", 0.25}, {"w", -1}});
  CHECK(other.constants()[0].value == 0.25);
  CHECK(other.text() == formula.text());
  CHECK_FALSE(other == formula);
  CHECK(other.sameText(formula));
  CHECK(other.withConstants({{"k", 0.5}, {"w", 2}}) == formula);
  const double read[] = {4};
  CHECK(FormulaEvaluator(other)(read, {}) == 0.25 * 4 + 0.25 - 3 + 0 - 1);
  CHECK_THROWS_AS(formula.withConstants({{"q", 1}}), Error);
  CHECK_THROWS_AS(formula.withConstants({{"k", 2}}), Error);
  CHECK_THROWS_AS(formula.withConstants({{"k", std::nan("")}}), Error);
}

TEST_CASE("positions are those in the volume") {
  const FormulaPlace place{{3, 4, 5}, {10, 20, 30}, {0.5, 2, 3}};
  CHECK(valueOf("x + 10*y + 100*z", {}, place) == 543);
  CHECK(valueOf("xmm + 10*ymm + 100*zmm", {}, place) == 1.5 + 80 + 1500);
  CHECK(valueOf("nx + 100*ny + 10000*nz", {}, place) == 302010);
}

TEST_CASE("errors name the column and what was expected") {
  const Refusal refusals[] = {
      {"", 1, "a value, found the end"},
      {"a +", 4, "a value, found the end"},
      {"a b", 3, "an operator or the end, found \"b\""},
      {"(a", 3, "expected \")\", found the end"},
      {"a)", 2, "an operator or the end"},
      {"a * / b", 5, "a value, found \"/\""},
      {"sin a", 5, "an operator or the end"},
      {"foo(a)", 1, "a function before \"(\", found \"foo\""},
      {"sin()", 5, "1 argument of sin"},
      {"sin(a, b)", 8, "1 argument of sin"},
      {"min()", 5, "at least 1 argument of min"},
      {"clamp(a, 1)", 11, "3 arguments of clamp"},
      {"if a", 4, "\"(\" after \"if\""},
      {"a < b < c", 7, "\"and\" or \"or\" between two comparisons"},
      {"a[1]", 4, "\",\", found \"]\""},
      {"a[1,2,3,4]", 8, "\"]\" after three offsets"},
      {"a[16,0]", 3, "a whole number from -15 to 15"},
      {"a[0.5,0]", 3, "a whole number"},
      {"a[b,0]", 3, "a whole number of voxels"},
      {"2[1,0]", 2, "an operator or the end"},
      {"@k", 2, "\"=\" and a value after @k"},
      {"@k=1 + @k=2", 10, "at the first use of @k only"},
      {"@k=5[0..1]", 4, "within its range"},
      {"@k=1e308", 4, "whose length double precision holds"},
      {"@k=5[-1e308..1e308]", 4, "whose length double precision holds"},
      {"@k=0.5[0,1]", 9, "\"..\", found \",\""},
      {"@k=a", 4, "the value of the constant"},
      {"@=1", 2, "the name of a constant"},
      {"a $ b", 3, "\"$\" is not allowed in formulas"},
      {"größe", 3, "is not allowed in formulas"},
      {"\"größe\" $", 9, "is not allowed in formulas"},
      {"\"a", 1, "a quote at the end"},
      {"\"\"", 1, "a name between the quotes"},
      {"1e999", 1, "a number that double precision holds"},
      {"2x", 1, "an operator between a number and a name"},
      {"a and", 6, "a value, found the end"},
      {"a and or b", 7, "a value, found \"or\""},
      {"a + not b", 5, "a value, found \"not\""},
      {"a = b", 3, "an operator or the end, found \"=\""},
  };
  for (const Refusal& one : refusals) {
    INFO(one.text);
    CHECK(refused(one.text, one.column, one.words) == "");
  }
}

TEST_CASE("formulas are limited in length, depth and number of nodes") {
  const auto repeated = [](const std::string& part, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) text += part;
    return text;
  };
  CHECK_NOTHROW(Formula::parse(repeated("(", 199) + "a" + repeated(")", 199)));
  CHECK(refused(repeated("(", 300) + "a" + repeated(")", 300), 202, "inside each other") == "");
  CHECK(refused(repeated("-", 4000) + "a", 201, "inside each other") == "");
  CHECK(refused(repeated("not ", 2000) + "a", 801, "inside each other") == "");
  CHECK(refused(repeated("2^", 4000) + "a", 403, "inside each other") == "");
  CHECK(refused(repeated("abs(", 2000), 804, "inside each other") == "");
  CHECK_NOTHROW(Formula::parse("a" + repeated("+a", 2499)));
  CHECK(refused("a" + repeated("+a", 3000), 5002, "at most 5000 values and operations") == "");
  CHECK(refused(repeated(" ", 10000) + "a", 10001, "at most 10000 characters") == "");
  CHECK_NOTHROW(Formula::parse(repeated(" ", 9999) + "a"));
}

TEST_CASE("ten thousand texts, random and damaged, are formulas or errors") {
  std::mt19937 random(5);
  const std::string seeds[] = {"sqrt(gx^2 + gy^2) * @k=0.5[0..1]",
                               "if(source[1,-2,3] > 0.5 and not isnan(a), clamp(a, 0, 1), -x)",
                               "eigabs3(a, b, c, d, e, \"f g\") / (1e-3 + max(a, b, c)) == 2 or y <= 3",
                               "mix(a[1,0], b, smoothstep(0, 1, c)) ^ 2 ^ -1 + pow(a, b) - nx / 2"};
  const std::string letters = "abxyz019.+-*/^()[],@=<>!\" \n_e\xC3\xA4\xFF\0";
  int taken = 0, wrong = 0;
  for (int n = 0; n < 10000; ++n) {
    std::string text = n % 3 == 0 ? std::string() : seeds[random() % std::size(seeds)];
    for (std::uint32_t i = 0; i < (n % 3 == 0 ? random() % 40 : 1 + random() % 4); ++i) {
      const std::size_t at = text.empty() ? 0 : random() % text.size();
      const char letter = letters[random() % letters.size()];
      switch (random() % 4) {
        case 0: text.insert(at, 1, letter); break;
        case 1:
          if (!text.empty()) text.erase(at, 1 + random() % 3);
          break;
        case 2: text.insert(at, text.substr(random() % (text.size() + 1), random() % 12)); break;
        default: text.insert(text.size() - at, 1, letter);
      }
    }
    try {
      const Formula formula = Formula::parse(text);
      ++taken;
      const std::vector<double> reads(formula.reads().size(), 1.5);
      const double value = FormulaEvaluator(formula)(reads, {});
      for (const Precision precision : {Precision::f32, Precision::f64}) {
        const Interval range =
            evaluateInterval(formula, std::vector<Interval>(reads.size(), Interval::point(1.5)), {}, precision);
        if (std::isnan(value) ? range.nan : range.contains(value)) continue;
        ++wrong;
        UNSCOPED_INFO(text << " gives " << value << ", not in " << range.low << " .. " << range.high);
      }
      wrong += formula.text() == text && Formula::parse(formula.text()) == formula ? 0 : 1;
    } catch (const Error& error) {
      wrong += error.kind() == ErrorKind::Usage ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
  CHECK(taken > 500);
  CHECK(taken < 9500);
}
