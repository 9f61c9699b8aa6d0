// The workload of formulas: precision, parts, what it refuses, what it reads, and its magnitudes.
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/filter/formula/workload/formula_workload.h"
#include "core/workload/workload.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

FormulaSetting settingOf(const std::array<std::int64_t, 4>& extent, ElementType type, std::size_t inputs = 1) {
  FormulaSetting setting;
  setting.volume = {extent[0], extent[1], extent[2]};
  setting.region = {{0, 0, 0}, setting.volume};
  setting.inputs.assign(inputs, {{type, extent}, setting.region});
  return setting;
}

Precision precisionOf(const std::string& text, ElementType input, ElementType output = ElementType::f32) {
  FormulaSetting setting = settingOf({4, 3, 2, 1}, input);
  setting.output = output;
  return FormulaWorkload(Formula::parse(text), setting).precision();
}

std::string refusal(const std::string& text, const FormulaSetting& setting) {
  try {
    const FormulaWorkload workload(Formula::parse(text), setting);
  } catch (const Error& error) {
    return error.kind() == ErrorKind::Usage ? error.what() : "another kind";
  }
  return {};
}

}  // namespace

TEST_CASE("formulas are computed in double precision where single would not do") {
  CHECK(precisionOf("a + 1", ElementType::f32) == Precision::f32);
  CHECK(precisionOf("a*0.1", ElementType::u16) == Precision::f32);
  CHECK(precisionOf("a", ElementType::f64) == Precision::f64);
  CHECK(precisionOf("a", ElementType::i32) == Precision::f64);
  CHECK(precisionOf("a", ElementType::u32) == Precision::f64);
  CHECK(precisionOf("a", ElementType::u8, ElementType::u8) == Precision::f64);
  CHECK(precisionOf("a", ElementType::f32, ElementType::f64) == Precision::f64);
  CHECK(precisionOf("a*1e39", ElementType::f32) == Precision::f64);
  CHECK(precisionOf("a*1e-39", ElementType::f32) == Precision::f64);
  CHECK(precisionOf("a + 16777217", ElementType::f32) == Precision::f64);
  CHECK(precisionOf("a + @k=1e39[0..1e40]", ElementType::f32) == Precision::f64);
}

TEST_CASE("the reference of a formula reads neighbors by the boundary rule") {
  const Volume a = test::randomVolume({5, 4, 3, 2}, ElementType::i16, 1);
  for (const Boundary boundary : kBoundaries) {
    FormulaSetting setting = settingOf({5, 4, 3, 2}, ElementType::i16);
    setting.boundary = boundary;
    setting.constant = 7;
    const FormulaWorkload workload(Formula::parse("a[2,-1,1] + 100*x"), setting);
    CHECK(workload.outputs()[0].extent == std::array<std::int64_t, 4>{5, 4, 3, 2});
    std::vector<double> values(5 * 4 * 3 * 2);
    const ConstArrayView in = a.view();
    workload.reference({&in, 1}, 0, {{0, 0, 0}, {5, 4, 3}}, values, {});
    std::size_t i = 0, wrong = 0;
    for (std::int64_t z = 0; z < 3; ++z)
      for (std::int64_t y = 0; y < 4; ++y)
        for (std::int64_t x = 0; x < 5; ++x)
          for (int c = 0; c < 2; ++c) {
            const std::int64_t at[] = {boundaryIndex(x + 2, 5, boundary), boundaryIndex(y - 1, 4, boundary),
                                       boundaryIndex(z + 1, 3, boundary)};
            const bool outside = at[0] < 0 || at[1] < 0 || at[2] < 0;
            const double wanted = (outside ? 7 : a.value(at[0], at[1], at[2], c)) + 100 * static_cast<double>(x);
            wrong += values[i++] == wanted ? 0 : 1;
          }
    CHECK(wrong == 0);
  }
}

