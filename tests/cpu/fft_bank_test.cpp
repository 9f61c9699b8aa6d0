// Filters of a bank that share their transforms: the bits that each has alone, whatever becomes of a tile.

#include <cmath>
#include <cstring>
#include <limits>

#include "core/cpu/filter/methods.h"
#include "core/filter/method/method_choice.h"
#include "tests/cpu/cpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::test;

namespace {

const CpuMachine& transformer() {
  static const CpuMachine one;
  return one;
}

// Waves under a gaussian, in several directions, and of other widths.
Operator wave(const std::array<std::int64_t, 3>& size, double angle, double width) {
  Stencil stencil;
  stencil.dense = {size, {size[0] / 2, size[1] / 2, size[2] / 2}, {}};
  for (std::int64_t z = 0; z < size[2]; ++z)
    for (std::int64_t y = 0; y < size[1]; ++y)
      for (std::int64_t x = 0; x < size[0]; ++x) {
        const auto dx = static_cast<double>(x - size[0] / 2), dy = static_cast<double>(y - size[1] / 2),
                   dz = static_cast<double>(z - size[2] / 2);
        stencil.dense.weights.push_back(std::exp(-(dx * dx + dy * dy + dz * dz) / (2 * width * width)) *
                                        std::cos(dx * std::cos(angle) + dy * std::sin(angle) + 0.3 * dz + 0.4));
      }
  return {"wave " + std::to_string(angle), stencil};
}

// Two sizes, an anchor of its own, taps that are no waves.
std::vector<Operator> wavesOf(const std::array<std::int64_t, 3>& size) {
  std::vector<Operator> filters;
  for (int i = 0; i < 3; ++i) filters.push_back(wave(size, 0.7 * i, 3 + 2 * i));
  filters.push_back({"noise", denseFilter(size, {size[0] / 2, size[1] / 2, size[2] / 2})});
  filters.push_back({"moved", denseFilter(size, {size[0] / 3, 0, 0})});
  filters.push_back(wave({size[0] - 2, size[1], size[2]}, 0.2, 4));
  return filters;
}

FilterWorkload bankOfWaves(const std::vector<Operator>& filters, const Volume& input,
                           Boundary boundary = Boundary::mirror, ElementType output = ElementType::f32) {
  return {filters, boundary, 0.5, input.spec(), output};
}

bool asAlone(const CpuRun& together, std::size_t f, const CpuRun& alone) {
  return std::memcmp(together.outputs[f].data(), alone.outputs[0].data(),
                     static_cast<std::size_t>(alone.outputs[0].bytes())) == 0;
}

}  // namespace

TEST_CASE("filters that share transforms have the bits that they have alone, and are right") {
  const std::pair<VolumeShape, std::array<std::int64_t, 3>> cases[] = {
      {{150, 290, 1, 1}, {19, 17, 1}}, {{260, 130, 1, 3}, {15, 12, 1}}, {{75, 71, 69, 1}, {7, 9, 8}}};
  std::size_t turn = 0;
  for (const auto& [shape, size] : cases)
    for (const ElementType type : {ElementType::f32, ElementType::u16, ElementType::f64}) {
      const Volume input = randomVolume(shape, type, ++turn);
      const Boundary boundary = kBoundaries[turn % std::size(kBoundaries)];
      const ElementType output = type == ElementType::f64 ? ElementType::f64 : ElementType::f32;
      const std::vector<Operator> filters = wavesOf(size);
      const FilterWorkload bank = bankOfWaves(filters, input, boundary, output);
      for (const Engine* engine : transformer().engines.available()) {
        const std::string id = engine->info().id;
        const CpuRun together = runOnCpu(transformer(), id, "fft", bank, input);
        INFO(id << " " << shape.text() << " " << toString(type) << " " << toString(boundary));
        CHECK(check(bank, input, together).failure.empty());
        CHECK(together.report.variant == "fft");
        CHECK(together.scratchBytes < (64 << 20));
        for (std::size_t f = 0; f < filters.size(); ++f) {
          INFO(filters[f].name);
          const FilterWorkload one = bankOfWaves({filters[f]}, input, boundary, output);
          CHECK(asAlone(together, f, runOnCpu(transformer(), id, "fft", one, input, 1)));
        }
      }
    }
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
  std::vector<Operator> filters = wavesOf({19, 19, 1});
  for (const double width : {1.2, 1.6, 2.0, 2.5}) filters.push_back(wave({19, 19, 1}, 1, width));
  filters.back().name = "last";
  const FilterWorkload bank = bankOfWaves(filters, input);
  for (const Engine* engine : transformer().engines.available()) {
    const std::string id = engine->info().id;
    const CpuRun together = runOnCpu(transformer(), id, "fft", bank, input);
    INFO(id);
    CHECK(wrongIn(bank, input, together) == "");
    double summed = 0, tiles = 0, some = 0;
    for (std::size_t f = 0; f < filters.size(); ++f) {
      INFO(filters[f].name);
      const CpuRun alone = runOnCpu(transformer(), id, "fft", bankOfWaves({filters[f]}, input), input, 1);
      CHECK(asAlone(together, f, alone));
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
  const Engine& engine = transformer().engines.preferred();
  const auto description = [&](const std::vector<Operator>& filters) {
    return transformer()
        .variants.prepare(transformer().engines.at(engine.info().id), bankOfWaves(filters, input), "fft", {}, {})
        ->description();
  };
  CHECK(description(wavesOf({27, 27, 1})).find("one forward for 4 filters") != std::string::npos);
  CHECK(description({wave({27, 27, 1}, 1, 5)}).find("one forward") == std::string::npos);
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
