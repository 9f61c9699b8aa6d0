// Filters by Fourier transforms beside their results (tests/agreement/method_cases.cpp): where they are used, and which
// tiles are summed instead.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/cpu/filter/dense_step.h"
#include "core/cpu/filter/fft_step.h"
#include "core/cpu/filter/methods.h"
#include "core/cpu/filter/tile_space.h"
#include "core/filter/method/method_choice.h"
#include "tests/cpu/cpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::test;

namespace {

FilterWorkload bankOfWaves(const std::vector<Operator>& filters, const Volume& input) {
  return {filters, Boundary::mirror, 0.5, input.spec(), ElementType::f32};
}

}  // namespace

TEST_CASE("integer outputs are not computed by transforms") {
  const Volume input = randomVolume({90, 80, 1, 1}, ElementType::u8, 9);
  const FilterWorkload workload({denseFilter({27, 27, 1}, {13, 13, 0})}, Boundary::nearest, 0, input.spec(),
                                ElementType::u8);
  const Engine& engine = cpuMachine().engines.preferred();
  CHECK(runOnCpu(engine.info().id, "auto", workload, input).report.variant == "dense");
  CHECK_THROWS_WITH(runOnCpu(engine.info().id, "fft", workload, input),
                    Catch::Matchers::ContainsSubstring("integers must be exact"));
}

TEST_CASE("filters of several passes are not transformed beside passes, which keep NaN and Inf elsewhere") {
  Volume input = randomVolume({60, 50, 1, 1}, ElementType::f32, 11);
  input.elements<float>()[1500] = std::numeric_limits<float>::quiet_NaN();
  Stencil cross = separableFilter({1, 9, 1}, {0, 4, 0});
  cross.terms.push_back(separableFilter({9, 1, 1}, {4, 0, 0}).terms[0]);
  const FilterWorkload workload({{"cross", cross}, {"long", separableFilter({301, 9, 1}, {150, 4, 0})}},
                                Boundary::nearest, 0, input.spec(), ElementType::f32);
  const PlanRun run = runOnCpu(cpuMachine().engines.preferred().info().id, "fft", workload, input);
  CHECK(compared(workload, input, run).failure == "");
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
    for (std::int64_t i = 0; i < step.probes(); ++i) step.probe(i, scratch, run);
  };
  const auto summed = [&] {
    step.decide();
    RunReport report;
    step.addTo(report);
    return report.launch[kSummedTiles];
  };
  look(nothing);
  CHECK(summed() > 0);
  look(nothing);  // and no more
  look(noise);
  CHECK(summed() == 0);
}

// What one filter sums another transforms: dark parts, zeros, voxels that are not finite.
TEST_CASE("tiles that only some of the filters may transform have the bits that they have alone") {
  Volume input = randomVolume({300, 280, 1, 1}, ElementType::f32, 3);
  for (std::int64_t y = 0; y < 280; ++y)
    for (std::int64_t x = 0; x < 300; ++x) {
      float& number = input.elements<float>()[static_cast<std::size_t>(y * 300 + x)];
      if (x < 90 && y < 140) number = 0;
      if (x > 150 && y < 100) number *= 1e-3F;
      if (x > 200 && y > 150) number = std::pow(number, 12.0F);
      if (x == 20 && y == 270) number = std::numeric_limits<float>::quiet_NaN();
    }
  std::vector<Operator> filters = directedWaves({19, 19, 1});
  for (const double width : {1.2, 1.6, 2.0, 2.5}) filters.push_back(directedWave({19, 19, 1}, 1, width));
  filters.back().name = "last";
  const FilterWorkload bank = bankOfWaves(filters, input);
  for (const Engine* engine : cpuMachine().engines.available()) {
    const std::string id = engine->info().id;
    const PlanRun together = runOnCpu(id, "fft", bank, input);
    INFO(id);
    CHECK(wrongIn(bank, input, together) == "");
    double summed = 0, tiles = 0, some = 0;
    for (std::size_t f = 0; f < filters.size(); ++f) {
      INFO(filters[f].name);
      const PlanRun alone = runOnCpu(id, "fft", bankOfWaves({filters[f]}, input), input, 1);
      CHECK(sameBits(together.outputs[f], alone.outputs[0]));
      const double own = alone.report.launch.contains(kSummedTiles) ? alone.report.launch.at(kSummedTiles) : 0;
      const double looked = alone.report.launch.at(kLookedAtTiles);
      summed += own;
      tiles += looked;
      some += own > 0 && own < looked ? 1 : 0;
    }
    CHECK(some > 0);
    CHECK(together.report.launch.at(kSummedTiles) == summed);
    CHECK(together.report.launch.at(kLookedAtTiles) == tiles);
  }
}

TEST_CASE("filters of one size and anchor are transformed together") {
  const Volume input = randomVolume({300, 200, 1, 1}, ElementType::f32, 4);
  const Engine& engine = cpuMachine().engines.preferred();
  const auto description = [&](const std::vector<Operator>& filters) {
    return planOnCpu(engine.info().id, "fft", bankOfWaves(filters, input))->description();
  };
  CHECK(description(directedWaves({27, 27, 1})).find("one forward for 4 filters") != std::string::npos);
  CHECK(description({directedWave({27, 27, 1}, 1, 5)}).find("one forward") == std::string::npos);
}

TEST_CASE("the choice of methods knows that a bank pays transforms forward once") {
  const Volume input = randomVolume({1024, 1024, 1, 1}, ElementType::f32, 5);
  EngineInfo info;
  info.nominal.gflopsF32 = 200;
  info.nominal.gbs = 20;
  const auto chosen = [&](const std::vector<Operator>& filters) {
    const FilterWorkload workload = bankOfWaves(filters, input);
    return chooseMethods(workload, cpu::filterMethods(cpu::SimdLevel::Avx2), CostModel(info, workload.precision()), {});
  };
  const auto taps = [](std::int64_t size) { return Operator{"taps", denseFilter({size, size, 1}, {1, 2, 0})}; };
  const std::vector<Operator> one{taps(19)}, four(4, taps(19));
  CHECK(chosen(four).methods == std::vector<MethodKind>(4, MethodKind::Fft));
  CHECK(chosen(four).seconds < 3 * chosen(one).seconds);
  CHECK(chosen(four).executed < 3 * chosen(one).executed);
  // Too few taps for transforms alone.
  CHECK(chosen({taps(11)}).methods[0] == MethodKind::Dense);
  CHECK(chosen(std::vector<Operator>(8, taps(11))).methods == std::vector<MethodKind>(8, MethodKind::Fft));
  // Others do not share.
  std::vector<Operator> others;
  for (std::int64_t size = 3; size < 11; ++size) others.push_back(taps(size));
  others.push_back(taps(11));
  CHECK(chosen(others).methods.back() == MethodKind::Dense);
}
