// Means weighted by likeness on every level: the powers of two, integers near ties, what is not finite.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/cpu/filter/range_kernels.h"
#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "tests/cpu/cpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/largest.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::cpu;
using namespace sscope::test;

namespace {

const CpuMachine& rangeMachine() {
  static const CpuMachine one;
  return one;
}

Operator filterOf(const char* spec, int dimensions = 3) {
  return makeOperator(parseFilterSpec(spec), {dimensions, {1, 1, 1}});
}

// A single weight of 2^exponent, by which a difference of 1 comes back.
template <class T>
T powerOfTwo(const RangeKernels<T>& kernels, T exponent) {
  constexpr T kNone = -std::numeric_limits<T>::infinity();
  const std::array<T, 3> exponents{exponent, kNone, kNone};
  std::vector<T> in(66, T{0}), weights(64), differences(64);
  in[0] = 1;
  kernels.weigh({in.data() + 1,
                 66,
                 66,
                 {1, 0, 0},
                 exponents.data(),
                 T{0},
                 kernels.lanes,
                 {weights.data(), differences.data(), nullptr}});
  return differences[0];
}

template <class T>
void checkPowers(const RangeKernels<T>& kernels, double accepted) {
  double worst = 0;
  for (int i = 0; i < 20000; ++i) {
    const T x = T(-i) / T(160);  // down to -125
    const double right = std::exp2(static_cast<double>(x));
    worst = larger(worst, std::abs(static_cast<double>(powerOfTwo(kernels, x)) - right) / right);
  }
  CHECK(worst < accepted);
  CHECK(powerOfTwo(kernels, T(0)) == 1);
  CHECK(powerOfTwo(kernels, T(-1)) == T(0.5));
  for (const T x : {T(1 - std::numeric_limits<T>::max_exponent), T(-5000), -std::numeric_limits<T>::max(),
                    -std::numeric_limits<T>::infinity()})
    CHECK(powerOfTwo(kernels, x) == 0);
}

// Values next to each other whose means lie on the middle between two integers, or close to it.
Volume nearTies(ElementType type) {
  Volume volume({45, 21, 9, 1}, type);
  dispatch(type, [&](auto tag) {
    using T = decltype(tag);
    std::int64_t i = 0;
    for (T& element : volume.elements<T>()) {
      element = static_cast<T>(10 + (i + i / 45) % 2 + (i % 97 == 0 ? 60 : 0));
      ++i;
    }
  });
  return volume;
}

}  // namespace

TEST_CASE("the weights of every level are powers of two within a few unit roundoffs, and 0 where they are too small") {
  for (const SimdLevel level : {SimdLevel::Scalar, SimdLevel::Sse4, SimdLevel::Avx2, SimdLevel::Avx512}) {
    if (!absentReason(level).empty()) continue;
    INFO(static_cast<int>(level));
    checkPowers(rangeKernels(level).f32, 2.1e-7);
    checkPowers(rangeKernels(level).f64, 5e-16);
  }
}

TEST_CASE("means of integers are rounded as in double precision, also near ties, from sums in single precision") {
  for (const char* spec :
       {"bilateral:sigma=1.5,range=1e6,radius=1", "bilateral:sigma=64,range=1e9,radius=2",
        "bilateral:sigma=1.2,range=3", "nlmeans:sigma=1,search=2", "nlmeans:sigma=30,search=1,patch=2"})
    for (const ElementType type : {ElementType::u8, ElementType::i16})
      for (const EngineInfo& info : rangeMachine().engines.infos()) {
        if (!info.available()) continue;
        const Volume volume = nearTies(type);
        const FilterWorkload workload({filterOf(spec)}, Boundary::mirror, 0, volume.spec(), type);
        INFO(spec << " on " << info.id);
        const CpuRun run = runOnCpu(rangeMachine(), info.id, "weighted", workload, volume);
        CHECK(wrongIn(workload, volume, run) == "");
        CHECK(run.report.precision == Precision::f32);
      }
}

TEST_CASE("integers of 32 bits and results of f64 are computed in double precision") {
  const Volume narrow = randomVolume({20, 9, 7, 1}, ElementType::u8, 2),
               wide = randomVolume({20, 9, 7, 1}, ElementType::i32, 3);
  for (const EngineInfo& info : rangeMachine().engines.infos()) {
    if (!info.available()) continue;
    for (const auto& [volume, output] : {std::pair{&narrow, ElementType::f64}, {&wide, ElementType::i32}}) {
      const FilterWorkload workload({filterOf("bilateral:sigma=1,range=9000"), filterOf("nlmeans:sigma=900,search=2")},
                                    Boundary::wrap, 0, volume->spec(), output);
      const CpuRun run = runOnCpu(rangeMachine(), info.id, "", workload, *volume);
      CHECK(wrongIn(workload, *volume, run) == "");
      CHECK(run.report.precision != Precision::f32);
    }
  }
}

TEST_CASE("values of any magnitude have the weights of the formula") {
  constexpr float kLargest = std::numeric_limits<float>::max();
  Volume volume = randomVolume({40, 11, 6, 1}, ElementType::f32, 12);
  auto values = volume.elements<float>();
  values[700] = kLargest;
  values[701] = -kLargest;
  values[900] = 1e30F;
  values[40 * 11 + 3] = std::numeric_limits<float>::quiet_NaN();
  values[1200] = std::numeric_limits<float>::infinity();
  values[1201] = std::numeric_limits<float>::infinity();
  for (const char* spec :
       {"bilateral:sigma=1,range=0.5", "bilateral:sigma=2,range=1e30", "bilateral:sigma=1,range=1e-30",
        "nlmeans:sigma=0.4,search=2", "nlmeans:sigma=1e29,search=1"})
    for (const EngineInfo& info : rangeMachine().engines.infos()) {
      if (!info.available()) continue;
      INFO(spec << " on " << info.id);
      const FilterWorkload workload({filterOf(spec)}, Boundary::constant, NAN, volume.spec(), ElementType::f32);
      CHECK(wrongIn(workload, volume, runOnCpu(rangeMachine(), info.id, "", workload, volume)) == "");
    }
}

TEST_CASE("a plan of means takes other parameters of the same window") {
  const Volume volume = randomVolume({33, 12, 9, 1}, ElementType::f32, 5);
  for (const auto& [before, after] :
       {std::pair{"bilateral:sigma=1,range=0.2,radius=2", "bilateral:sigma=2,range=0.7,radius=2"},
        {"nlmeans:sigma=0.1,search=2", "nlmeans:sigma=0.3,strength=2,search=2"}})
    for (const EngineInfo& info : rangeMachine().engines.infos()) {
      if (!info.available()) continue;
      const auto workloadOf = [&](const char* spec) {
        Operator op = filterOf(spec);
        op.name = "mean";
        return FilterWorkload({op}, Boundary::nearest, 0, volume.spec(), ElementType::f32);
      };
      const FilterWorkload next = workloadOf(after);
      const auto plan =
          rangeMachine().variants.prepare(rangeMachine().engines.at(info.id), workloadOf(before), "", {}, {});
      REQUIRE(plan->adopt(next, {}));
      CpuRun run;
      run.outputs.emplace_back(volume.shape(), ElementType::f32);
      const ConstArrayView in = volume.view();
      const ArrayView out = run.outputs[0].view();
      run.report = plan->run({{&in, 1}, 0}, {&out, 1}, {});
      CHECK(wrongIn(next, volume, run) == "");
      CHECK_FALSE(plan->adopt(workloadOf("bilateral:sigma=1,radius=3"), {}));
    }
}
