// Linear filters on the processor beside their results (tests/agreement/method_cases.cpp): which sums are made at all.

#include <cmath>
#include <limits>

#include "core/cpu/filter/reduced_taps.h"
#include "core/cpu/filter/separable_step.h"
#include "core/cpu/filter/tile_space.h"
#include "core/filter/workload/filter_workload.h"
#include "tests/cpu/cpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::cpu;
using namespace sscope::test;

namespace {

FilterWorkload sumsOn(const std::vector<Operator>& operators, const Volume& input,
                      Boundary boundary = Boundary::nearest) {
  return {operators, boundary, 0.75, input.spec(), ElementType::f32};
}

std::string described(const std::string& engine, const char* variant, const FilterWorkload& workload) {
  return planOnCpu(engine, variant, workload)->description();
}

std::string widestId() { return cpuMachine().engines.preferred().info().id; }

template <class T>
void expectPlanes(const PrecisionKernels<T>& kernels, std::int64_t taps, std::int64_t phase) {
  // 20 planes of 5 vectors, as they come, against one window after the other.
  const std::int64_t width = 5 * kernels.lanes, planes = 20;
  const auto elements = [&](std::int64_t rows) { return std::vector<T>(static_cast<std::size_t>(rows * width + 64)); };
  std::vector<T> in = elements(planes + taps - 1), out = elements(planes), buffer = elements(4 * taps);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(std::sin(static_cast<double>(i)));
  EqualSum<T> job;
  job.in = in.data();
  job.out = out.data();
  job.inRow = job.outRow = width;
  job.rows = planes;
  job.vectors = 5;
  job.taps = taps;
  job.tap = static_cast<T>(0.3);
  job.phase = phase;
  job.buffer = buffer.data();
  runEqualRows(kernels, job, {});
  double worst = 0;
  for (std::int64_t row = 0; row < planes; ++row)
    for (std::int64_t x = 0; x < width; ++x) {
      double sum = 0;
      for (std::int64_t k = 0; k < taps; ++k)
        sum += 0.3 * static_cast<double>(in[static_cast<std::size_t>((row + k) * width + x)]);
      worst = std::max(worst, std::abs(sum - static_cast<double>(out[static_cast<std::size_t>(row * width + x)])));
    }
  INFO(toString(kernels.level) << " " << taps << " taps, phase " << phase);
  CHECK(worst < 40 * static_cast<double>(std::numeric_limits<T>::epsilon()) * static_cast<double>(taps));
}

}  // namespace

TEST_CASE("sums of equal taps along rows, from every row of a block on") {
  for (const SimdLevel level : kSimdLevels) {
    if (!absentReason(level).empty()) continue;
    for (const std::int64_t taps : {6, 7, 19, 20, 21, 64})
      for (std::int64_t phase = 0; phase < taps; phase += taps < 20 ? 1 : 9) {
        expectPlanes(kernelTable(level).f32, taps, phase);
        expectPlanes(kernelTable(level).f64, taps, phase);
      }
  }
}

TEST_CASE("windows along x are split into all of their taps, in fewer sums") {
  for (std::int64_t taps = 1; taps < 3000; ++taps) {
    const EqualSplit split = equalSplit(taps);
    REQUIRE(split.first * split.firsts + split.singles == taps);
    REQUIRE(split.singles >= 0);
    REQUIRE((taps < 9 || split.first + split.firsts + split.singles < taps));
  }
}

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

TEST_CASE("more taps are folded where more registers hold sums") {
  const Volume input = randomVolume({140, 75, 1, 1}, ElementType::f32, 3);
  for (const std::int64_t edge : {11, 13, 15, 16, 19, 21, 27, 28})
    for (const Engine* engine : cpuMachine().engines.available()) {
      INFO(engine->info().id << " " << edge);
      const bool folds = edge >= 15 || engine->info().id == "cpu:avx512";
      const FilterWorkload workload = sumsOn({radialTaps(edge, 2)}, input, Boundary::mirror);
      CHECK(described(engine->info().id, "dense", workload).starts_with("folded") == folds);
    }
}

