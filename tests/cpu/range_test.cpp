// Means weighted by likeness on every level: the powers of two, values of any magnitude.

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

}  // namespace

TEST_CASE("the weights of every level are powers of two within a few unit roundoffs, and 0 where they are too small") {
  for (const SimdLevel level : {SimdLevel::Scalar, SimdLevel::Sse4, SimdLevel::Avx2, SimdLevel::Avx512}) {
    if (!absentReason(level).empty()) continue;
    INFO(static_cast<int>(level));
    checkPowers(rangeKernels(level).f32, 2.1e-7);
    checkPowers(rangeKernels(level).f64, 5e-16);
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
    for (const EngineInfo& info : cpuMachine().engines.infos()) {
      if (!info.available()) continue;
      INFO(spec << " on " << info.id);
      const FilterWorkload workload({makeOperator(parseFilterSpec(spec), {3, {1, 1, 1}})}, Boundary::constant, NAN,
                                    volume.spec(), ElementType::f32);
      CHECK(wrongIn(workload, volume, runOnCpu(info.id, "", workload, volume)) == "");
    }
}
