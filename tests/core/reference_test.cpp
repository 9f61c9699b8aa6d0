// The reference itself: against the formula written once more, and against cases with known answers.
#include <cmath>

#include "core/base/error.h"
#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/workload/filter_workload.h"
#include "core/measure/verify.h"
#include "core/volume/element_type.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

FilterWorkload workloadFor(const std::string& spec, const Volume& volume, Boundary boundary, double constant = 0,
                           OutputType output = {ElementType::f32}) {
  FilterBank bank;
  bank.filters = {parseFilterSpec(spec)};
  bank.boundary = boundary;
  bank.constant = constant;
  bank.output = output;
  return FilterWorkload::of(bank, volume);
}

std::vector<double> evaluate(const Workload& workload, const Volume& volume) {
  const ConstArrayView in = volume.view();
  const auto extent = workload.outputs()[0].extent;
  std::vector<double> values(static_cast<std::size_t>(workload.outputs()[0].elements()));
  workload.reference({&in, 1}, 0, {{0, 0, 0}, {extent[0], extent[1], extent[2]}}, values, {});
  return values;
}

double naive(const DenseTaps& taps, const Volume& in, Boundary boundary, double constant, std::int64_t x,
             std::int64_t y, std::int64_t z, int c) {
  double sum = 0;
  for (std::int64_t k = 0; k < taps.size[2]; ++k)
    for (std::int64_t j = 0; j < taps.size[1]; ++j)
      for (std::int64_t i = 0; i < taps.size[0]; ++i) {
        const auto ix = boundaryIndex(x + i - taps.anchor[0], in.shape().nx, boundary);
        const auto iy = boundaryIndex(y + j - taps.anchor[1], in.shape().ny, boundary);
        const auto iz = boundaryIndex(z + k - taps.anchor[2], in.shape().nz, boundary);
        sum += taps.at(i, j, k) * (ix < 0 || iy < 0 || iz < 0 ? constant : in.value(ix, iy, iz, c));
      }
  return sum;
}

}  // namespace

TEST_CASE("the reference equals the formula for every family and boundary") {
  const Volume volume = test::randomVolume({6, 5, 4, 2}, ElementType::i16, 3);
  for (const FilterFamily& family : filterFamilies()) {
    FilterRecipe recipe;
    recipe.family = family.name;
    if (!family.make || !isOneOperator(recipe, {})) continue;
    for (const Boundary boundary : kBoundaries) {
      const FilterWorkload workload = workloadFor(family.name, volume, boundary, 17);
      if (workload.operators()[0].stencil() == nullptr) continue;  // rank_window_test.cpp
      const DenseTaps taps = workload.stencil(0).expanded();
      const std::vector<double> values = evaluate(workload, volume);
      std::size_t at = 0;
      for (std::int64_t z = 0; z < 4; ++z)
        for (std::int64_t y = 0; y < 5; ++y)
          for (std::int64_t x = 0; x < 6; ++x)
            for (int c = 0; c < 2; ++c, ++at) {
              const double wanted = naive(taps, volume, boundary, 17, x, y, z, c);
              INFO(family.name << " " << toString(boundary) << " at " << x << "," << y << "," << z);
              REQUIRE(std::abs(values[at] - wanted) <= 1e-7);
            }
    }
  }
}

TEST_CASE("an impulse returns the flipped taps") {
  Volume volume({9, 9, 9, 1}, ElementType::f64);
  for (double& e : volume.elements<double>()) e = 0;
  volume.elements<double>()[static_cast<std::size_t>(volume.view().offset(4, 4, 4))] = 1;
  Stencil filter;
  filter.dense = {{3, 2, 3}, {0, 1, 2}, {}};
  filter.dense.weights.clear();
  for (int i = 0; i < 18; ++i) filter.dense.weights.push_back(i + 1);
  const FilterWorkload workload({filter}, Boundary::constant, 0, volume.spec(), ElementType::f64);
  const auto values = evaluate(workload, volume);
  for (std::int64_t z = 0; z < 9; ++z)
    for (std::int64_t y = 0; y < 9; ++y)
      for (std::int64_t x = 0; x < 9; ++x) {
        const std::int64_t i = 4 - x + filter.dense.anchor[0], j = 4 - y + filter.dense.anchor[1],
                           k = 4 - z + filter.dense.anchor[2];
        const bool inside = i >= 0 && i < 3 && j >= 0 && j < 2 && k >= 0 && k < 3;
        CHECK(values[static_cast<std::size_t>((z * 9 + y) * 9 + x)] == (inside ? filter.dense.at(i, j, k) : 0));
      }
}

