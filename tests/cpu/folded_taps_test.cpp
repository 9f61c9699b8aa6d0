// Dense taps that are mirror-symmetric: sums, their bits, NaN, Inf and huge values.

#include <cmath>
#include <cstring>
#include <limits>

#include "core/cpu/filter/reduced_taps.h"
#include "core/filter/workload/filter_shape.h"
#include "tests/cpu/cpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::cpu;
using namespace sscope::test;

namespace {

const CpuMachine& foldingMachine() {
  static const CpuMachine one;
  return one;
}

// Taps that are no product of lines and are mirrored along the given axes; every seventh is 0. Their magnitudes add up
// to 1.
Operator mirroredTaps(const std::array<std::int64_t, 3>& size, const std::array<bool, 3>& mirrored,
                      const std::array<std::int64_t, 3>& anchor) {
  Stencil stencil;
  stencil.dense = {size, anchor, {}};
  double sum = 0;
  for (std::int64_t z = 0; z < size[2]; ++z)
    for (std::int64_t y = 0; y < size[1]; ++y)
      for (std::int64_t x = 0; x < size[0]; ++x) {
        std::array<std::int64_t, 3> at{x, y, z};
        for (std::size_t a = 0; a < 3; ++a)
          if (mirrored[a]) at[a] = std::min(at[a], size[a] - 1 - at[a]);
        const std::int64_t number = (at[2] * 31 + at[1]) * 37 + at[0];
        const double tap = number % 7 == 3 ? 0 : std::sin(1.7 * static_cast<double>(number) + 0.3);
        stencil.dense.weights.push_back(tap);
        sum += std::abs(tap);
      }
  for (double& tap : stencil.dense.weights) tap /= sum;
  return {"mirrored", stencil};
}

constexpr std::array<bool, 3> kAll{true, true, true};

Operator radial(std::int64_t edge, int dimensions) {
  return mirroredTaps({edge, edge, dimensions == 3 ? edge : 1}, kAll,
                      {edge / 2, edge / 2, dimensions == 3 ? edge / 2 : 0});
}

FilterWorkload denseOf(const std::vector<Operator>& operators, const Volume& input,
                       Boundary boundary = Boundary::nearest, ElementType output = ElementType::f32) {
  return {operators, boundary, 0.75, input.spec(), output};
}

std::string described(const Engine& engine, const FilterWorkload& workload) {
  return foldingMachine()
      .variants.prepare(foldingMachine().engines.at(engine.info().id), workload, "dense", {}, {})
      ->description();
}

}  // namespace

TEST_CASE("mirror symmetry is found along each axis, and not among taps too large to be folded") {
  for (const bool x : {false, true})
    for (const bool y : {false, true})
      for (const bool z : {false, true}) {
        const Operator op = mirroredTaps({5, 6, 7}, {x, y, z}, {0, 0, 0});
        CHECK(mirrorSymmetry(op.stencil()->dense) == std::array{x, y, z});
        CHECK(distinctTaps(op.stencil()->dense) == std::array<std::int64_t, 3>{x ? 3 : 5, y ? 3 : 6, z ? 4 : 7});
      }
  DenseTaps large{{3, 3, 1}, {1, 1, 0}, std::vector<double>(9, 1e31)};
  CHECK(mirrorSymmetry(large) == std::array{false, false, false});
  large.weights[4] = std::numeric_limits<double>::quiet_NaN();
  CHECK(mirrorSymmetry(large) == std::array{false, false, false});
}

TEST_CASE("folded taps agree with the reference on every CPU engine, boundary and type") {
  const VolumeShape shapes[] = {{1, 1, 1, 1}, {37, 23, 11, 1}, {70, 20, 5, 3}, {3, 50, 6, 2}, {131, 9, 4, 1}};
  const std::vector<Operator> filters{radial(7, 3), mirroredTaps({9, 8, 5}, {true, false, true}, {0, 3, 7}),
                                      mirroredTaps({4, 9, 6}, {false, true, true}, {-2, 4, 3}),
                                      mirroredTaps({8, 15, 3}, {true, true, false}, {4, 7, 0}),
                                      mirroredTaps({5, 3, 40}, {true, true, true}, {1, 1, 20})};
  std::size_t turn = 0;
  for (const VolumeShape& shape : shapes)
    for (const Boundary boundary : kBoundaries) {
      const ElementType type = kElementTypes[turn++ % std::size(kElementTypes)];
      const Volume input = randomVolume(shape, type, turn);
      for (const ElementType output : {ElementType::f32, type})
        for (const Engine* engine : foldingMachine().engines.available()) {
          const FilterWorkload workload = denseOf(filters, input, boundary, output);
          INFO(engine->info().id << " " << shape.text() << " " << toString(boundary) << " " << toString(type));
          CHECK(check(workload, input, runOnCpu(foldingMachine(), engine->info().id, "dense", workload, input))
                    .failure.empty());
        }
    }
  for (const Operator& op : filters) CHECK(takesFoldedTaps(op, 16));
}

TEST_CASE("images with radial taps of many sizes agree with the reference") {
  const Volume input = randomVolume({140, 75, 1, 1}, ElementType::f32, 3);
  for (const std::int64_t edge : {11, 13, 15, 16, 19, 21, 27, 28}) {
    const FilterWorkload workload = denseOf({radial(edge, 2)}, input, Boundary::mirror);
    for (const Engine* engine : foldingMachine().engines.available()) {
      INFO(engine->info().id << " " << edge);
      // Fewer taps are folded where more registers hold sums.
      const bool folds = edge >= 15 || engine->info().id == "cpu:avx512";
      CHECK(described(*engine, workload).starts_with("folded") == folds);
      CHECK(check(workload, input, runOnCpu(foldingMachine(), engine->info().id, "dense", workload, input))
                .failure.empty());
    }
  }
}

