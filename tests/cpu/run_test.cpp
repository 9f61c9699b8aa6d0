// What runs promise beyond the sums: regions, threads, saturation, cancel, strides, refusals.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/base/error.h"
#include "core/filter/workload/ladder_workloads.h"
#include "tests/cpu/cpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::test;

namespace {

std::string widest() { return cpuMachine().engines.preferred().info().id; }

Stencil sumOfTerms() {
  Stencil filter = separableFilter({5, 3, 7}, {2, 1, 3});
  filter.terms.push_back(separableFilter({1, 4, 3}, {0, 3, 0}).terms[0]);
  filter.terms.push_back({});  // the identity
  filter.terms[1].axis[0] = {};
  return filter;
}

// A box, whose taps are equal.
Stencil equalFilter(std::int64_t size) {
  Stencil filter = separableFilter({size, size, size}, {size / 2, size / 2, size / 2});
  for (AxisTaps& axis : filter.terms[0].axis) axis.weights.assign(axis.weights.size(), 0.3);
  return filter;
}

}  // namespace

TEST_CASE("saturated elements are counted once where blocks of the bank overlap") {
  Volume input({67, 41, 9, 1}, ElementType::u8);
  for (auto& element : input.elements<std::uint8_t>()) element = 200;
  // Half of the sums of noise about zero are negative, which bytes are not.
  const BankWorkload workload(
      input.spec(), completeOptions(BankWorkload::options(), {{"filters", std::int64_t{5}}, {"output", "u8"}}));
  const PlanRun truth = runOnCpu("cpu:scalar", "naive", workload, input);
  CHECK(std::ranges::any_of(truth.report.saturated, [](std::int64_t count) { return count > 0; }));
  for (const Engine* engine : cpuMachine().engines.available())
    for (const Variant* variant : cpuMachine().variants.rows("bank", engine->info().kind)) {
      if (!variant->belongsTo(engine->info())) continue;
      INFO(engine->info().id << " " << variant->name);
      CHECK(runOnCpu(engine->info().id, variant->name, workload, input).report.saturated == truth.report.saturated);
    }
}

TEST_CASE("NaN and infinities spread exactly over the taps, zero taps included") {
  Volume input = randomVolume({40, 12, 9, 1}, ElementType::f32, 2);
  const auto at = [&](std::int64_t x, std::int64_t y, std::int64_t z) -> float& {
    return input.elements<float>()[static_cast<std::size_t>((z * 12 + y) * 40 + x)];
  };
  at(0, 0, 0) = std::numeric_limits<float>::quiet_NaN();
  at(20, 6, 4) = std::numeric_limits<float>::infinity();
  at(39, 11, 8) = -std::numeric_limits<float>::infinity();
  Stencil holes = denseFilter({3, 3, 3}, {1, 1, 1});
  for (std::size_t i = 0; i < holes.dense.weights.size(); i += 2) holes.dense.weights[i] = 0;
  const FilterWorkload workload({{"holes", holes}, separableFilter({3, 5, 3}, {1, 2, 1})}, Boundary::nearest, 0,
                                input.spec(), ElementType::f32);
  for (const Engine* engine : cpuMachine().engines.available()) {
    const PlanRun run = runOnCpu(engine->info().id, "separable", workload, input);
    INFO(engine->info().id);
    CHECK(compared(workload, input, run).failure.empty());
    CHECK(std::isnan(run.outputs[0].value(1, 1, 1)));
    CHECK(std::isfinite(run.outputs[0].value(2, 0, 0)));
    CHECK(run.report.variant == "dense+separable");
    CHECK(run.report.why.find("holes cannot be factored") != std::string::npos);
  }
}

TEST_CASE("outputs beyond the caches and of odd widths are written whole") {
  const Volume input = randomVolume({263, 129, 130, 1}, ElementType::u8, 4);
  const FilterWorkload workload({separableFilter({3, 3, 3}, {1, 1, 1})}, Boundary::nearest, 0, input.spec(),
                                ElementType::f32);
  for (const Engine* engine : cpuMachine().engines.available())
    for (const char* variant : {"dense", "separable"}) {
      const PlanRun run = runOnCpu(engine->info().id, variant, workload, input);
      CHECK(compared(workload, input, run).failure.empty());
      bool finite = true;
      for (const float value : run.outputs[0].elements<float>()) finite = finite && std::isfinite(value);
      CHECK(finite);
    }
}