TEST_CASE("constants stay constant and ramps keep their slope") {
  const Volume constant = test::filledVolume({7, 6, 5, 1}, ElementType::f32, [](auto...) { return 42; });
  const Volume ramp = test::filledVolume({17, 16, 15, 1}, ElementType::f64, [](auto x, auto y, auto z, int) {
    return 2.0 * static_cast<double>(x) - 3.0 * static_cast<double>(y) + 0.5 * static_cast<double>(z);
  });
  for (const Boundary boundary : {Boundary::nearest, Boundary::mirror, Boundary::reflect, Boundary::wrap})
    for (const double value : evaluate(workloadFor("gaussian:sigma=2", constant, boundary), constant))
      CHECK(value == Approx(42).epsilon(1e-12));
  const auto at = [](const std::vector<double>& values) {
    return values[static_cast<std::size_t>((7 * 16 + 8) * 17 + 8)];
  };
  CHECK(at(evaluate(workloadFor("gaussian:sigma=1,order_x=1", ramp, Boundary::nearest), ramp)) == Approx(2));
  CHECK(at(evaluate(workloadFor("gaussian:sigma=1,order_y=1", ramp, Boundary::nearest), ramp)) == Approx(-3));
  CHECK(at(evaluate(workloadFor("sobel:axis=z,normalize=true", ramp, Boundary::nearest), ramp)) == Approx(0.5));
  CHECK(std::abs(at(evaluate(workloadFor("log:sigma=1", ramp, Boundary::nearest), ramp))) < 1e-10);
}

TEST_CASE("a region equals that part of the whole") {
  const Volume volume = test::randomVolume({8, 7, 6, 1}, ElementType::f32, 5);
  const FilterWorkload whole = workloadFor("dog:sigma=0.6", volume, Boundary::mirror);
  const auto all = evaluate(whole, volume);
  const Box box{{2, 0, 5}, {7, 3, 6}};
  const auto part = whole.restrictedTo(box);
  CHECK(part->outputs()[0].extent == std::array<std::int64_t, 4>{5, 3, 1, 1});
  const auto values = evaluate(*part, volume);
  std::size_t i = 0;
  for (std::int64_t y = 0; y < 3; ++y)
    for (std::int64_t x = 2; x < 7; ++x) CHECK(values[i++] == all[static_cast<std::size_t>((5 * 7 + y) * 8 + x)]);
  CHECK_THROWS_AS(whole.restrictedTo({{0, 0, 0}, {9, 1, 1}}), Error);
  CHECK_THROWS_AS(whole.restrictedTo({{3, 0, 0}, {3, 1, 1}}), Error);
}

TEST_CASE("counted work follows the definition") {
  const Volume volume({10, 20, 30, 1}, ElementType::u8);
  const FilterWorkload gaussian = workloadFor("gaussian:sigma=2", volume, Boundary::nearest);
  CHECK(gaussian.work().operations == 2.0 * 3 * 17 * 6000);
  CHECK(gaussian.workAs(true).operations == 2.0 * 17 * 17 * 17 * 6000);
  CHECK(gaussian.work().bytes == 6000 + 4 * 6000 + 4 * 51);
  CHECK(gaussian.precision() == Precision::f32);
  CHECK(workloadFor("box", volume, Boundary::nearest, 0, {std::nullopt}).precision() == Precision::f64);
}

TEST_CASE("integers are rounded to nearest, ties up, and saturate") {
  bool saturated = false;
  CHECK(roundSaturate<std::uint8_t>(2.5, saturated) == 3);
  CHECK(roundSaturate<std::uint8_t>(2.4999999999, saturated) == 3);  // within the tie band
  CHECK(roundSaturate<std::uint8_t>(2.49, saturated) == 2);
  CHECK(roundSaturate<std::int8_t>(-2.5, saturated) == -2);
  CHECK(roundSaturate<std::uint8_t>(255.4, saturated) == 255);
  CHECK_FALSE(saturated);
  CHECK(roundSaturate<std::uint8_t>(255.5, saturated) == 255);
  CHECK(saturated);
  CHECK(roundSaturate<std::int16_t>(-1e300, saturated) == -32768);
  CHECK(saturated);
  CHECK(roundSaturate<std::int32_t>(std::nan(""), saturated) == 0);
  CHECK(saturated);
  CHECK(roundSaturate<std::uint32_t>(4294967295.0, saturated) == 4294967295U);
  CHECK_FALSE(saturated);
}

