// Filters by Fourier transforms: right on every tile, and not used where they would lose too much.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/error.h"
#include "core/cpu/filter/dense_step.h"
#include "core/cpu/filter/fft_step.h"
#include "core/cpu/filter/tile_space.h"
#include "core/filter/method/method_choice.h"
#include "tests/cpu/cpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::test;

namespace {

const CpuMachine& processor() {
  static const CpuMachine one;
  return one;
}

struct FftCase {
  VolumeShape shape;
  std::array<std::int64_t, 3> size, anchor;
};

// Several tiles along each axis, an odd number of them, edges that no tile divides; lengths of each stage; taps wider
// than the data, along one axis only, with an anchor outside.
const FftCase kFftCases[] = {
    {{421, 143, 1, 1}, {9, 9, 1}, {4, 4, 0}},    {{150, 290, 1, 1}, {27, 27, 1}, {13, 13, 0}},
    {{260, 130, 1, 3}, {31, 12, 1}, {0, 11, 0}}, {{75, 71, 69, 1}, {5, 6, 7}, {2, 0, 6}},
    {{41, 40, 70, 1}, {15, 15, 15}, {7, 7, 7}},  {{20, 140, 33, 2}, {1, 21, 1}, {0, 9, 0}},
    {{30, 25, 140, 1}, {3, 1, 19}, {1, 0, 9}},   {{5, 3, 2, 1}, {40, 33, 9}, {-2, 50, 4}},
    {{140, 1, 1, 1}, {65, 1, 1}, {32, 0, 0}},    {{64, 64, 3, 1}, {64, 63, 2}, {31, 31, 0}},
};

bool sameOutput(const CpuRun& a, const CpuRun& b) {
  return std::memcmp(a.outputs[0].data(), b.outputs[0].data(), static_cast<std::size_t>(a.outputs[0].bytes())) == 0;
}

}  // namespace

TEST_CASE("transforms agree with the reference on every CPU engine") {
  std::size_t turn = 0;
  const auto sampling = Sampling::ofRun().named("transforms");
  for (const FftCase& c : kFftCases)
    for (const ElementType type : {ElementType::f32, ElementType::u16, ElementType::f64}) {
      const Boundary boundary = kBoundaries[turn++ % std::size(kBoundaries)];
      const Volume input = randomVolume(c.shape, type, turn);
      const ElementType output = type == ElementType::f64 ? ElementType::f64 : ElementType::f32;
      const FilterWorkload workload({denseFilter(c.size, c.anchor)}, boundary, 0.75, input.spec(), output);
      const std::vector<Engine*> engines = processor().engines.available();
      for (std::size_t level = 0; level < engines.size(); ++level) {
        if (!inShare(turn + level, engines.size(), sampling)) continue;  // the levels take turns
        const Engine* engine = engines[level];
        const CpuRun run = runOnCpu(processor(), engine->info().id, "fft", workload, input);
        INFO(Sampling::howToRepeat() << " " << engine->info().id << " " << c.shape.text() << " " << toString(type)
                                     << " " << toString(boundary) << " " << workload.parameters().dump());
        CHECK(wrongIn(workload, input, run) == "");
        CHECK(run.report.variant == "fft");
        CHECK(run.scratchBytes < (64 << 20));
      }
    }
}

TEST_CASE("transforms are used, and do not depend on the number of threads") {
  const Volume input = randomVolume({150, 130, 40, 1}, ElementType::f32, 5);
  const FilterWorkload workload({denseFilter({9, 9, 9}, {4, 4, 4})}, Boundary::wrap, 0, input.spec(), ElementType::f32);
  for (const Engine* engine : processor().engines.available()) {
    const std::string id = engine->info().id;
    INFO(id);
    const CpuRun one = runOnCpu(processor(), id, "fft", workload, input, 1);
    CHECK(sameOutput(one, runOnCpu(processor(), id, "fft", workload, input, 2)));
    CHECK_FALSE(sameOutput(one, runOnCpu(processor(), id, "dense", workload, input, 1)));
  }
}