TEST_CASE("parts of formulas know their place and what they read") {
  FormulaSetting setting = settingOf({20, 10, 6, 1}, ElementType::f32);
  setting.boundary = Boundary::mirror;
  const FormulaWorkload whole(Formula::parse("a[3,0,-1] - a[-1,0,0]"), setting);
  CHECK(whole.reach({{0, 0, 0}, {2, 2, 1}}) == Box{{0, 0, 0}, {5, 2, 2}});
  const auto part = whole.restrictedTo({{4, 5, 2}, {10, 6, 4}});
  CHECK(part->outputs()[0].extent == std::array<std::int64_t, 4>{6, 1, 2, 1});
  CHECK(part->reach({{0, 0, 0}, {1, 1, 1}}) == Box{{3, 5, 1}, {8, 6, 3}});
  const auto inner = part->restrictedTo({{1, 0, 1}, {2, 1, 2}});
  CHECK(inner->reach({{0, 0, 0}, {1, 1, 1}}) == Box{{4, 5, 2}, {9, 6, 4}});
  CHECK_THROWS_AS(whole.restrictedTo({{0, 0, 0}, {21, 1, 1}}), Error);
  CHECK_THROWS_AS(whole.restrictedTo({{3, 0, 0}, {3, 1, 1}}), Error);
  CHECK(whole.work().operations == 20 * 10 * 6);
  CHECK(whole.work().bytes == 2 * 4 * 20 * 10 * 6);
}

TEST_CASE("formulas refuse arrays that do not fit") {
  const FormulaSetting good = settingOf({20, 10, 6, 1}, ElementType::f32);
  CHECK(refusal("a[1,0]", good).empty());
  FormulaSetting bad = good;
  bad.inputs.clear();
  CHECK(refusal("a", bad).find("the formula reads 1 input;") == 0);
  bad = good;
  bad.inputs[0].spec.extent[0] = 19;
  CHECK(refusal("a", bad).find("the array of a does not have the extents") == 0);
  bad = good;
  bad.inputs[0].box = {{1, 0, 0}, {20, 10, 6}};
  bad.inputs[0].spec.extent[0] = 19;
  CHECK(refusal("a", bad).find("the formula reads a outside") == 0);
  bad.region.begin[0] = 1;
  CHECK(refusal("a[0,0]", bad).empty());
  CHECK_FALSE(refusal("a[-1,0]", bad).empty());
  bad = settingOf({20, 10, 6, 3}, ElementType::f32, 2);
  bad.inputs[1].spec.extent[3] = 2;
  CHECK(refusal("a + b", bad).find("different numbers of components") != std::string::npos);
  bad.inputs[1].spec.extent[3] = 1;
  CHECK(refusal("a + b", bad).empty());
  bad = good;
  bad.spacing[1] = 0;
  CHECK(refusal("a", bad).find("the spacing") == 0);
  bad = good;
  bad.region.end[2] = 7;
  CHECK(refusal("a", bad).find("the region lies outside") == 0);
  CHECK(refusal("x", settingOf({4, 3, 2, 1}, ElementType::f32, 0)).empty());
}

TEST_CASE("magnitudes tell how far roundings may carry a value, or that nobody knows") {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const auto magnitude = [](double low, double high, double value, ElementType output) {
    return enclosedMagnitude({low, high, false, false}, value, output);
  };
  CHECK(magnitude(1, 4, 2, ElementType::f32) == Approx(2 / acceptedElementError(ElementType::f32, 1)));
  CHECK(magnitude(1, 4, 2, ElementType::f64) == Approx(2 / acceptedElementError(ElementType::f64, 1)));
  CHECK(magnitude(1, 4, 2, ElementType::u8) == Approx(2 / acceptedTieError(1)));
  CHECK(std::isnan(magnitude(1, kInfinite, 2, ElementType::f32)));
  CHECK(std::isnan(magnitude(1e38, 1e39, 2e38, ElementType::f32)));
  CHECK(magnitude(1e39, 1e40, 2e39, ElementType::f32) == 0);  // infinite in any case
  CHECK(magnitude(kInfinite, kInfinite, kInfinite, ElementType::f32) == 0);
  CHECK(enclosedMagnitude(Interval::nothingButNan(), std::nan(""), ElementType::f32) == 0);
  CHECK(std::isnan(enclosedMagnitude({1, 2, true, false}, 1.5, ElementType::f32)));
  CHECK(std::isnan(enclosedMagnitude({1, 2, false, true}, 1.5, ElementType::f32)));
}