TEST_CASE("verification accepts the reference and finds single wrong elements") {
  const Volume volume = test::randomVolume({12, 11, 10, 1}, ElementType::f32, 9);
  const FilterWorkload workload = workloadFor("gaussian:sigma=1", volume, Boundary::reflect);
  const auto values = evaluate(workload, volume);
  Volume out({12, 11, 10, 1}, ElementType::f32);
  for (std::size_t i = 0; i < values.size(); ++i) out.elements<float>()[i] = static_cast<float>(values[i]);
  const ConstArrayView in = volume.view();
  const auto check = [&] {
    const ConstArrayView view = out.view();
    return verify(workload, {&in, 1}, {&view, 1}, {}, {});
  };
  const Verification good = check();
  CHECK(good.verified);
  CHECK(good.full);
  CHECK(good.compared == 12 * 11 * 10);
  CHECK(good.relativeL2 > 0);
  CHECK(good.relativeL2 < 1e-7);
  const float right = out.elements<float>()[77];
  out.elements<float>()[77] = right + 0.01F;
  CHECK_FALSE(check().verified);
  out.elements<float>()[77] = std::nanf("");
  CHECK_FALSE(check().verified);
  out.elements<float>()[77] = right;
  CHECK(check().verified);
  poison(out.view());
  CHECK_FALSE(check().verified);
}

TEST_CASE("sampled verification looks at every edge and says that it sampled") {
  const Volume volume = test::randomVolume({70, 60, 50, 1}, ElementType::u8, 13);
  const FilterWorkload workload = workloadFor("box:size=3", volume, Boundary::wrap, 0, {ElementType::u8});
  const auto values = evaluate(workload, volume);
  Volume out({70, 60, 50, 1}, ElementType::u8);
  bool saturated = false;
  for (std::size_t i = 0; i < values.size(); ++i)
    out.elements<std::uint8_t>()[i] = roundSaturate<std::uint8_t>(values[i], saturated);
  const ConstArrayView in = volume.view();
  const ConstArrayView view = out.view();
  const VerifyOptions sampled{0.0, 1};
  const Verification good = verify(workload, {&in, 1}, {&view, 1}, sampled, {});
  CHECK(good.verified);
  CHECK_FALSE(good.full);
  CHECK(good.coverage != "full volume");
  for (const auto& at : {std::array<std::int64_t, 3>{69, 59, 49}, {0, 59, 20}, {35, 0, 49}, {69, 30, 0}}) {
    auto& element = out.elements<std::uint8_t>()[static_cast<std::size_t>(out.view().offset(at[0], at[1], at[2]))];
    element = static_cast<std::uint8_t>(element ^ 1U);
    CHECK_FALSE(verify(workload, {&in, 1}, {&view, 1}, sampled, {}).verified);
    element = static_cast<std::uint8_t>(element ^ 1U);
  }
}

TEST_CASE("a sum of terms written out is another truth only where data need not be finite") {
  const Volume real = test::randomVolume({9, 8, 7, 1}, ElementType::f32, 9);
  const Volume whole = test::randomVolume({9, 8, 7, 1}, ElementType::i16, 9);
  const FilterWorkload sharpen = workloadFor("sharpen:sigma=0.4", real, Boundary::nearest);
  CHECK(sharpen.denseMayDiffer(sharpen.stencil(0)));
  CHECK(workloadFor("sharpen:sigma=0.4", whole, Boundary::nearest).writtenOut() == nullptr);
  CHECK(workloadFor("gaussian:sigma=1", real, Boundary::nearest).writtenOut() == nullptr);
  const Box part{{1, 2, 3}, {5, 6, 7}};
  const auto dense = sharpen.restrictedTo(part)->writtenOut();
  REQUIRE(dense != nullptr);
  CHECK(dense->outputs()[0].extent == std::array<std::int64_t, 4>{4, 4, 4, 1});
  std::vector<double> one(64), other(64);
  const ConstArrayView in = real.view();
  sharpen.restrictedTo(part)->reference({&in, 1}, 0, {{0, 0, 0}, {4, 4, 4}}, one, {});
  dense->reference({&in, 1}, 0, {{0, 0, 0}, {4, 4, 4}}, other, {});
  for (std::size_t i = 0; i < one.size(); ++i) CHECK(one[i] == Approx(other[i]).margin(1e-12));
}