TEST_CASE("strided views are read and written in place") {
  const Volume input = randomVolume({60, 20, 10, 1}, ElementType::f32, 9);
  const FilterWorkload plain({denseFilter({3, 3, 3}, {1, 1, 1}), separableFilter({5, 5, 5}, {2, 2, 2})},
                             Boundary::nearest, 0, input.spec(), ElementType::f32);
  // The same voxels stored with x last and y upside down.
  std::vector<float> stored(60 * 20 * 10);
  const std::array<std::int64_t, 4> stride{200, -10, 1, 1};
  ConstArrayView view{
      ElementType::f32, reinterpret_cast<const std::byte*>(stored.data() + 19 * 10), {60, 20, 10, 1}, stride};
  for (std::int64_t z = 0; z < 10; ++z)
    for (std::int64_t y = 0; y < 20; ++y)
      for (std::int64_t x = 0; x < 60; ++x)
        stored[static_cast<std::size_t>(190 + view.offset(x, y, z))] = static_cast<float>(input.value(x, y, z));
  std::vector<std::vector<float>> results(2, std::vector<float>(stored.size(), -1.0F));
  std::vector<ArrayView> outputs;
  for (auto& result : results)
    outputs.push_back({ElementType::f32, reinterpret_cast<std::byte*>(result.data() + 190), {60, 20, 10, 1}, stride});
  const auto plan = cpuMachine().variants.prepare(cpuMachine().engines.at(widest()), plain, "auto", {}, {});
  plan->run({{&view, 1}, 0}, outputs, {});
  const std::vector<ConstArrayView> written(outputs.begin(), outputs.end());
  CHECK(verify(plain, {&view, 1}, written, {}, {}).failure.empty());
}

// Rows whose elements are no neighbors in memory are packed; others are read where they lie.
TEST_CASE("passes over the input where it lies have the bits of passes over packed tiles") {
  std::uint64_t seed = 20;
  for (const ElementType type : {ElementType::f32, ElementType::f64})
    for (const VolumeShape& shape :
         {VolumeShape{150, 70, 21, 1}, VolumeShape{333, 41, 6, 1}, VolumeShape{71, 90, 9, 2}})
      for (const Boundary boundary : kBoundaries) {
        const Volume input = randomVolume(shape, type, ++seed);
        const std::vector<Operator> filters{
            {"odd", separableFilter({5, 9, 7}, {1, 4, 3})}, {"terms", sumOfTerms()}, {"box", equalFilter(9)}};
        const FilterWorkload workload(filters, boundary, 0.5, input.spec(), type);
        const std::size_t bytes = bytesOf(type);
        std::vector<std::byte> apart(static_cast<std::size_t>(input.bytes()) * 2);
        for (std::int64_t i = 0; i < shape.elements(); ++i)
          std::memcpy(apart.data() + 2 * i * static_cast<std::int64_t>(bytes),
                      input.data() + i * static_cast<std::int64_t>(bytes), bytes);
        ConstArrayView view = input.view();
        view.data = apart.data();
        for (std::int64_t& stride : view.stride) stride *= 2;
        for (const Engine* engine : cpuMachine().engines.available()) {
          INFO(engine->info().id << " " << toString(type) << " " << shape.text() << " " << toString(boundary));
          const PlanRun inPlace = runOnCpu(engine->info().id, "separable", workload, input);
          CHECK(compared(workload, input, inPlace).failure.empty());
          const auto plan = planOnCpu(engine->info().id, "separable", workload, 2);
          CHECK(sameBits(inPlace, runOnce(*plan, workload, Inputs{{&view, 1}, 0})));
        }
      }
}

