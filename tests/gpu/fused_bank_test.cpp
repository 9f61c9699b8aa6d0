// Banks of separable filters in one kernel, on any device: the reference's values, and the bits of one filter alone.

#include <array>

#include "core/volume/volume.h"
#include "tests/gpu/posing_engine.h"
#include "tests/gpu/wave_banks.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"

namespace sscope::test {

namespace {

std::vector<Operator> secondDerivatives(std::int64_t size) {
  std::vector<Operator> ops;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = a; b < 3; ++b) {
      std::array<int, 3> order{};
      ++order[a];
      ++order[b];
      const auto line = [&](std::size_t axis) { return wave(size, size / 2, order[axis]); };
      ops.push_back(product("d" + std::to_string(a) + std::to_string(b), line(0), line(1), line(2)));
    }
  return ops;
}

// Sizes and anchors that have little in common, sums of several terms, and an axis that is not filtered.
std::vector<Operator> unlike() {
  Stencil several;
  several.terms = {{{wave(3, 0, 0), wave(4, 3, 1), wave(2, 1, 2)}},
                   {{wave(5, 2, 1), AxisTaps(), wave(5, 0, 0)}},
                   {{AxisTaps(), wave(3, 1, 0), AxisTaps()}}};
  return {product("long", wave(9, 1, 0), wave(2, 0, 0), wave(7, 6, 0)), Operator("several", several),
          product("flat", wave(4, 2, 1), wave(5, 2, 1), AxisTaps()),
          product("line", AxisTaps(), AxisTaps(), wave(3, 1, 0)),
          product("plane", AxisTaps(), wave(3, 2, 0), wave(1, 0, 0))};
}

struct BankCase {
  VolumeShape shape;
  std::vector<Operator> bank;
};

// Rows of whole vectors and others, thin axes, fewer voxels than taps, images, components.
std::vector<BankCase> banks() {
  return {{{72, 37, 21, 1}, gradient(3)},       {{70, 33, 5, 1}, secondDerivatives(3)}, {{41, 20, 9, 1}, unlike()},
          {{33, 9, 4, 3}, gradient(5)},         {{64, 64, 1, 1}, gradient(7)},          {{5, 4, 3, 1}, gradient(13)},
          {{37, 3, 30, 2}, unlike()},           {{1, 1, 1, 1}, secondDerivatives(3)},   {{130, 40, 6, 1}, gradient(4)},
          {{9, 66, 2, 1}, secondDerivatives(5)}};
}

}  // namespace

TEST_CASE("banks in one kernel are the reference's, and the bits of their filters alone", "[fused-bank]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  INFO(Sampling::howToRepeat());
  constexpr std::array kTypes{ElementType::f32, ElementType::u8, ElementType::f64, ElementType::i16};
  std::size_t turn = firstTurn(), number = 0;
  for (const BankCase& c : sampled(banks(), 0, 3))
    for (const ElementType type : sampled(kTypes, number++)) {
      const Volume input = randomVolume(c.shape, type, ++turn);
      const Boundary boundary = kBoundaries[turn % std::size(kBoundaries)];
      const ElementType out = turn % 2 == 0 ? type : ElementType::f32;
      const FilterWorkload workload(c.bank, boundary, 0.75, input.spec(), out);
      INFO(c.shape.text() << " " << toString(type) << " -> " << toString(out) << " " << toString(boundary));
      posing.counted.launched = 0;
      const GpuRun bank = runOn(*posing.engine, workload, input, "fused-bank");
      const int launched = posing.counted.launched;
      requireRight(workload, input, bank);
      posing.counted.launched = 0;
      const GpuRun apart = runOn(*posing.engine, workload, input, "fused");
      CHECK(bank.report.variant.find("fused-bank") != std::string::npos);
      for (std::size_t f = 0; f < c.bank.size(); ++f) {
        INFO(c.bank[f].name);
        CHECK(sameBytes(bank.outputs[f], apart.outputs[f]));
        CHECK(bank.report.saturated[f] == apart.report.saturated[f]);
      }
      // Results that are rounded exactly stay alone (gpu/filter/exact_step.cpp).
      if (!isInteger(out)) CHECK(launched < posing.counted.launched);
    }
}

TEST_CASE("NaN and Inf reach as far as the taps of each filter of a bank in one kernel", "[fused-bank]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  INFO(Sampling::howToRepeat());
  for (const Boundary boundary : sampled(kBoundaries, 0, 2)) {
    INFO(toString(boundary));
    const Volume input = noiseWithNanAndInf();
    const FilterWorkload workload(unlike(), boundary, 1, input.spec(), ElementType::f32);
    const GpuRun run = runOn(*posing.engine, workload, input, "fused-bank");
    requireRight(workload, input, run);
    const GpuRun apart = runOn(*posing.engine, workload, input, "fused");
    for (std::size_t f = 0; f < run.outputs.size(); ++f) CHECK(sameBytes(run.outputs[f], apart.outputs[f]));
  }
}

