// Dense filters as sums of few separable terms on devices: fused and in passes, NaN and Inf put right.

#include "tests/support/low_rank_taps.h"

#include <array>
#include <cmath>
#include <limits>

#include "tests/gpu/posing_engine.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"

namespace sscope::test {

namespace {

struct FewTermsCase {
  VolumeShape shape;
  std::array<std::int64_t, 3> size, anchor;
};

// Fused images and volumes, components, taps along two axes only, wider than the data; more taps than are fused.
const FewTermsCase kFewTermsCases[] = {
    {{72, 37, 9, 1}, {9, 8, 7}, {4, 0, 6}},   {{70, 33, 1, 1}, {13, 14, 1}, {6, 7, 0}},
    {{33, 9, 4, 3}, {9, 11, 1}, {0, 5, 0}},   {{20, 30, 12, 1}, {1, 12, 9}, {0, 6, 4}},
    {{5, 4, 3, 1}, {14, 13, 6}, {7, -2, 10}}, {{80, 40, 1, 1}, {31, 9, 1}, {15, 4, 0}},
};

}  // namespace

TEST_CASE("sums of few terms agree with the reference on devices", "[low-rank]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  const Variant& row = GpuBench::instance().variants().at("filter", posing.engine->info().kind, "low-rank");
  INFO(Sampling::howToRepeat());
  std::size_t turn = firstTurn(), number = 0;
  for (const FewTermsCase& c : sampled(kFewTermsCases, 0, 2))
    for (const ElementType type : sampled(std::array{ElementType::f32, ElementType::u8, ElementType::f64}, number++))
      for (const Stencil& taps : {twoBumps(c.size, c.anchor), obliqueWave(c.size, c.anchor)}) {
        const Volume input = randomVolume(c.shape, type, ++turn);
        const Boundary boundary = kBoundaries[turn % std::size(kBoundaries)];
        const FilterWorkload workload = fewTerms(taps, input, boundary, 0.75);
        INFO(c.shape.text() << " " << toString(type) << " " << toString(boundary) << " " << taps.dense.weights[0]);
        if (!row.unsupported(posing.engine->info(), workload).empty()) {
          CHECK(type == ElementType::f64);  // where waves cancel too far
          continue;
        }
        const GpuRun run = runOn(*posing.engine, workload, input, "low-rank");
        CHECK(run.report.variant == "low-rank");
        requireRight(workload, input, run);
      }
}

TEST_CASE("NaN and Inf are where the sum over all taps has them, though devices add up terms", "[low-rank]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  const double infinite = std::numeric_limits<double>::infinity();
  INFO(Sampling::howToRepeat());
  const std::array both{std::pair{VolumeShape{40, 31, 1, 2}, std::array<std::int64_t, 3>{11, 12, 1}},
                        std::pair{VolumeShape{30, 20, 14, 1}, std::array<std::int64_t, 3>{9, 8, 7}}};
  for (const auto& [shape, size] : sampled(both, 0))
    for (const Boundary boundary : sampled(kBoundaries, 0, 2)) {
      Volume input = randomVolume(shape, ElementType::f32, 6);
      const auto put = [&](std::int64_t x, std::int64_t y, std::int64_t z, double value) {
        input.elements<float>()[static_cast<std::size_t>(input.view().offset(x, y, z))] = static_cast<float>(value);
      };
      put(20, 9, 0, infinite);
      put(3, 15, shape.nz - 1, -infinite);
      put(24, 11, 0, infinite);
      put(28, 2, shape.nz - 1, std::numeric_limits<double>::quiet_NaN());
      for (const Stencil& taps : {twoBumps(size, {5, 2, 0}), obliqueWave(size, {5, 2, 0})}) {
        const FilterWorkload workload = fewTerms(taps, input, boundary, infinite);
        INFO(toString(boundary) << " " << shape.text());
        requireRight(workload, input, runOn(*posing.engine, workload, input, "low-rank"));
      }
    }
}

TEST_CASE("parts and regions of sums of few terms are the same bits as the whole", "[low-rank]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  const Volume input = randomVolume({72, 40, 36, 1}, ElementType::f32, 12);
  INFO(Sampling::howToRepeat());
  const std::array both{twoBumps({7, 9, 11}, {3, 4, 5}), obliqueWave({7, 9, 11}, {3, 4, 5})};
  for (const Stencil& taps : sampled(both, 0)) {
    const FilterWorkload workload = fewTerms(taps, input, Boundary::mirror, 0);
    const GpuRun whole = runOn(*posing.engine, workload, input, "low-rank");
    requireRight(workload, input, whole);
    const GpuRun parts = runOn(*posing.engine, workload, input, "low-rank", {0, 700000});
    CHECK(parts.report.tiles > 1);
    CHECK(sameBytes(whole.outputs[0], parts.outputs[0]));
    for (const Box& box : {Box{{0, 0, 8}, {72, 40, 9}}, Box{{0, 18, 0}, {72, 19, 36}}, Box{{3, 0, 0}, {4, 40, 36}}}) {
      const GpuRun run = runOn(*posing.engine, *workload.restrictedTo(box), input, "low-rank");
      CHECK(differentVoxels(run.outputs[0], whole.outputs[0], box) == 0);
    }
  }
}

TEST_CASE("a device chooses sums of few terms, in passes until their kernel is there, and keeps the plan",
          "[low-rank]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  const Volume input = randomVolume({40, 24, 20, 1}, ElementType::f32, 2);
  // Nobody else asks for these numbers of taps.
  const Stencil taps = twoBumps({12, 14, 11}, {5, 6, 5});
  const FilterWorkload workload = fewTerms(taps, input, Boundary::wrap, 0);
  PrepareOptions impatient;
  impatient.impatient = true;
  const auto ran = [&](const PrepareOptions& options) {
    const GpuRun run = runOn(*posing.engine, workload, input, "auto", options);
    requireRight(workload, input, run);
    return run.report;
  };
  const RunReport first = ran(impatient);
  CHECK(first.variant == "low-rank");
  CHECK_THAT(first.why, Catch::Matchers::ContainsSubstring("passes and sums, until"));
  CHECK_THAT(ran({}).why, Catch::Matchers::ContainsSubstring("as a sum of few products of lines"));
  Stencil other = taps;
  for (double& w : other.dense.weights) w *= 1.25;
  const FilterWorkload second = fewTerms(other, input, Boundary::wrap, 0);
  const auto plan = GpuBench::instance().variants().prepare(*posing.engine, workload, "auto", {}, {});
  REQUIRE(plan->adopt(second, {}));
  Volume output(input.shape(), ElementType::f32);
  const ConstArrayView in = input.view();
  const ArrayView out = output.view();
  static_cast<void>(plan->run({{&in, 1}, 0}, {&out, 1}, {}));
  CHECK(sameBytes(output, runOn(*posing.engine, second, input, "auto").outputs[0]));
  CHECK_FALSE(plan->adopt(fewTerms(fullRank({12, 14, 11}, {5, 6, 5}), input, Boundary::wrap, 0), {}));
}

}  // namespace sscope::test
