// Integers from sums in single precision beside their results (tests/agreement/method_cases.cpp): which sums are in
// doubt.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/cpu/filter/exact_rounding.h"
#include "core/volume/element_type.h"
#include "tests/cpu/cpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::cpu;
using namespace sscope::test;

namespace {

FilterWorkload roundedWorkload(const Volume& input, Boundary boundary, ElementType output, double constant = 0.75) {
  return {filtersNearTies(), boundary, constant, input.spec(), output};
}

}  // namespace

TEST_CASE("rows of sums are rounded as single values are, and the doubtful ones are named") {
  std::vector<float> sums;
  for (int i = -1100; i < 1100; ++i)
    for (const float beside : {-1e-3F, -1e-5F, 0.0F, 1e-5F, 1e-3F})
      sums.push_back(0.25F * static_cast<float>(i) + beside);
  sums.push_back(std::numeric_limits<float>::max());
  for (const SimdLevel level : kSimdLevels) {
    if (!absentReason(level).empty()) continue;
    const KernelTable& kernels = kernelTable(level);
    for (std::size_t first = 0; first < sums.size(); first += 311)
      for (const std::int64_t stride : {1, 3}) {
        const std::int64_t count = std::min<std::int64_t>(311, static_cast<std::int64_t>(sums.size() - first) / stride);
        std::vector<std::int8_t> out(static_cast<std::size_t>(count * stride), 99);
        std::vector<std::int32_t> doubtful(static_cast<std::size_t>(count));
        RoundingRow row;
        row.from = sums.data() + first;
        row.fromStride = row.toStride = stride;
        row.to = reinterpret_cast<std::byte*>(out.data());
        row.count = count;
        row.absolute = 1e-4F;
        row.doubtful = doubtful.data();
        const RoundedRow result = kernels.roundRow[static_cast<std::size_t>(ElementType::i8)](row);
        std::int64_t saturated = 0, next = 0, wrong = 0;
        for (std::int64_t i = 0; i < count; ++i) {
          const double sum = static_cast<double>(row.from[i * stride]), shifted = sum + 0.5 + kTieBand;
          const auto differs = [&](double error) { return std::floor(shifted - error) != std::floor(shifted + error); };
          const bool close = differs(0.99e-4), far = !differs(1.3e-4);
          const bool named = next < result.doubtful && doubtful[static_cast<std::size_t>(next)] == i;
          next += named ? 1 : 0;
          bool left = false;
          const std::int8_t wanted = roundSaturate<std::int8_t>(sum, left);
          saturated += !named && left ? 1 : 0;
          wrong +=
              (close && !named) || (far && named) || (!named && out[static_cast<std::size_t>(i * stride)] != wanted)
                  ? 1
                  : 0;
        }
        INFO(toString(level) << " from " << first << " by " << stride);
        CHECK(wrong == 0);
        CHECK(next == result.doubtful);
        CHECK(saturated == result.saturated);
      }
  }
}

TEST_CASE("errors of sums are bounded, and nothing is in doubt where single precision is exact") {
  const Volume input = randomVolume({40, 30, 20, 1}, ElementType::u8, 3);
  const FilterWorkload workload = roundedWorkload(input, Boundary::mirror, ElementType::u8);
  const auto errorOf = [&](std::size_t filter) { return roundingError(workload, filter, MethodKind::Separable); };
  CHECK(errorOf(0).relative > 1e-7);  // thirds
  CHECK(errorOf(0).relative < 2e-6);
  CHECK(errorOf(0).absolute < 1e-7);  // no tap is negative: errors are relative to the sum itself
  for (const std::size_t exact : {2U, 3U}) {
    CHECK(errorOf(exact).relative == 0);
    CHECK(errorOf(exact).absolute == 0);
  }
  CHECK(errorOf(4).absolute > 1e-5);  // negative taps
  CHECK(errorOf(4).absolute < 1e-2);
  // A value outside that is no whole number leaves the grid.
  CHECK(roundingError(roundedWorkload(input, Boundary::constant, ElementType::u8), 3, MethodKind::Separable).absolute >
        0);
  CHECK(roundingError(roundedWorkload(input, Boundary::constant, ElementType::u8, 7), 3, MethodKind::Separable)
            .absolute == 0);
}

TEST_CASE("single precision is used for bytes that become integers of few digits") {
  const std::string id = cpuMachine().engines.preferred().info().id;
  if (id == "cpu:scalar") SSCOPE_SKIP("this processor has no vectors");
  const Volume input = randomVolume({90, 40, 30, 1}, ElementType::u8, 9);
  const auto precisionOf = [&](const char* variant, ElementType output) {
    const Operator smooth = productOf({{{0.3, 0.3, 0.3}, {0.25, 0.5, 0.25}, {1}}});
    const FilterWorkload workload({smooth}, Boundary::nearest, 0, input.spec(), output);
    return runOnCpu(id, variant, workload, input).report.precision;
  };
  for (const char* variant : {"separable", "dense"}) CHECK(precisionOf(variant, ElementType::u8) == Precision::f32);
  CHECK_FALSE(precisionOf("separable", ElementType::i32));
}

TEST_CASE("an integer on a tie of large sums may be either, and no other") {
  Volume input({3, 1, 1, 1}, ElementType::u32);
  const std::uint32_t values[] = {4294960857, 4294960882, 4294960679};
  std::copy_n(values, 3, input.elements<std::uint32_t>().begin());
  Stencil stencil;
  stencil.dense.size = {3, 1, 1};
  stencil.dense.anchor = {1, 0, 0};
  stencil.dense.weights = {9.1, -10.1, 1.0};  // the sum in the middle is -430.5 but for what doubles lose
  const FilterWorkload workload({{"tie", stencil}}, Boundary::nearest, 0, input.spec(), ElementType::i32);
  for (const Engine* engine : cpuMachine().engines.available()) {
    INFO(engine->info().id);
    CHECK(compared(workload, input, runOnCpu(engine->info().id, "dense", workload, input)).failure.empty());
  }
  PlanRun run = runOnCpu("cpu:scalar", "dense", workload, input);
  std::int32_t& middle = run.outputs[0].elements<std::int32_t>()[1];
  int right = 0, told = 0;
  for (middle = -433; middle <= -428; ++middle) {
    const Verification verification = compared(workload, input, run);
    CHECK(verification.verified == (middle == -431 || middle == -430));
    right += verification.verified ? 1 : 0;
    told += verification.coverage.find("1 of the 3 integers lie on ties") != std::string::npos ? 1 : 0;
  }
  CHECK(right == 2);
  CHECK(told == 1);
}