// Errors of transforms are a share of the largest numbers in a tile, or in the one beside it.
TEST_CASE("tiles that transforms would spoil are right") {
  using Number = std::function<double(std::int64_t x, std::int64_t y, std::int64_t z, double noise)>;
  struct Data {
    const char* what;
    Number number;
    bool summed;  // everywhere: then with the bits of sums
  };
  constexpr double kInf = std::numeric_limits<double>::infinity(), kNaN = std::numeric_limits<double>::quiet_NaN();
  const auto one = [](auto x, auto y, auto z) { return x == 40 && y == 31 && z == 20; };
  const Data all[] = {
      {"zeros", [](auto, auto, auto, double) { return 0.0; }, false},
      {"zeros in one half", [](auto x, auto, auto, double noise) { return x < 60 ? 0 : noise; }, false},
      {"zeros in one tile", [](auto x, auto y, auto, double noise) { return x < 80 && y < 80 ? 0 : noise; }, false},
      {"a dark half", [](auto x, auto, auto, double noise) { return x < 60 ? 1e-5 * noise : 1e4 * noise; }, false},
      {"brighter along x", [](auto x, auto, auto, double noise) { return std::exp(0.2 * double(x)) * noise; }, false},
      {"1e30 in one voxel", [&](auto x, auto y, auto z, double noise) { return one(x, y, z) ? 1e30 : noise; }, false},
      {"1e6 in one voxel", [&](auto x, auto y, auto z, double noise) { return one(x, y, z) ? 1e6 : noise; }, false},
      {"Inf in one voxel", [&](auto x, auto y, auto z, double noise) { return one(x, y, z) ? kInf : noise; }, false},
      {"NaN in one voxel", [&](auto x, auto y, auto z, double noise) { return one(x, y, z) ? kNaN : noise; }, false},
      {"NaN", [&](auto, auto, auto, double) { return kNaN; }, true},
      {"huge", [](auto, auto, auto, double noise) { return 1e30 * noise; }, true},
      {"tiny", [](auto, auto, auto, double noise) { return 1e-30 * noise; }, true},
      {"below normal", [](auto, auto, auto, double noise) { return 1e-40 * noise; }, true},
      {"few nonzero", [](auto, auto, auto, double noise) { return noise > 0.999 ? 1.0 : 0.0; }, true},
      {"nearly constant", [](auto, auto, auto, double noise) { return 1000 + 1e-3 * noise; }, false},
  };
  const Volume noise = randomVolume({131, 90, 31, 1}, ElementType::f32, 6);
  const std::vector<Engine*> engines = processor().engines.available();
  const auto sampling = Sampling::ofRun().named("spoiled tiles");
  std::size_t turn = 0;
  for (const std::array<std::int64_t, 3> size : {std::array<std::int64_t, 3>{7, 7, 7}, {11, 12, 1}})
    for (const Data& data : all) {
      Volume input(noise.shape(), ElementType::f32);
      for (std::int64_t z = 0, i = 0; z < 31; ++z)
        for (std::int64_t y = 0; y < 90; ++y)
          for (std::int64_t x = 0; x < 131; ++x, ++i)
            input.elements<float>()[static_cast<std::size_t>(i)] =
                static_cast<float>(data.number(x, y, z, noise.value(x, y, z, 0)));
      const FilterWorkload workload({denseFilter(size, {size[0] / 2, 0, 0})}, Boundary::mirror, 0, input.spec(),
                                    ElementType::f32);
      ++turn;
      for (std::size_t level = 0; level < engines.size(); ++level) {
        if (!inShare(turn + level, engines.size(), sampling)) continue;  // the levels take turns
        const Engine* engine = engines[level];
        INFO(Sampling::howToRepeat() << " " << data.what << " " << engine->info().id << " " << size[2]);
        const CpuRun run = runOnCpu(processor(), engine->info().id, "fft", workload, input);
        CHECK(wrongIn(workload, input, run) == "");
        const auto summed = run.report.launch.find(kSummedTiles);
        const bool told = run.report.why.find("sums in ") != std::string::npos;
        CHECK(told == (summed != run.report.launch.end()));
        CHECK((told || data.what != std::string_view("NaN in one voxel")));
        CHECK_FALSE((told && data.what == std::string_view("nearly constant")));
        if (!data.summed) continue;
        CHECK(sameOutput(run, runOnCpu(processor(), engine->info().id, "dense", workload, input)));
        REQUIRE(told);
        CHECK(summed->second == run.report.launch.at(kLookedAtTiles));
      }
    }
}

TEST_CASE("taps that nearly cancel, differ much or are mostly zero are right by transforms") {
  const Volume input = randomVolume({120, 110, 1, 1}, ElementType::f32, 8);
  Stencil gaussian = denseFilter({27, 27, 1}, {13, 13, 0}), single = gaussian, mixed = gaussian, difference = gaussian;
  double sum = 0;
  for (std::size_t i = 0; i < gaussian.dense.weights.size(); ++i) {
    const double x = static_cast<double>(i % 27) - 13, y = static_cast<double>(i / 27) - 13;
    gaussian.dense.weights[i] = std::exp(-(x * x + y * y) / 8);
    single.dense.weights[i] = i == 300 ? 1 : 0;
    mixed.dense.weights[i] *= i % 5 == 0 ? 1e20 : 1e-20;
    sum += difference.dense.weights[i];
  }
  for (double& weight : difference.dense.weights) weight -= sum / 729;
  const Stencil none = [&] {
    Stencil zero = single;
    zero.dense.weights[300] = 0;
    return zero;
  }();
  for (const Stencil& taps : {gaussian, single, mixed, difference, none})
    for (const Engine* engine : processor().engines.available()) {
      INFO(engine->info().id << " " << taps.dense.weights[0] << " " << taps.dense.weights[300]);
      const FilterWorkload workload({taps}, Boundary::reflect, 0, input.spec(), ElementType::f32);
      CHECK(wrongIn(workload, input, runOnCpu(processor(), engine->info().id, "fft", workload, input)) == "");
    }
}

