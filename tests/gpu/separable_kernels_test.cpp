// The kernels of separable filters for graphics processors, on any device: fused, and passes of long lines and rows.

#include <array>
#include <cmath>

#include "tests/gpu/posing_engine.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"

namespace sscope::test {

namespace {

AxisTaps wave(std::int64_t size, std::int64_t anchor) {
  if (size == 1) return {};
  AxisTaps taps{{}, anchor};
  for (std::int64_t i = 0; i < size; ++i)
    taps.weights.push_back(0.3 * std::sin(1.0 + static_cast<double>(i)) / static_cast<double>(size) + 0.02);
  return taps;
}

// Terms of these sizes; anchors at the middle, at the beginning and at the end.
Operator waves(const std::vector<std::array<std::int64_t, 3>>& sizes) {
  Stencil stencil;
  for (const auto& [x, y, z] : sizes) stencil.terms.push_back({{wave(x, x / 2), wave(y, 0), wave(z, z - 1)}});
  return {"waves", stencil};
}

struct SeparableCase {
  VolumeShape shape;
  std::vector<std::array<std::int64_t, 3>> sizes;
};

// Rows of whole vectors and others, lines shorter and longer than a block of outputs, more taps than voxels, images,
// lines of voxels, components, several terms.
std::vector<SeparableCase> fewTaps() {
  return {{{72, 37, 21, 1}, {{7, 5, 3}}}, {{70, 33, 5, 1}, {{4, 9, 17}}},
          {{33, 9, 4, 3}, {{5, 3, 2}}},   {{64, 64, 1, 1}, {{25, 25, 1}}},
          {{37, 3, 30, 1}, {{1, 3, 25}}}, {{5, 4, 3, 1}, {{13, 11, 9}}},
          {{41, 20, 9, 2}, {{3, 1, 4}}},  {{130, 40, 6, 1}, {{3, 3, 3}, {9, 1, 1}, {1, 5, 5}}},
          {{1, 1, 1, 1}, {{3, 3, 3}}},    {{9, 66, 2, 4}, {{2, 2, 2}}}};
}
std::vector<SeparableCase> manyTaps() {
  return {{{300, 21, 3, 1}, {{65, 1, 1}}},
          {{61, 70, 2, 1}, {{33, 65, 3}}},
          {{16, 6, 60, 1}, {{3, 2, 65}}},
          {{100, 12, 2, 3}, {{40, 5, 1}}},
          {{7, 5, 4, 1}, {{8, 15, 16}}},
          {{13, 1, 1, 1}, {{65, 1, 1}}},
          {{31, 40, 10, 1}, {{9, 8, 7}, {17, 16, 15}, {1, 23, 1}}}};
}

void agree(const std::vector<SeparableCase>& cases, const char* row) {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  INFO(Sampling::howToRepeat());
  std::size_t turn = firstTurn(), number = 0;
  for (const SeparableCase& c : sampled(cases, 0, (cases.size() + 2) / 3))
    for (const ElementType type : sampled(std::array{ElementType::f32, ElementType::u8, ElementType::f64}, number++)) {
      const Volume input = randomVolume(c.shape, type, ++turn);
      const Boundary boundary = kBoundaries[turn % std::size(kBoundaries)];
      const ElementType out = turn % 2 == 0 ? type : ElementType::f32;
      const FilterWorkload workload({waves(c.sizes)}, boundary, 0.75, input.spec(), out);
      INFO(c.shape.text() << " " << toString(type) << " -> " << toString(out) << " " << toString(boundary) << " "
                          << row);
      requireRight(workload, input, runOn(*posing.engine, workload, input, row));
    }
}

}  // namespace

TEST_CASE("all axes at once agree with the reference for every shape, type and boundary", "[separable]") {
  agree(fewTaps(), "fused");
}

TEST_CASE("passes on graphics processors agree with the reference for every shape, type and boundary", "[separable]") {
  agree(fewTaps(), "separable");
  agree(manyTaps(), "separable");
}

TEST_CASE("NaN and Inf reach as far as the taps in fused filters and in passes", "[separable]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  INFO(Sampling::howToRepeat());
  for (const Boundary boundary : sampled(kBoundaries, 0, 2))
    for (const char* row : {"fused", "separable"}) {
      const Volume input = noiseWithNanAndInf();
      const FilterWorkload workload({waves({{5, 7, 3}})}, boundary, 1, input.spec(), ElementType::f32);
      INFO(toString(boundary) << " " << row);
      requireRight(workload, input, runOn(*posing.engine, workload, input, row));
    }
}

TEST_CASE("parts and regions of fused filters and passes are the same bits as the whole", "[separable]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  const Volume input = randomVolume({72, 40, 36, 1}, ElementType::f32, 12);
  for (const char* row : {"fused", "separable"}) {
    INFO(row);
    const FilterWorkload workload({waves({{7, 9, 11}})}, Boundary::mirror, 0, input.spec(), ElementType::f32);
    const GpuRun whole = runOn(*posing.engine, workload, input, row);
    requireRight(workload, input, whole);
    const GpuRun parts = runOn(*posing.engine, workload, input, row, {0, 700000});
    CHECK(parts.report.tiles > 1);
    CHECK(sameBytes(whole.outputs[0], parts.outputs[0]));
    for (const Box& box : {Box{{0, 0, 8}, {72, 40, 9}}, Box{{0, 18, 0}, {72, 19, 36}}, Box{{3, 0, 0}, {4, 40, 36}}}) {
      const GpuRun run = runOn(*posing.engine, *workload.restrictedTo(box), input, row);
      CHECK(differentVoxels(run.outputs[0], whole.outputs[0], box) == 0);
    }
  }
}

TEST_CASE("who cannot wait for the compiler gets passes until the fused kernel is there", "[separable]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  const Volume input = randomVolume({40, 24, 20, 1}, ElementType::f32, 2);
  // Nobody else asks for these numbers of taps.
  const FilterWorkload workload({waves({{11, 13, 7}})}, Boundary::wrap, 0, input.spec(), ElementType::f32);
  PrepareOptions impatient;
  impatient.impatient = true;
  const auto ran = [&](const PrepareOptions& options) {
    const GpuRun run = runOn(*posing.engine, workload, input, "auto", options);
    requireRight(workload, input, run);
    return run.report.variant;
  };
  CHECK(ran(impatient) == "separable");
  CHECK(ran({}) == "fused");
  CHECK(ran(impatient) == "fused");
}

TEST_CASE("a kept plan of fused filters and passes takes other weights", "[separable]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  const Volume input = randomVolume({40, 24, 20, 1}, ElementType::f32, 2);
  for (const char* row : {"fused", "separable"}) {
    INFO(row);
    Operator other = waves({{5, 5, 5}});
    for (AxisTaps& axis : std::get<Stencil>(other.kind).terms[0].axis)
      for (double& w : axis.weights) w *= 1.25;
    const FilterWorkload first({waves({{5, 5, 5}})}, Boundary::wrap, 0, input.spec(), ElementType::f32),
        second({other}, Boundary::wrap, 0, input.spec(), ElementType::f32);
    const auto plan = GpuBench::instance().variants().prepare(*posing.engine, first, row, {}, {});
    REQUIRE(plan->adopt(second, {}));
    Volume output(input.shape(), ElementType::f32);
    const ConstArrayView in = input.view();
    const ArrayView out = output.view();
    static_cast<void>(plan->run({{&in, 1}, 0}, {&out, 1}, {}));
    CHECK(sameBytes(output, runOn(*posing.engine, second, input, row).outputs[0]));
  }
}

}  // namespace sscope::test