TEST_CASE("the bits of folded sums depend neither on threads and tiles nor on what else is computed") {
  const Volume input = randomVolume({150, 90, 40, 1}, ElementType::f32, 5);
  const FilterWorkload whole = denseOf({radial(7, 3), mirroredTaps({9, 8, 5}, {true, false, true}, {0, 3, 7})}, input);
  const Box boxes[] = {{{0, 0, 17}, {150, 90, 26}}, {{17, 0, 3}, {100, 41, 40}}, {{64, 33, 0}, {128, 90, 20}}};
  for (const Engine* engine : foldingMachine().engines.available()) {
    INFO(engine->info().id);
    const CpuRun one = runOnCpu(foldingMachine(), engine->info().id, "dense", whole, input, 1);
    for (const int threads : {2, 5, 16}) {
      const CpuRun more = runOnCpu(foldingMachine(), engine->info().id, "dense", whole, input, threads);
      for (std::size_t f = 0; f < 2; ++f)
        CHECK(std::memcmp(one.outputs[f].data(), more.outputs[f].data(),
                          static_cast<std::size_t>(one.outputs[f].bytes())) == 0);
    }
    for (const Box& box : boxes) {
      const auto part = whole.restrictedTo(box);
      const CpuRun run = runOnCpu(foldingMachine(), engine->info().id, "dense", *part, input);
      bool equal = true;
      for (std::size_t f = 0; f < 2; ++f)
        for (std::int64_t z = 0; z < box.size(2); ++z)
          for (std::int64_t y = 0; y < box.size(1); ++y)
            for (std::int64_t x = 0; x < box.size(0); ++x)
              equal = equal && run.outputs[f].value(x, y, z) ==
                                   one.outputs[f].value(box.begin[0] + x, box.begin[1] + y, box.begin[2] + z);
      CHECK(equal);
    }
  }
}

TEST_CASE("NaN and Inf spread over folded taps as in the reference, zero taps and pairs of opposite signs included") {
  Volume input = randomVolume({70, 31, 34, 1}, ElementType::f32, 2);
  const auto set = [&](std::int64_t x, std::int64_t y, std::int64_t z, float value) {
    input.elements<float>()[static_cast<std::size_t>(input.view().offset(x, y, z))] = value;
  };
  constexpr float kInf = std::numeric_limits<float>::infinity();
  set(0, 0, 0, std::numeric_limits<float>::quiet_NaN());
  set(30, 15, 10, kInf);
  set(30, 15, 14, -kInf);
  set(50, 15, 25, kInf);
  set(54, 15, 25, kInf);
  set(69, 30, 33, -kInf);
  const FilterWorkload workload = denseOf({radial(7, 3)}, input);
  for (const Engine* engine : foldingMachine().engines.available()) {
    const CpuRun run = runOnCpu(foldingMachine(), engine->info().id, "dense", workload, input);
    INFO(engine->info().id);
    CHECK(check(workload, input, run).failure.empty());
    CHECK(std::isnan(run.outputs[0].value(30, 15, 12)));
    CHECK(std::isfinite(run.outputs[0].value(40, 15, 12)));
  }
}

TEST_CASE("folded sums of huge values stay finite, and those of tiny ones are not lost") {
  for (const double scale : {0.9 * static_cast<double>(std::numeric_limits<float>::max()), 1e-36}) {
    Volume input = randomVolume({80, 30, 20, 1}, ElementType::f32, 8);
    for (float& value : input.elements<float>()) value = static_cast<float>(scale * (value < 0.1F ? -1 : 1));
    const FilterWorkload workload = denseOf({radial(7, 3), radial(21, 2)}, input);
    for (const Engine* engine : foldingMachine().engines.available()) {
      INFO(engine->info().id << " " << scale);
      CHECK(check(workload, input, runOnCpu(foldingMachine(), engine->info().id, "dense", workload, input))
                .failure.empty());
    }
  }
}

TEST_CASE("folded taps report what they execute, and take new weights of the same symmetry only") {
  const Volume input = randomVolume({64, 40, 32, 1}, ElementType::f32, 1);
  const FilterWorkload folded = denseOf({radial(7, 3)}, input);
  const std::string engine = foldingMachine().engines.preferred().info().id;
  const CpuRun run = runOnCpu(foldingMachine(), engine, "auto", folded, input);
  CHECK(run.report.variant == "dense");
  CHECK(run.report.operations == 2.0 * 343 * 81920);
  CHECK(run.report.executedOperations > 2.0 * 64 * 81920);
  CHECK(run.report.executedOperations < 2.0 * 100 * 81920);
  Operator doubled = radial(7, 3), uneven = radial(7, 3);
  for (double& weight : std::get<Stencil>(doubled.kind).dense.weights) weight *= 2;
  std::get<Stencil>(uneven.kind).dense.weights[5] += 0.125;
  const auto plan = foldingMachine().variants.prepare(foldingMachine().engines.at(engine), folded, "auto", {}, {});
  CHECK_FALSE(plan->adopt(denseOf({uneven}, input), {}));
  const auto other = foldingMachine().variants.prepare(foldingMachine().engines.at(engine), folded, "auto", {}, {});
  const FilterWorkload twice = denseOf({doubled}, input);
  REQUIRE(other->adopt(twice, {}));
  Volume out({64, 40, 32, 1}, ElementType::f32);
  const ConstArrayView in = input.view(), result = out.view();
  const ArrayView view = out.view();
  static_cast<void>(other->run({{&in, 1}, 0}, {&view, 1}, {}));
  CHECK(verify(twice, {&in, 1}, {&result, 1}, {}, {}).failure.empty());
}
