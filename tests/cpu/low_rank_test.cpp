// Dense filters as sums of few separable terms: right whatever the data are, NaN and Inf among them.
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "tests/cpu/cpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/low_rank_taps.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::test;

namespace {

const CpuMachine& levels() {
  static const CpuMachine one;
  return one;
}

struct LowRankCase {
  VolumeShape shape;
  std::array<std::int64_t, 3> size, anchor;
};

// Images, volumes, colors, slices across x, taps wider than the data, along two axes only, with an anchor outside.
const LowRankCase kLowRankCases[] = {
    {{140, 50, 1, 1}, {15, 14, 1}, {7, 0, 0}}, {{61, 33, 1, 3}, {9, 11, 1}, {8, 5, 0}},
    {{70, 20, 17, 1}, {9, 8, 7}, {4, 4, 3}},   {{1, 40, 60, 1}, {1, 12, 13}, {0, 6, 2}},
    {{40, 9, 30, 2}, {10, 1, 12}, {5, 0, 11}}, {{5, 3, 2, 1}, {14, 13, 6}, {-2, 20, 3}},
    {{33, 1, 1, 20}, {11, 10, 1}, {5, 5, 0}},
};

}  // namespace

TEST_CASE("sums of few terms agree with the reference on every CPU engine") {
  std::size_t turn = 0;
  for (const LowRankCase& c : kLowRankCases)
    for (const ElementType type : {ElementType::f32, ElementType::u8, ElementType::i32, ElementType::f64}) {
      const Boundary boundary = kBoundaries[turn++ % std::size(kBoundaries)];
      const Volume input = randomVolume(c.shape, type, turn);
      // Waves cancel too far for sums that are in double precision anyway.
      const bool wide = type == ElementType::f32 || type == ElementType::u8;
      for (const Stencil& taps : {twoBumps(c.size, c.anchor), obliqueWave(c.size, c.anchor)}) {
        const FilterWorkload workload = fewTerms(taps, input, boundary);
        const Variant& row = levels().variants.at("filter", EngineKind::Cpu, "low-rank");
        for (const Engine* engine : levels().engines.available()) {
          INFO(engine->info().id << " " << c.shape.text() << " " << toString(type) << " " << toString(boundary));
          if (!row.unsupported(engine->info(), workload).empty()) {
            CHECK_FALSE(wide);
            continue;
          }
          const CpuRun run = runOnCpu(levels(), engine->info().id, "low-rank", workload, input);
          CHECK(wrongIn(workload, input, run) == "");
          CHECK(run.report.variant == "low-rank");
        }
      }
    }
}

TEST_CASE("sums of few terms are right for data that differ much from voxel to voxel") {
  struct Data {
    const char* what;
    std::function<double(std::int64_t x, std::int64_t y, double noise)> number;
  };
  const Data all[] = {
      {"an impulse", [](auto x, auto y, double) { return x == 40 && y == 31 ? 1.0 : 0.0; }},
      {"a bright half", [](auto x, auto, double noise) { return x < 45 ? 1e6 * noise : 1e-6 * noise; }},
      {"points", [](auto x, auto y, double) { return x % 17 == 3 && y % 13 == 5 ? 1e10 : 0.0; }},
      {"small numbers", [](auto, auto, double noise) { return 1e-36 * noise; }},
      {"large numbers", [](auto, auto, double noise) { return 1e37 * noise; }},
      {"the largest numbers", [](auto, auto, double noise) { return noise > 0 ? 3e38 : -3e38; }},
  };
  const Volume noise = randomVolume({90, 60, 1, 1}, ElementType::f32, 5);
  for (const Data& data : all)
    for (const Stencil& taps : {twoBumps({15, 13, 1}, {7, 6, 0}), obliqueWave({15, 13, 1}, {7, 6, 0})}) {
      Volume input(noise.shape(), ElementType::f32);
      for (std::int64_t y = 0, i = 0; y < 60; ++y)
        for (std::int64_t x = 0; x < 90; ++x, ++i)
          input.elements<float>()[static_cast<std::size_t>(i)] =
              static_cast<float>(data.number(x, y, noise.value(x, y, 0, 0)));
      const FilterWorkload workload = fewTerms(taps, input, Boundary::mirror);
      for (const Engine* engine : levels().engines.available()) {
        INFO(data.what << " " << engine->info().id << " " << taps.dense.weights[0]);
        CHECK(wrongIn(workload, input, runOnCpu(levels(), engine->info().id, "low-rank", workload, input)) == "");
      }
    }
}