TEST_CASE("components have the bits of volumes of their own, side by side in memory or apart") {
  const int components = GENERATE(2, 3, 16, 17);
  const VolumeShape shape{67, 36, 3, 1};
  const auto count = static_cast<std::size_t>(shape.voxels()), c = static_cast<std::size_t>(components);
  const std::vector<Operator> filters{denseFilter({5, 3, 1}, {2, 1, 0}), denseFilter({3, 3, 3}, {1, 0, 2}),
                                      sumOfTerms(), separableFilter({71, 1, 2}, {35, 0, 0})};
  for (const ElementType type : {ElementType::u8, ElementType::f32})
    for (const Boundary boundary : {Boundary::wrap, Boundary::constant}) {
      std::vector<Volume> alone;
      const Volume together = randomVolume({shape.nx, shape.ny, shape.nz, components}, type, 5);
      const std::size_t bytes = bytesOf(type);
      std::vector<std::byte> apart(static_cast<std::size_t>(together.spec().bytes()));
      for (std::size_t k = 0; k < c; ++k) {
        Volume& one = alone.emplace_back(shape, type);
        for (std::size_t v = 0; v < count; ++v) {
          std::memcpy(one.data() + v * bytes, together.data() + (v * c + k) * bytes, bytes);
          std::memcpy(apart.data() + (k * count + v) * bytes, together.data() + (v * c + k) * bytes, bytes);
        }
      }
      const std::array<std::int64_t, 4> extent{shape.nx, shape.ny, shape.nz, components};
      const std::array<std::int64_t, 4> stride{1, shape.nx, shape.nx * shape.ny, shape.voxels()};
      const ConstArrayView view{type, apart.data(), extent, stride};
      const FilterWorkload all(filters, boundary, 2, together.spec(), ElementType::f32);
      const FilterWorkload single(filters, boundary, 2, alone[0].spec(), ElementType::f32);
      for (const Engine* engine : cpuMachine().engines.available()) {
        INFO(engine->info().id << " " << toString(type) << " " << toString(boundary));
        const PlanRun run = runOnCpu(engine->info().id, "auto", all, together);
        std::vector<std::vector<float>> results(filters.size(), std::vector<float>(count * c, -1.0F));
        std::vector<ArrayView> outputs;
        for (auto& result : results)
          outputs.push_back({ElementType::f32, reinterpret_cast<std::byte*>(result.data()), extent, stride});
        cpuMachine()
            .variants.prepare(cpuMachine().engines.at(engine->info().id), all, "auto", {}, {})
            ->run({{&view, 1}, 0}, outputs, {});
        bool equal = true;
        for (std::size_t k = 0; k < c; ++k) {
          const PlanRun one = runOnCpu(engine->info().id, "auto", single, alone[k]);
          for (std::size_t f = 0; f < filters.size(); ++f)
            for (std::size_t v = 0; v < count; ++v) {
              const float expected = one.outputs[f].elements<float>()[v];
              equal = equal && run.outputs[f].elements<float>()[v * c + k] == expected &&
                      results[f][k * count + v] == expected;
            }
        }
        CHECK(equal);
      }
    }
}

TEST_CASE("a stop request ends a run early") {
  const Volume input = randomVolume({128, 128, 128, 1}, ElementType::f32, 1);
  const FilterWorkload workload({denseFilter({11, 11, 11}, {5, 5, 5})}, Boundary::nearest, 0, input.spec(),
                                ElementType::f32);
  for (const Engine* engine : cpuMachine().engines.available()) {
    std::stop_source source;
    std::atomic<double> reached{0};
    Control control{source.get_token(), [&](double fraction, std::string_view) {
                      reached = fraction;
                      source.request_stop();
                    }};
    CHECK_THROWS_AS(runOnCpu(engine->info().id, "dense", workload, input, 2, control), Canceled);
    CHECK(reached < 0.5);
  }
}

