// Passes whose taps are all equal: sums, their bits wherever tiles begin, NaN, Inf and huge values.

#include <cmath>
#include <cstring>
#include <limits>

#include "core/cpu/filter/reduced_taps.h"
#include "tests/cpu/cpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::cpu;
using namespace sscope::test;

namespace {

const CpuMachine& boxMachine() {
  static const CpuMachine one;
  return one;
}

AxisTaps evenTaps(std::int64_t size, double tap) {
  return {std::vector<double>(static_cast<std::size_t>(size), tap), size / 2};
}

// A mean; along axes of one tap nothing is summed.
Operator boxOf(const std::array<std::int64_t, 3>& size) {
  SeparableTerm term;
  for (std::size_t a = 0; a < 3; ++a)
    if (size[a] > 1) term.axis[a] = evenTaps(size[a], 1.0 / static_cast<double>(size[a]));
  Stencil stencil;
  stencil.terms = {term};
  return {"box", stencil};
}

// Two boxes of other sizes and places, one with negative taps.
Operator twoBoxes() {
  Stencil stencil;
  stencil.terms = {{{evenTaps(13, 0.25), evenTaps(9, 0.5), evenTaps(7, 1)}},
                   {{evenTaps(10, -0.5), evenTaps(31, 0.5), evenTaps(4, 1)}}};
  stencil.terms[1].axis[0].anchor = -2;
  stencil.terms[1].axis[2].anchor = 7;
  return {"two boxes", stencil};
}

FilterWorkload workloadOf(const std::vector<Operator>& operators, const Volume& input,
                          Boundary boundary = Boundary::nearest, ElementType output = ElementType::f32) {
  return {operators, boundary, 0.75, input.spec(), output};
}

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

bool sameBits(const CpuRun& a, const CpuRun& b) {
  for (std::size_t f = 0; f < a.outputs.size(); ++f)
    if (std::memcmp(a.outputs[f].data(), b.outputs[f].data(), static_cast<std::size_t>(a.outputs[f].bytes())) != 0)
      return false;
  return true;
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

TEST_CASE("boxes agree with the reference on every CPU engine, boundary and type") {
  const VolumeShape shapes[] = {{1, 1, 1, 1},   {40, 5, 3, 1},  {37, 45, 39, 1},
                                {70, 67, 1, 3}, {5, 40, 33, 2}, {33, 1, 50, 1}};
  const std::vector<Operator> filters{boxOf({31, 31, 31}), boxOf({9, 6, 7}),  boxOf({10, 1, 1}), boxOf({1, 15, 1}),
                                      boxOf({1, 1, 12}),   boxOf({1, 8, 64}), twoBoxes()};
  const std::vector<Engine*> engines = boxMachine().engines.available();
  const auto sampling = Sampling::ofRun().named("boxes");
  std::size_t turn = 0;
  for (const VolumeShape& shape : shapes)
    for (const Boundary boundary : kBoundaries) {
      const ElementType type = kElementTypes[turn++ % std::size(kElementTypes)];
      const Volume input = randomVolume(shape, type, turn);
      for (const ElementType output : {ElementType::f32, type})
        for (std::size_t level = 0; level < engines.size(); ++level) {
          if (!inShare(turn + level, engines.size(), sampling)) continue;  // the levels take turns
          const Engine* engine = engines[level];
          const FilterWorkload workload = workloadOf(filters, input, boundary, output);
          const CpuRun run = runOnCpu(boxMachine(), engine->info().id, "separable", workload, input);
          INFO(engine->info().id << " " << shape.text() << " " << toString(boundary) << " " << toString(type) << ", "
                                 << Sampling::howToRepeat());
          CHECK(check(workload, input, run).failure.empty());
        }
    }
}

TEST_CASE("the bits of boxes depend neither on threads and tiles nor on what else is computed") {
  const Volume input = randomVolume({150, 90, 100, 1}, ElementType::f32, 5);
  const std::vector<Operator> filters{boxOf({31, 31, 31}), boxOf({9, 7, 15}), boxOf({1, 1, 64}), twoBoxes()};
  const FilterWorkload whole = workloadOf(filters, input, Boundary::mirror);
  // Regions that are walked along z as the whole is.
  const Box boxes[] = {{{0, 0, 41}, {150, 90, 80}}, {{17, 0, 3}, {100, 40, 60}}, {{64, 33, 0}, {128, 90, 100}}};
  for (const Engine* engine : boxMachine().engines.available()) {
    INFO(engine->info().id);
    const CpuRun one = runOnCpu(boxMachine(), engine->info().id, "separable", whole, input, 1);
    for (const int threads : {2, 5, 16})
      CHECK(sameBits(one, runOnCpu(boxMachine(), engine->info().id, "separable", whole, input, threads)));
    for (const Box& box : boxes) {
      const auto part = whole.restrictedTo(box);
      const CpuRun run = runOnCpu(boxMachine(), engine->info().id, "separable", *part, input);
      bool equal = true;
      for (std::size_t f = 0; f < filters.size(); ++f)
        for (std::int64_t z = 0; z < box.size(2); ++z)
          for (std::int64_t y = 0; y < box.size(1); ++y)
            for (std::int64_t x = 0; x < box.size(0); ++x)
              equal = equal && run.outputs[f].value(x, y, z) ==
                                   one.outputs[f].value(box.begin[0] + x, box.begin[1] + y, box.begin[2] + z);
      CHECK(equal);
    }
  }
}

TEST_CASE("NaN and Inf spread over the windows of boxes and no further") {
  const VolumeShape shape{70, 61, 64, 1};
  const std::array<std::int64_t, 3> size{31, 15, 9};
  for (const float special : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                              -std::numeric_limits<float>::infinity()}) {
    Volume input = randomVolume(shape, ElementType::f32, 2);
    const std::array<std::int64_t, 3> at{33, 29, 31};
    input.elements<float>()[static_cast<std::size_t>(input.view().offset(at[0], at[1], at[2]))] = special;
    const FilterWorkload workload = workloadOf({boxOf(size)}, input, Boundary::constant);
    for (const Engine* engine : boxMachine().engines.available()) {
      const CpuRun run = runOnCpu(boxMachine(), engine->info().id, "separable", workload, input);
      std::int64_t misplaced = 0;
      for (std::int64_t z = 0; z < shape.nz; ++z)
        for (std::int64_t y = 0; y < shape.ny; ++y)
          for (std::int64_t x = 0; x < shape.nx; ++x) {
            const bool inside = std::abs(x - at[0]) <= 15 && std::abs(y - at[1]) <= 7 && std::abs(z - at[2]) <= 4;
            const auto value = static_cast<float>(run.outputs[0].value(x, y, z));
            const bool right = std::isnan(special) ? std::isnan(value) : value == special;
            misplaced += inside ? !right : !std::isfinite(value);
          }
      INFO(engine->info().id << " " << special);
      CHECK(misplaced == 0);
    }
  }
}

TEST_CASE("means of huge values stay finite, and sums of tiny ones are not lost") {
  for (const double scale : {0.9 * static_cast<double>(std::numeric_limits<float>::max()), 1e-37}) {
    Volume input = randomVolume({80, 40, 40, 1}, ElementType::f32, 8);
    for (float& value : input.elements<float>()) value = static_cast<float>(scale * (value < 0.1F ? -1 : 1));
    const FilterWorkload workload = workloadOf({boxOf({31, 31, 31}), boxOf({9, 9, 9})}, input);
    for (const Engine* engine : boxMachine().engines.available()) {
      const CpuRun run = runOnCpu(boxMachine(), engine->info().id, "separable", workload, input);
      INFO(engine->info().id << " " << scale);
      CHECK(check(workload, input, run).failure.empty());
    }
  }
}

TEST_CASE("boxes report the fewer operations that they execute, and take new weights of the same kind only") {
  const Volume input = randomVolume({64, 64, 64, 1}, ElementType::f32, 1);
  const FilterWorkload box = workloadOf({boxOf({31, 31, 31})}, input);
  const std::string engine = boxMachine().engines.preferred().info().id;
  const CpuRun run = runOnCpu(boxMachine(), engine, "separable", box, input);
  CHECK(run.report.operations == 2.0 * 93 * 262144);
  CHECK(run.report.executedOperations > 10.0 * 262144);
  CHECK(run.report.executedOperations < 40.0 * 262144);
  Operator uneven = boxOf({31, 31, 31});
  std::get<Stencil>(uneven.kind).terms[0].axis[2].weights[7] = 0.5;
  Operator doubled = boxOf({31, 31, 31});
  for (double& weight : std::get<Stencil>(doubled.kind).terms[0].axis[2].weights) weight *= 2;
  const auto plan = boxMachine().variants.prepare(boxMachine().engines.at(engine), box, "separable", {}, {});
  CHECK_FALSE(plan->adopt(workloadOf({uneven}, input), {}));
  const auto other = boxMachine().variants.prepare(boxMachine().engines.at(engine), box, "separable", {}, {});
  const FilterWorkload twice = workloadOf({doubled}, input);
  REQUIRE(other->adopt(twice, {}));
  Volume out({64, 64, 64, 1}, ElementType::f32);
  const ConstArrayView in = input.view(), result = out.view();
  const ArrayView view = out.view();
  static_cast<void>(other->run({{&in, 1}, 0}, {&view, 1}, {}));
  CHECK(verify(twice, {&in, 1}, {&result, 1}, {}, {}).failure.empty());
}