TEST_CASE("equal and folded taps report the fewer operations that they execute") {
  struct Fewer {
    const char* variant;
    const char* ran;
    VolumeShape shape;
    Operator op;
    double counted, least, most;  // operations a voxel
  };
  for (const auto& [variant, ran, shape, op, counted, least, most] :
       {Fewer{"separable", "separable", {64, 64, 64, 1}, boxOf({31, 31, 31}), 2 * 93, 10, 40},
        {"auto", "dense", {64, 40, 32, 1}, radialTaps(7, 3), 2 * 343, 2 * 64, 2 * 100}}) {
    const Volume input = randomVolume(shape, ElementType::f32, 1);
    const RunReport report = runOnCpu(widestId(), variant, sumsOn({op}, input), input).report;
    const auto voxels = static_cast<double>(shape.voxels());
    INFO(op.name);
    CHECK(report.variant == ran);
    CHECK(report.operations == counted * voxels);
    CHECK(report.executedOperations > least * voxels);
    CHECK(report.executedOperations < most * voxels);
  }
}

TEST_CASE("sums of few terms are chosen where they are expected to be faster, and integers are not computed so") {
  const Volume input = randomVolume({120, 110, 1, 1}, ElementType::u8, 9);
  Stencil taps = twoBumps({13, 13, 1}, {6, 6, 0});
  // Not their own mirror image: folded, dense sums take no longer.
  for (std::size_t i = 0; i < taps.dense.weights.size(); ++i)
    taps.dense.weights[i] *= 1 + 0.02 * static_cast<double>(i % 13);
  const std::string id = cpuMachine().engines.preferred().info().id;
  const FilterWorkload real = fewTerms(taps, input, Boundary::nearest);
  const PlanRun run = runOnCpu(id, "auto", real, input);
  CHECK(run.report.variant == "low-rank");
  CHECK(run.report.precision != Precision::f64);
  CHECK_THAT(run.report.why, Catch::Matchers::ContainsSubstring("as a sum of few products of lines"));
  CHECK(wrongIn(real, input, run) == "");
  const FilterWorkload integers({taps}, Boundary::nearest, 0, input.spec(), ElementType::u8);
  CHECK(runOnCpu(id, "auto", integers, input).report.variant == "dense");
  CHECK_THROWS_WITH(runOnCpu(id, "low-rank", integers, input),
                    Catch::Matchers::ContainsSubstring("integers must be exact"));
  const FilterWorkload canceling = fewTerms(obliqueWave({27, 27, 1}, {13, 13, 0}), input, Boundary::nearest);
  CHECK(runOnCpu(id, "low-rank", canceling, input).report.precision == Precision::f64);
  const FilterWorkload noise = fewTerms(fullRank({9, 9, 1}, {4, 4, 0}), input, Boundary::nearest);
  CHECK_THROWS_WITH(runOnCpu(id, "low-rank", noise, input),
                    Catch::Matchers::ContainsSubstring("a sum of few products of lines"));
}

TEST_CASE("the derivatives of a gradient and of a Hessian are computed together") {
  const Volume input = randomVolume({96, 96, 96, 1}, ElementType::f32, 4);
  CHECK(described(widestId(), "separable", sumsOn(gaussianGradient(1), input)).find(" separable filters in columns") !=
        std::string::npos);
  CHECK(described(widestId(), "separable", sumsOn(gaussianHessian(1.5), input)).find(" separable filters in columns") !=
        std::string::npos);
  CHECK(
      described(widestId(), "separable", sumsOn({gaussianGradient(1)[0]}, input)).starts_with("separable in columns"));
}

TEST_CASE("passes that are alike are made once") {
  const Volume input = randomVolume({40, 40, 40, 1}, ElementType::f32, 5);
  const auto passes = [&](const std::vector<Operator>& operators) {
    const FilterWorkload workload = sumsOn(operators, input);
    std::vector<std::size_t> all;
    for (std::size_t f = 0; f < operators.size(); ++f) all.push_back(f);
    const TileSpace space(workload, {0, 1, 2}, {13, 13, 13}, {6, 6, 6}, Components::SideBySide);
    const SeparablePasses<float> made(workload, all, space);
    return std::array<std::size_t, 3>{made.rows.size(), made.planes.size(), made.sums};
  };
  CHECK(passes(gaussianGradient(1)) == std::array<std::size_t, 3>{2, 3, 3});
  CHECK(passes(gaussianHessian(1)) == std::array<std::size_t, 3>{3, 6, 6});
  CHECK(passes({mixedBank()[0]}) == std::array<std::size_t, 3>{2, 3, 3});
  CHECK(passes({mixedBank()[6], mixedBank()[1]}) == std::array<std::size_t, 3>{1, 1, 0});
  CHECK(passes({mixedBank()[7], mixedBank()[8], mixedBank()[9]}) == std::array<std::size_t, 3>{1, 1, 1});
}
