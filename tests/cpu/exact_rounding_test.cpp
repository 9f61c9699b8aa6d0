// Integer results from sums in single precision: the integers of double precision, saturation included.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "core/cpu/filter/exact_rounding.h"
#include "core/volume/element_type.h"
#include "tests/cpu/cpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::cpu;
using namespace sscope::test;

namespace {

const CpuMachine& roundingMachine() {
  static const CpuMachine one;
  return one;
}

Operator operatorOf(SeparableTerm term) {
  Stencil stencil;
  stencil.terms = {std::move(term)};
  return {"rounded", stencil};
}

// Sums of bytes with these taps lie on or near the middle between two integers more often than others.
AxisTaps taps(std::vector<double> weights) {
  const auto anchor = static_cast<std::int64_t>(weights.size()) / 2;
  return {std::move(weights), anchor};
}

// Taps that are folded: mirror-symmetric, and no product of one tap an axis.
Operator mirrored() {
  Stencil stencil;
  stencil.dense.size = {5, 5, 5};
  stencil.dense.anchor = {2, 2, 2};
  stencil.dense.weights.clear();
  for (int z = -2; z <= 2; ++z)
    for (int y = -2; y <= 2; ++y)
      for (int x = -2; x <= 2; ++x) stencil.dense.weights.push_back(0.1 / (1 + x * x + 2 * y * y + z * z));
  return {"mirrored", stencil};
}

std::vector<Operator> filtersNearTies() {
  const double third = 1.0 / 3, tenth = 0.1;
  Stencil sharp;
  sharp.terms = {{{taps({1}), taps({1}), taps({1})}},
                 {{taps({0, 5.5, 0}), taps({1}), taps({1})}},
                 {{taps({-tenth, -5 * tenth, -tenth}), taps({1, 2, 1}), taps({1})}}};
  return {operatorOf({{taps({third, third, third}), taps({0.5, 0.5}), taps({0.5, 0.5})}}),
          operatorOf({{taps({tenth, 3 * tenth, 2 * tenth}), taps({0.25, 0.5, 0.25}), taps({1})}}),
          operatorOf({{taps({0.25, 0.5, 0.25}), taps({0.25, 0.5, 0.25}), taps({0.5, 0.5})}}),
          operatorOf({{taps({-1, 0, 1}), taps({1, 2, 1}), taps({1})}}),
          {"sharp", sharp},
          mirrored(),
          {"dense", denseFilter({5, 3, 3}, {2, 1, 1})}};
}

FilterWorkload roundedWorkload(const Volume& input, Boundary boundary, ElementType output, double constant = 0.75) {
  return {filtersNearTies(), boundary, constant, input.spec(), output};
}

bool sameResults(const CpuRun& a, const CpuRun& b) {
  bool same = a.report.saturated == b.report.saturated && a.outputs.size() == b.outputs.size();
  for (std::size_t f = 0; same && f < a.outputs.size(); ++f)
    same = std::memcmp(a.outputs[f].data(), b.outputs[f].data(), a.outputs[f].bytes()) == 0;
  return same;
}

}  // namespace

TEST_CASE("integer results of bytes are those of double precision, on every CPU engine and boundary") {
  const VolumeShape shapes[] = {{1, 1, 1, 1},   {61, 9, 5, 1},  {700, 33, 1, 1},
                                {45, 21, 3, 3}, {7, 30, 11, 2}, {47, 38, 1, 3}};
  std::uint64_t turn = 0;
  for (const VolumeShape& shape : shapes)
    for (const Boundary boundary : kBoundaries)
      for (const ElementType type : {ElementType::u8, ElementType::i8})
        for (const ElementType output : {ElementType::u8, ElementType::i8, ElementType::u16, ElementType::i16}) {
          const Volume input = randomVolume(shape, type, ++turn);
          for (const std::string variant : {"separable", "dense"}) {
            std::vector<Operator> filters = filtersNearTies();
            if (variant == "separable") filters.resize(5);
            const FilterWorkload workload(filters, boundary, 0.75, input.spec(), output);
            const CpuRun truth = runOnCpu(roundingMachine(), "cpu:scalar", variant, workload, input, 1);
            CHECK(check(workload, input, truth).failure.empty());
            for (const Engine* engine : roundingMachine().engines.available()) {
              INFO(engine->info().id << " " << variant << " " << shape.text() << " " << toString(boundary) << " "
                                     << toString(type) << " to " << toString(output));
              CHECK(sameResults(truth, runOnCpu(roundingMachine(), engine->info().id, variant, workload, input)));
            }
          }
        }
}

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

TEST_CASE("single precision is used for bytes that become integers, and new weights keep the results right") {
  const Engine& engine = roundingMachine().engines.preferred();
  if (engine.info().id == "cpu:scalar") SSCOPE_SKIP("this processor has no vectors");
  const Volume input = randomVolume({90, 40, 30, 1}, ElementType::u8, 9);
  const auto workloadOf = [&](double tap, ElementType output) {
    return FilterWorkload({operatorOf({{taps({tap, 0.3, tap}), taps({0.25, 0.5, 0.25}), taps({1})}})},
                          Boundary::nearest, 0, input.spec(), output);
  };
  const FilterWorkload before = workloadOf(0.2, ElementType::u8), after = workloadOf(-0.7, ElementType::u8);
  for (const std::string variant : {"separable", "dense"}) {
    const auto plan =
        roundingMachine().variants.prepare(roundingMachine().engines.at(engine.info().id), before, variant, {}, {});
    REQUIRE(plan->adopt(after, {}));
    Volume out(input.shape(), ElementType::u8);
    const ConstArrayView in = input.view(), result = std::as_const(out).view();
    const ArrayView view = out.view();
    const RunReport report = plan->run({{&in, 1}, 0}, {&view, 1}, {});
    CHECK(verify(after, {&in, 1}, {&result, 1}, {}, {}).failure.empty());
    CHECK(report.precision == Precision::f32);
  }
  // Too many digits for single precision.
  const FilterWorkload wide = workloadOf(0.3, ElementType::i32);
  CHECK_FALSE(runOnCpu(roundingMachine(), engine.info().id, "separable", wide, input).report.precision);
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
  for (const Engine* engine : roundingMachine().engines.available()) {
    INFO(engine->info().id);
    CHECK(check(workload, input, runOnCpu(roundingMachine(), engine->info().id, "dense", workload, input))
              .failure.empty());
  }
  CpuRun run = runOnCpu(roundingMachine(), "cpu:scalar", "dense", workload, input);
  std::int32_t& middle = run.outputs[0].elements<std::int32_t>()[1];
  int right = 0, told = 0;
  for (middle = -433; middle <= -428; ++middle) {
    const Verification verification = check(workload, input, run);
    CHECK(verification.verified == (middle == -431 || middle == -430));
    right += verification.verified ? 1 : 0;
    told += verification.coverage.find("1 of the 3 integers lie on ties") != std::string::npos ? 1 : 0;
  }
  CHECK(right == 2);
  CHECK(told == 1);
}
