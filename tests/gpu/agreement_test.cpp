// Every variant on a device against the double-precision reference.

#include <array>

#include "tests/gpu/gpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"

namespace sscope::test {

namespace {

struct Case {
  VolumeShape shape;
  Stencil filter;
};

// Odd shapes, thinner than the taps, single voxels, several components, even sizes and any anchor.
std::vector<Case> denseCases() {
  return {{{13, 11, 9, 1}, denseFilter({3, 3, 3}, {1, 1, 1})}, {{37, 5, 3, 1}, denseFilter({5, 3, 2}, {4, 0, 1})},
          {{9, 7, 5, 3}, denseFilter({3, 3, 3}, {1, 1, 1})},   {{1, 1, 1, 1}, denseFilter({5, 3, 2}, {4, 0, 1})},
          {{2, 1, 3, 1}, denseFilter({3, 3, 3}, {0, 2, 1})},   {{19, 17, 1, 1}, denseFilter({4, 4, 1}, {1, 3, 0})}};
}

std::vector<Case> separableCases() {
  return {{{13, 11, 9, 1}, separableFilter({{3, 5, 7}})},
          {{21, 3, 2, 1}, separableFilter({{9, 4, 17}})},
          {{9, 7, 5, 3}, separableFilter({{3, 0, 5}, {0, 4, 0}, {2, 2, 2}})},
          {{33, 17, 1, 1}, separableFilter({{17, 17, 0}})},
          {{1, 1, 1, 1}, separableFilter({{5, 3, 4}})},
          {{6, 5, 4, 3}, separableFilter({{0, 0, 0}})}};
}

void requireAgreement(Engine& engine, const Case& c, ElementType type, const std::string& variant) {
  const Volume input = randomVolume(c.shape, type, 7);
  for (const Boundary boundary : kBoundaries) {
    const FilterWorkload workload({c.filter}, boundary, 0.75, input.spec(), ElementType::f32);
    INFO(toString(type) << " " << c.shape.text() << " " << (c.filter.separable() ? "lines " : "dense ")
                        << toString(boundary) << " " << variant);
    requireRight(workload, input, runOn(engine, workload, input, variant));
  }
}

}  // namespace

TEST_CASE("dense and separable agree with the reference for every input type and boundary", "[agreement]") {
  Engine* engine = eachDevice();
  if (engine == nullptr) SSCOPE_SKIP("there is no device");
  INFO(Sampling::howToRepeat());
  // Each type is a kernel of its own, a boundary is not: one for each case, and every third case.
  std::size_t turn = firstTurn();
  for (const Case& c : sampled(denseCases(), turn, 2))
    for (const ElementType type : sampled(kElementTypes, turn++)) requireAgreement(*engine, c, type, "dense");
  for (const Case& c : sampled(separableCases(), turn, 2))
    for (const ElementType type : sampled(kElementTypes, turn++)) requireAgreement(*engine, c, type, "separable");
}

// Each of these is a kernel of its own, so not with every type.
TEST_CASE("every variant agrees with the reference on every kind of filter", "[agreement]") {
  Engine* engine = eachDevice();
  if (engine == nullptr) SSCOPE_SKIP("there is no device");
  INFO(Sampling::howToRepeat());
  const std::vector<Case> some{denseCases()[1], separableCases()[0]};
  std::size_t turn = firstTurn();
  for (const Variant* variant : GpuBench::instance().variants().rows("filter", engine->info().kind))
    for (const Case& c : sampled(some, turn))
      for (const ElementType type : sampled(std::array{ElementType::u16, ElementType::f64}, turn++ / 2)) {
        const FilterWorkload workload({c.filter}, Boundary::nearest, 0, {type, {1, 1, 1, 1}}, ElementType::f32);
        if (variant->unsupported(engine->info(), workload).empty()) requireAgreement(*engine, c, type, variant->name);
      }
}

TEST_CASE("every output type agrees with the reference", "[agreement]") {
  Engine* engine = eachDevice();
  if (engine == nullptr) SSCOPE_SKIP("there is no device");
  const auto inputType = GENERATE(values({ElementType::u8, ElementType::i16, ElementType::f64}));
  const VolumeShape shape{17, 6, 5, 1};
  const Volume input = randomVolume(shape, inputType, 3);
  INFO(Sampling::howToRepeat());
  const std::size_t turn = inputType == ElementType::u8 ? 0 : inputType == ElementType::i16 ? 1 : 2;
  for (const ElementType output : sampled(kElementTypes, turn))
    for (const char* name : {"separable", "dense"})
      for (const Boundary boundary : {Boundary::constant, Boundary::mirror}) {
        const FilterWorkload workload({separableFilter({{3, 4, 3}, {2, 0, 0}})}, boundary, -3, input.spec(), output);
        INFO(toString(inputType) << " to " << toString(output) << " " << name << " " << toString(boundary));
        requireRight(workload, input, runOn(*engine, workload, input, name));
      }
}

TEST_CASE("a bank of dense and separable filters runs in one plan and says how", "[agreement]") {
  Engine* engine = eachDevice();
  if (engine == nullptr) SSCOPE_SKIP("there is no device");
  const Volume input = randomVolume({20, 14, 10, 1}, ElementType::f32, 5);
  const FilterWorkload workload({denseFilter({3, 3, 3}, {1, 1, 1}), separableFilter({{9, 9, 9}})}, Boundary::reflect, 0,
                                input.spec(), ElementType::f32);
  const GpuRun run = runOn(*engine, workload, input, "");
  requireRight(workload, input, run);
  // Cards filter along all axes at once.
  CHECK(run.report.variant == (engine->info().isProcessor ? "dense+separable" : "dense+fused"));
  CHECK(run.report.why.find("fewer estimated operations per voxel") != std::string::npos);
  CHECK(run.report.engine == engine->info().id);
  CHECK(run.report.operations == workload.work().operations);
}

}  // namespace sscope::test