TEST_CASE("integer outputs are not computed by transforms") {
  const Volume input = randomVolume({90, 80, 1, 1}, ElementType::u8, 9);
  const FilterWorkload workload({denseFilter({27, 27, 1}, {13, 13, 0})}, Boundary::nearest, 0, input.spec(),
                                ElementType::u8);
  const Engine& engine = processor().engines.preferred();
  CHECK(runOnCpu(processor(), engine.info().id, "auto", workload, input).report.variant == "dense");
  CHECK_THROWS_WITH(runOnCpu(processor(), engine.info().id, "fft", workload, input),
                    Catch::Matchers::ContainsSubstring("integers must be exact"));
}

TEST_CASE("plans of transforms take new taps, unless these need more scratch") {
  const Volume input = randomVolume({150, 140, 1, 1}, ElementType::f32, 10);
  Stencil wide = denseFilter({27, 27, 1}, {13, 13, 0}), narrow = wide;
  for (std::size_t i = 0; i < wide.dense.weights.size(); ++i) {
    const double x = static_cast<double>(i % 27) - 13, y = static_cast<double>(i / 27) - 13;
    wide.dense.weights[i] = 1 + 0.001 * std::sin(static_cast<double>(i * i));
    narrow.dense.weights[i] = std::exp(-(x * x + y * y + 0.1 * x + 0.2 * y) / 2);
  }
  const auto workloadOf = [&](const Stencil& taps) {
    return FilterWorkload({{"taps", taps}}, Boundary::nearest, 0, input.spec(), ElementType::f32);
  };
  for (const Engine* engine : processor().engines.available()) {
    const std::string id = engine->info().id;
    INFO(id);
    const auto prepared = [&](const Stencil& taps) {
      return processor().variants.prepare(processor().engines.at(id), workloadOf(taps), "fft", {}, {});
    };
    const auto small = prepared(wide), large = prepared(narrow);
    CHECK(small->scratchBytes() < large->scratchBytes());
    CHECK_FALSE(small->adopt(workloadOf(narrow), {}));
    REQUIRE(large->adopt(workloadOf(wide), {}));
    CpuRun adopted;
    adopted.outputs.emplace_back(input.shape(), ElementType::f32);
    const ConstArrayView in = input.view();
    const ArrayView out = adopted.outputs[0].view();
    static_cast<void>(large->run({{&in, 1}, 0}, {&out, 1}, {}));
    CHECK(sameOutput(adopted, runOnCpu(processor(), id, "fft", workloadOf(wide), input)));
  }
}

TEST_CASE("filters of several passes are not transformed beside passes, which keep NaN and Inf elsewhere") {
  Volume input = randomVolume({60, 50, 1, 1}, ElementType::f32, 11);
  input.elements<float>()[1500] = std::numeric_limits<float>::quiet_NaN();
  Stencil cross = separableFilter({1, 9, 1}, {0, 4, 0});
  cross.terms.push_back(separableFilter({9, 1, 1}, {4, 0, 0}).terms[0]);
  const FilterWorkload workload({{"cross", cross}, {"long", separableFilter({301, 9, 1}, {150, 4, 0})}},
                                Boundary::nearest, 0, input.spec(), ElementType::f32);
  const CpuRun run = runOnCpu(processor(), processor().engines.preferred().info().id, "fft", workload, input);
  CHECK(check(workload, input, run).failure == "");
  CHECK(run.report.variant == "separable");
}

TEST_CASE("what a run that ended early saw of the data does not count in the next") {
  const Volume noise = randomVolume({150, 140, 1, 1}, ElementType::f32, 12);
  Volume nothing(noise.shape(), ElementType::f32), output(noise.shape(), ElementType::f32);
  std::ranges::fill(nothing.elements<float>(), std::numeric_limits<float>::quiet_NaN());
  const FilterWorkload workload({denseFilter({27, 27, 1}, {13, 13, 0})}, Boundary::nearest, 0, noise.spec(),
                                ElementType::f32);
  const auto& kernels = cpu::scalarKernels().of<float>();
  const cpu::AxisOrder order = cpu::denseOrder(workload, {0});
  const std::vector<std::size_t> filters{0};
  cpu::FftStep<float> step(
      workload, 0, order, kernels,
      {std::make_unique<cpu::DenseStep<float>>(workload, filters, order, kernels, cpu::tileLimits(1)),
       729 * 150 * 140});
  const cpu::Scratch scratch(step.scratchBytes());
  const ArrayView out = output.view();
  std::vector<std::atomic<std::int64_t>> saturated(1);
  const auto look = [&](const Volume& data) {
    step.begin();
    const Control control;
    const cpu::TileRun run{data.view(), {&out, 1}, control, saturated};
    for (std::int64_t i = 0; i < step.looks(); ++i) step.look(i, scratch, run);
  };
  const auto summed = [&] {
    step.decide();
    RunReport report;
    step.tell(report);
    return report.launch[kSummedTiles];
  };
  look(nothing);
  CHECK(summed() > 0);
  look(nothing);  // and no more
  look(noise);
  CHECK(summed() == 0);
}
