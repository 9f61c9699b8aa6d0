// Verification cannot be fooled: right outputs pass, and whatever is done to them is found.
#include "tests/measure/all/corruption.h"

#include <cmath>
#include <limits>
#include <map>

#include "core/base/arithmetic.h"
#include "core/filter/workload/filter_workload.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::test;

TEST_CASE("two hundred random corruptions of outputs are all caught") {
  std::vector<Scene> scenes = everyScene();
  for (const Scene& scene : scenes) {
    INFO(scene.name);
    const Verification right = scene.verdict();
    CHECK(right.failure == "");
    CHECK(right.full);
    CHECK(right.largestShare < 1);
  }
  std::mt19937_64 random(2026);
  std::map<std::string, int> tried;
  for (int caught = 0; caught < 200;) {
    Scene& scene = scenes[random() % scenes.size()];
    const Corruption& corruption = corruptions()[random() % corruptions().size()];
    std::vector<Volume> right;
    for (const Volume& output : scene.outputs) right.push_back(output.clone());
    const bool applied = corruption.apply(scene, random);
    if (applied) {
      INFO(scene.name << ": " << corruption.name);
      const Verification verdict = scene.verdict();
      CHECK_FALSE(verdict.verified);
      CHECK(verdict.failure != "");
      ++caught;
      ++tried[corruption.name];
    }
    scene.outputs = std::move(right);
  }
  CHECK(tried.size() == corruptions().size());  // every one of them had its turn
}

TEST_CASE("every corruption of every workload is caught") {
  std::mt19937_64 random(7);
  std::vector<Scene> scenes = everyScene();
  for (Scene& scene : scenes)
    for (const Corruption& corruption : corruptions()) {
      std::vector<Volume> right;
      for (const Volume& output : scene.outputs) right.push_back(output.clone());
      INFO(scene.name << ": " << corruption.name);
      if (corruption.apply(scene, random)) CHECK_FALSE(scene.verdict().verified);
      scene.outputs = std::move(right);
    }
}

TEST_CASE("verification does not depend on the magnitude of the data") {
  std::mt19937_64 random(3);
  for (const double scale : {1e200, 1e-200, 1e25, 1e-25}) {
    for (Scene& scene : everyScene(scale)) {
      const ElementType type = scene.outputs[0].type();
      if (isInteger(type) || isInteger(scene.input.type())) continue;
      // float32 ends at 1e38.
      if ((scale > 1e100 || scale < 1e-100) && (type != ElementType::f64 || scene.input.type() != ElementType::f64))
        continue;
      INFO(scene.name << " of " << scale);
      const Verification right = scene.verdict();
      CHECK(right.failure == "");
      CHECK(std::isfinite(right.relativeL2));
      for (const Corruption& corruption : corruptions()) {
        std::vector<Volume> before;
        for (const Volume& output : scene.outputs) before.push_back(output.clone());
        INFO(corruption.name);
        if (corruption.apply(scene, random)) CHECK_FALSE(scene.verdict().verified);
        scene.outputs = std::move(before);
      }
    }
  }
}

TEST_CASE("outputs of nothing but zeros are judged as well") {
  for (Scene& scene : everyScene(0)) {
    if (isInteger(scene.input.type())) continue;
    INFO(scene.name);
    const Verification right = scene.verdict();
    CHECK(right.failure == "");
    CHECK(right.relativeL2 == 0);
    for (const double wrong : {1e-20, 1.0, 1e30, std::numeric_limits<double>::quiet_NaN()}) {
      std::vector<Volume> before;
      for (const Volume& output : scene.outputs) before.push_back(output.clone());
      bool changed = false;
      dispatch(scene.outputs[0].type(), [&](auto tag) {
        using T = decltype(tag);
        if (std::is_integral_v<T> && wrong != 1.0) return;
        scene.outputs[0].elements<T>()[5] = static_cast<T>(wrong);
        changed = true;
      });
      INFO(wrong);
      if (changed) CHECK_FALSE(scene.verdict().verified);
      scene.outputs = std::move(before);
    }
  }
}

TEST_CASE("what nobody wrote is not taken for a NaN that should be there") {
  Scene scene = filterScene("gaussian:sigma=0.8", {13, 12, 7, 1}, ElementType::f32, ElementType::f32);
  std::ranges::fill(scene.input.elements<float>(), std::nanf(""));
  std::ranges::fill(scene.outputs[0].elements<float>(), std::nanf(""));
  CHECK(scene.verdict().verified);
  for (const std::uint8_t pattern : {kPoison, kOtherPoison}) {
    poison(scene.outputs[0].view(), pattern);
    CHECK_FALSE(scene.verdict().verified);
  }
}