TEST_CASE("NaN and Inf are where the sum over all taps has them, though terms are added up") {
  for (const auto& [shape, size] : {std::pair{VolumeShape{50, 41, 1, 3}, std::array<std::int64_t, 3>{11, 12, 1}},
                                    std::pair{VolumeShape{41, 20, 24, 1}, std::array<std::int64_t, 3>{8, 7, 9}}})
    for (const ElementType type : {ElementType::f32, ElementType::f64})
      for (const Boundary boundary : kBoundaries) {
        Volume input = randomVolume(shape, type, 6);
        const auto put = [&](std::int64_t x, std::int64_t y, std::int64_t z, double value) {
          const auto at = static_cast<std::size_t>(input.view().offset(x, y, z));
          if (type == ElementType::f32) input.elements<float>()[at] = static_cast<float>(value);
          if (type == ElementType::f64) input.elements<double>()[at] = value;
        };
        const double infinite = std::numeric_limits<double>::infinity();
        put(20, 9, 0, infinite);
        put(3, 15, shape.nz - 1, -infinite);
        put(24, 11, 0, infinite);
        put(30, 2, shape.nz - 1, std::numeric_limits<double>::quiet_NaN());
        for (const Stencil& taps : {twoBumps(size, {5, 2, 0}), obliqueWave(size, {5, 2, 0})}) {
          const FilterWorkload workload = fewTerms(taps, input, boundary, infinite);
          const Variant& row = levels().variants.at("filter", EngineKind::Cpu, "low-rank");
          for (const Engine* engine : levels().engines.available()) {
            if (!row.unsupported(engine->info(), workload).empty()) continue;
            INFO(engine->info().id << " " << toString(boundary) << " " << toString(type));
            CHECK(wrongIn(workload, input, runOnCpu(levels(), engine->info().id, "low-rank", workload, input)) == "");
          }
        }
      }
}

TEST_CASE("sums of few terms are chosen where they are expected to be faster, and integers are not computed so") {
  const Volume input = randomVolume({120, 110, 1, 1}, ElementType::u8, 9);
  Stencil taps = twoBumps({13, 13, 1}, {6, 6, 0});
  // Not their own mirror image: folded, dense sums take no longer.
  for (std::size_t i = 0; i < taps.dense.weights.size(); ++i)
    taps.dense.weights[i] *= 1 + 0.02 * static_cast<double>(i % 13);
  const std::string id = levels().engines.preferred().info().id;
  const FilterWorkload real = fewTerms(taps, input, Boundary::nearest);
  const CpuRun run = runOnCpu(levels(), id, "auto", real, input);
  CHECK(run.report.variant == "low-rank");
  CHECK(run.report.precision != Precision::f64);
  CHECK_THAT(run.report.why, Catch::Matchers::ContainsSubstring("as a sum of few products of lines"));
  CHECK(wrongIn(real, input, run) == "");
  const FilterWorkload integers({taps}, Boundary::nearest, 0, input.spec(), ElementType::u8);
  CHECK(runOnCpu(levels(), id, "auto", integers, input).report.variant == "dense");
  CHECK_THROWS_WITH(runOnCpu(levels(), id, "low-rank", integers, input),
                    Catch::Matchers::ContainsSubstring("integers must be exact"));
  const FilterWorkload canceling = fewTerms(obliqueWave({27, 27, 1}, {13, 13, 0}), input, Boundary::nearest);
  CHECK(runOnCpu(levels(), id, "low-rank", canceling, input).report.precision == Precision::f64);
  const FilterWorkload noise = fewTerms(fullRank({9, 9, 1}, {4, 4, 0}), input, Boundary::nearest);
  CHECK_THROWS_WITH(runOnCpu(levels(), id, "low-rank", noise, input),
                    Catch::Matchers::ContainsSubstring("a sum of few products of lines"));
}

TEST_CASE("a kept plan of few terms takes taps of as many terms only") {
  const Volume input = randomVolume({80, 70, 1, 1}, ElementType::f32, 10);
  const Stencil wave = obliqueWave({15, 15, 1}, {7, 7, 0});
  Stencil other = wave, more = wave;
  for (std::size_t i = 0; i < wave.dense.weights.size(); ++i) {
    const double x = static_cast<double>(i % 15) - 7, y = static_cast<double>(i / 15) - 7;
    other.dense.weights[i] *= -0.5;
    more.dense.weights[i] = std::exp(-0.05 * (x * x + y * y + 0.3 * x * y) + 0.01 * x);
  }
  for (const Engine* engine : levels().engines.available()) {
    const std::string id = engine->info().id;
    INFO(id);
    const auto plan =
        levels().variants.prepare(levels().engines.at(id), fewTerms(wave, input, Boundary::wrap), "auto", {}, {});
    CHECK_FALSE(plan->adopt(fewTerms(fullRank({15, 15, 1}, {7, 7, 0}), input, Boundary::wrap), {}));
    CHECK_FALSE(plan->adopt(fewTerms(more, input, Boundary::wrap), {}));
    REQUIRE(plan->adopt(fewTerms(other, input, Boundary::wrap), {}));
    Volume output(input.shape(), ElementType::f32);
    const ConstArrayView in = input.view();
    const ArrayView out = output.view();
    static_cast<void>(plan->run({{&in, 1}, 0}, {&out, 1}, {}));
    const CpuRun fresh = runOnCpu(levels(), id, "auto", fewTerms(other, input, Boundary::wrap), input);
    CHECK(std::memcmp(output.data(), fresh.outputs[0].data(), static_cast<std::size_t>(output.bytes())) == 0);
  }
}