TEST_CASE("variants say why they cannot run") {
  const Volume input = randomVolume({8, 8, 8, 1}, ElementType::f32, 1);
  const FilterWorkload dense({denseFilter({3, 3, 3}, {1, 1, 1})}, Boundary::nearest, 0, input.spec(), ElementType::f32);
  const FilterWorkload large({separableFilter({67, 67, 67}, {33, 33, 33})}, Boundary::nearest, 0, input.spec(),
                             ElementType::f32);
  CHECK_THROWS_WITH(runOnCpu(widest(), "separable", dense, input), Catch::Matchers::ContainsSubstring("separable"));
  CHECK_THROWS_WITH(runOnCpu(widest(), "dense", large, input), Catch::Matchers::ContainsSubstring("300763 taps"));
  CHECK(compared(large, input, runOnCpu(widest(), "auto", large, input)).failure.empty());
}

TEST_CASE("what a run will take is predicted before anything is prepared, as its report does afterward") {
  const Volume input = randomVolume({40, 30, 20, 1}, ElementType::u8, 4);
  const std::vector<Operator> operators{{"dense", denseFilter({5, 5, 3}, {2, 2, 1})},
                                        {"separable", separableFilter({9, 9, 9}, {4, 4, 4})}};
  for (const ElementType output : {ElementType::f32, ElementType::u8}) {
    const FilterWorkload workload(operators, Boundary::nearest, 0, input.spec(), output);
    for (const Engine* engine : cpuMachine().engines.available())
      for (const std::string variant : {"", "dense", "separable"}) {
        INFO(engine->info().id << " " << variant);
        const double predicted = cpuMachine().variants.predict(*engine, workload, variant, {});
        CHECK(predicted > 0);
        CHECK(predicted == runOnCpu(engine->info().id, variant, workload, input, 0).report.predictedSeconds);
      }
    CHECK(cpuMachine().variants.predict(cpuMachine().engines.preferred(), workload, "bisection", {}) == 0);
  }
}

TEST_CASE("reports say what ran and what was counted") {
  const Volume input = randomVolume({32, 32, 32, 1}, ElementType::f32, 1);
  const FilterWorkload workload({separableFilter({7, 7, 7}, {3, 3, 3})}, Boundary::nearest, 0, input.spec(),
                                ElementType::f32);
  const PlanRun run = runOnCpu(widest(), "auto", workload, input, 2);
  CHECK(run.report.variant == "separable");
  CHECK_FALSE(run.report.why.empty());
  CHECK(run.report.operations == workload.work().operations);
  CHECK(run.report.bytes == workload.work().bytes);
  CHECK(run.report.phases.kernel > 0);
  const PlanRun forced = runOnCpu(widest(), "dense", workload, input, 2);
  CHECK(forced.report.operations == 2.0 * 343 * 32768);
}

TEST_CASE("tiles of large filters stay within the promised memory") {
  const Volume input = randomVolume({300, 200, 3, 1}, ElementType::f64, 1);
  const FilterWorkload workload(
      {separableFilter({1025, 1025, 1025}, {512, 512, 512}), denseFilter({65, 65, 65}, {32, 32, 32})},
      Boundary::nearest, 0, input.spec(), ElementType::f64);
  for (const int threads : {1, 2, 0}) {
    PrepareOptions options;
    options.threads = threads;
    const auto plan = cpuMachine().variants.prepare(cpuMachine().engines.at(widest()), workload, "auto", options, {});
    CHECK(plan->scratchBytes() <= (48 << 20));
  }
}

TEST_CASE("ceilings are measured and dated") {
  const Ceilings ceilings = cpuMachine().engines.preferred().measureCeilings(1, {});
  CHECK(ceilings.gflopsF32 > 0);
  CHECK(ceilings.gflopsF64 > 0);
  CHECK(ceilings.gbs > 0);
  CHECK(ceilings.gflopsLoaded > 0);
  CHECK(ceilings.gopsInteger > 0);
  CHECK(ceilings.gbsCache > 0);
  CHECK(ceilings.gbsLocal == 0);
  CHECK(ceilings.threads == 1);
  CHECK(ceilings.date.size() == 20);
  std::stop_source source;
  source.request_stop();
  CHECK_THROWS_AS(cpuMachine().engines.preferred().measureCeilings(1, {source.get_token(), {}}), Canceled);
}