TEST_CASE("one wrong voxel of millions is found where the whole is compared") {
  Scene scene = filterScene("box:size=3", {128, 128, 128, 1}, ElementType::f32, ElementType::f32);
  CHECK(scene.verdict().failure == "");
  std::mt19937_64 random(11);
  for (int k = 0; k < 5; ++k) {
    float& element = scene.outputs[0].elements<float>()[random() % (128 * 128 * 128)];
    const float right = element;
    element += k % 2 == 0 ? 1e-3F : -1e-3F;  // terms are about 1
    const Verification verdict = scene.verdict();
    CHECK_FALSE(verdict.verified);
    CHECK(verdict.off == 1);
    CHECK(verdict.relativeL2 < 1e-5);  // by itself it would have passed
    element = right;
  }
}

TEST_CASE("a small output beside a large one is judged by itself") {
  const ArraySpec spec{ElementType::f64, {9, 8, 7, 1}};
  Stencil large, small;
  large.dense = {{3, 1, 1}, {1, 0, 0}, {1e20, 2e20, 1e20}};
  small.dense = {{3, 1, 1}, {1, 0, 0}, {1e-5, 2e-5, 1e-5}};
  Scene scene = makeScene("two", std::make_shared<FilterWorkload>(std::vector<Operator>{large, small}, Boundary::wrap,
                                                                  0, spec, ElementType::f64));
  CHECK(scene.verdict().failure == "");
  std::ranges::fill(scene.outputs[1].elements<double>(), 0.0);
  CHECK_FALSE(scene.verdict().verified);
}

TEST_CASE("a voxel that stands out is found wherever it is in a volume compared in samples") {
  // Smooth data: sums of products of long waves.
  Volume smooth({80, 64, 56, 1}, ElementType::f32);
  std::size_t i = 0;
  for (std::int64_t z = 0; z < 56; ++z)
    for (std::int64_t y = 0; y < 64; ++y)
      for (std::int64_t x = 0; x < 80; ++x)
        smooth.elements<float>()[i++] = static_cast<float>(100 + 40 * std::sin(0.1 * static_cast<double>(x)) *
                                                                     std::cos(0.07 * static_cast<double>(y + z)));
  for (const ElementType type : {ElementType::f32, ElementType::u8}) {
    const Scene noise = filterScene("box:size=3", {80, 64, 56, 1}, ElementType::f32, type);
    Scene right = makeSceneOf(noise.name, noise.workload, smooth.clone());
    const VerifyOptions sampled{0.0, 1};
    const Verification good = right.verdict(sampled);
    CHECK(good.failure == "");
    CHECK_FALSE(good.full);
    CHECK(good.coverage.find("stand out") != std::string::npos);
    std::mt19937_64 random(5);
    for (int k = 0; k < 4; ++k)
      dispatch(type, [&](auto tag) {
        using T = decltype(tag);
        T& element = right.outputs[0].elements<T>()[random() % (80 * 64 * 56)];
        const T before = element;
        element = static_cast<T>(element + (k % 2 == 0 ? T{30} : static_cast<T>(-30)));
        CHECK_FALSE(right.verdict(sampled).verified);
        if constexpr (std::is_floating_point_v<T>) {
          element = std::numeric_limits<T>::quiet_NaN();
          CHECK(right.verdict(sampled).nonFinite > 0);
          element = -std::numeric_limits<T>::infinity();
          CHECK_FALSE(right.verdict(sampled).verified);
        }
        element = before;
      });
    CHECK(right.verdict(sampled).verified);
  }
}

TEST_CASE("norms neither overflow nor vanish, and keep NaN and Inf") {
  const auto normOf = [](std::initializer_list<double> values) {
    ScaledNorm norm, half;
    for (const double value : values) (norm.value() < 1e300 ? norm : half).add(value);
    norm.add(half);
    return norm.value();
  };
  CHECK(normOf({3, -4}) == Approx(5));
  CHECK(normOf({3e200, 4e200}) == Approx(5e200));
  CHECK(normOf({4e-200, 3e-200}) == Approx(5e-200));
  CHECK(normOf({1e-200, 0, 1e200}) == Approx(1e200));
  CHECK(normOf({0, 0}) == 0);
  CHECK(std::isnan(normOf({1, std::nan(""), 2})));
  CHECK(std::isnan(normOf({std::nan(""), 2})));
  CHECK(std::isinf(normOf({1, INFINITY, 2})));
  ScaledNorm zero, one, huge;
  one.add(1);
  huge.add(1e308);
  huge.add(1e308);
  huge.add(1e308);
  huge.add(1e308);
  CHECK(zero.over(zero) == 0);
  CHECK(zero.over(one) == 0);
  CHECK(std::isinf(one.over(zero)));
  CHECK(one.over(huge) == Approx(0.5e-308));
  CHECK(huge.over(huge) == 1);
}