TEST_CASE("parts and regions of banks in one kernel are the same bits as the whole", "[fused-bank]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  const Volume input = randomVolume({72, 40, 36, 1}, ElementType::f32, 12);
  const FilterWorkload workload(unlike(), Boundary::mirror, 0, input.spec(), ElementType::f32);
  const GpuRun whole = runOn(*posing.engine, workload, input, "fused-bank");
  requireRight(workload, input, whole);
  const GpuRun parts = runOn(*posing.engine, workload, input, "fused-bank", {0, 1000000});
  CHECK(parts.report.tiles > 1);
  for (std::size_t f = 0; f < whole.outputs.size(); ++f) CHECK(sameBytes(whole.outputs[f], parts.outputs[f]));
  for (const Box& box : {Box{{0, 0, 8}, {72, 40, 9}}, Box{{0, 18, 0}, {72, 19, 36}}, Box{{3, 0, 0}, {4, 40, 36}}}) {
    const GpuRun run = runOn(*posing.engine, *workload.restrictedTo(box), input, "fused-bank");
    for (std::size_t f = 0; f < whole.outputs.size(); ++f)
      CHECK(differentVoxels(run.outputs[f], whole.outputs[f], box) == 0);
  }
}

// Outputs leave while later slabs are computed, more of them at once than there are spare buffers.
TEST_CASE("banks in one kernel leave in slabs", "[fused-bank]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  const Volume input = randomVolume({96, 72, 80, 1}, ElementType::f32, 3);  // two slabs
  const FilterWorkload workload(gradient(3), Boundary::nearest, 0, input.spec(), ElementType::f32);
  const GpuRun bank = runOn(*posing.engine, workload, input, "fused-bank");
  requireRight(workload, input, bank);
  CHECK(bank.report.phases.overlap >= 0);
  const GpuRun apart = runOn(*posing.engine, workload, input, "fused");
  for (std::size_t f = 0; f < bank.outputs.size(); ++f) CHECK(sameBytes(bank.outputs[f], apart.outputs[f]));
}

TEST_CASE("a kept plan of a bank in one kernel takes other weights, but not other things in common", "[fused-bank]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  const Volume input = randomVolume({40, 24, 20, 1}, ElementType::f32, 2);
  const auto with = [&](double factor, std::size_t first) {
    std::vector<Operator> bank = gradient(5);
    for (std::size_t f = first; f < bank.size(); ++f)
      for (AxisTaps& axis : std::get<Stencil>(bank[f].kind).terms[0].axis)
        for (double& w : axis.weights) w *= factor;
    return FilterWorkload(bank, Boundary::wrap, 0, input.spec(), ElementType::f32);
  };
  const auto plan = GpuBench::instance().variants().prepare(*posing.engine, with(1, 0), "fused-bank", {}, {});
  REQUIRE(plan->adopt(with(1.25, 0), {}));
  std::vector<Volume> outputs;
  std::vector<ArrayView> views;
  for (int f = 0; f < 3; ++f) outputs.emplace_back(input.shape(), ElementType::f32);
  for (Volume& output : outputs) views.push_back(output.view());
  const ConstArrayView in = input.view();
  static_cast<void>(plan->run({{&in, 1}, 0}, views, {}));
  const GpuRun fresh = runOn(*posing.engine, with(1.25, 0), input, "fused-bank");
  for (std::size_t f = 0; f < outputs.size(); ++f) CHECK(sameBytes(outputs[f], fresh.outputs[f]));
  // The line along x that the last two had in common.
  CHECK_FALSE(plan->adopt(with(1.5, 2), {}));
}

TEST_CASE("banks whose results stay on the device", "[fused-bank]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  const Volume input = randomVolume({70, 30, 12, 1}, ElementType::f32, 2);
  const FilterWorkload workload(gradient(3), Boundary::reflect, 0, input.spec(), ElementType::f32);
  const auto plan = GpuBench::instance().variants().prepare(*posing.engine, workload, "fused-bank", {}, {});
  const ConstArrayView in = input.view();
  VolumePool memory;
  const ResidentRun kept = plan->runResident({{&in, 1}, 0}, workload.outputs(), memory, {});
  const GpuRun apart = runOn(*posing.engine, workload, input, "fused");
  REQUIRE(kept.outputs.size() == 3);
  for (std::size_t f = 0; f < 3; ++f) {
    Volume output(input.shape(), ElementType::f32);
    kept.outputs[f]->copyTo(output.view(), {});
    CHECK(sameBytes(output, apart.outputs[f]));
  }
}

}  // namespace sscope::test
