// What a plan promises beside the right numbers: tiles, regions, kept inputs, cancel, memory, counts.

#include <chrono>
#include <cstring>
#include <limits>
#include <thread>

#include "core/base/stopwatch.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/catch.h"

namespace sscope::test {

TEST_CASE("a bank of dense and separable filters runs in one plan and says how", "[bank]") {
  SSCOPE_EACH_DEVICE(engine);
  const Volume input = randomVolume({20, 14, 10, 1}, ElementType::f32, 5);
  const FilterWorkload workload({faintFilter({3, 3, 3}, {1, 1, 1}), separableFilter({{9, 9, 9}})}, Boundary::reflect, 0,
                                input.spec(), ElementType::f32);
  const PlanRun run = runOn(*engine, workload, input, "");
  requireRight(workload, input, run);
  // Cards filter along all axes at once.
  CHECK(run.report.variant == (engine->info().isProcessor ? "dense+separable" : "dense+fused"));
  CHECK(run.report.why.find("fewer estimated operations per voxel") != std::string::npos);
  CHECK(run.report.engine == engine->info().id);
  CHECK(run.report.operations == workload.work().operations);
}

TEST_CASE("an input with an identity is uploaded once", "[identity]") {
  SSCOPE_EACH_DEVICE(engine);
  const Volume first = randomVolume({16, 16, 16, 1}, ElementType::f32, 1);
  const Volume second = randomVolume({16, 16, 16, 1}, ElementType::f32, 2);
  const FilterWorkload workload({separableFilter({{3, 3, 3}})}, Boundary::nearest, 0, first.spec(), ElementType::f32);
  const Box slice{{0, 0, 4}, {16, 16, 5}};
  const PlanRun a = runOn(*engine, *workload.restrictedTo(slice), first, "auto", {}, 77);
  CHECK(a.report.phases.upload > 0);
  const PlanRun b = runOn(*engine, workload, first, "auto", {}, 77);
  CHECK(b.report.phases.upload == 0);
  requireRight(workload, first, b);
  const PlanRun c = runOn(*engine, workload, second, "auto", {}, 78);
  CHECK(c.report.phases.upload > 0);
  requireRight(workload, second, c);
  const PlanRun d = runOn(*engine, workload, first, "auto", {}, 0);  // no identity: read anew
  CHECK(d.report.phases.upload > 0);
  requireRight(workload, first, d);
  requireRight(workload, second, runOn(*engine, workload, second, "auto", {}, 78));
}

TEST_CASE("the compile phase is told once", "[phases]") {
  SSCOPE_EACH_DEVICE(engine);
  const Volume input = randomVolume({16, 16, 4, 1}, ElementType::f32, 1);
  const FilterWorkload workload({faintFilter({2, 3, 2}, {0, 0, 0})}, Boundary::nearest, 0, input.spec(),
                                ElementType::f32);
  const auto plan = GpuBench::instance().variants().prepare(*engine, workload, "dense", {}, {});
  CHECK(runOnce(*plan, workload, input).report.phases.compile > 0);
  const RunReport again = runOnce(*plan, workload, input).report;
  CHECK(again.phases.compile == 0);
  CHECK(again.phases.kernel > 0);
  CHECK(again.phases.total > 0);
}

TEST_CASE("strided views are read and written in place", "[views]") {
  SSCOPE_EACH_DEVICE(engine);
  const Volume dense = randomVolume({7, 6, 5, 2}, ElementType::f32, 9);
  // Planar storage of the same values: components outermost.
  std::vector<float> planar(static_cast<std::size_t>(dense.shape().elements()));
  const ConstArrayView strided{
      ElementType::f32, reinterpret_cast<const std::byte*>(planar.data()), {7, 6, 5, 2}, {1, 7, 42, 210}};
  for (std::int64_t z = 0; z < 5; ++z)
    for (std::int64_t y = 0; y < 6; ++y)
      for (std::int64_t x = 0; x < 7; ++x)
        for (int c = 0; c < 2; ++c)
          planar[static_cast<std::size_t>(strided.offset(x, y, z, c))] = static_cast<float>(dense.value(x, y, z, c));
  const FilterWorkload workload({separableFilter({{3, 3, 3}})}, Boundary::wrap, 0, dense.spec(), ElementType::f32);
  const PlanRun expected = runOn(*engine, workload, dense, "auto");
  std::vector<float> result(planar.size());
  const ArrayView out{ElementType::f32, reinterpret_cast<std::byte*>(result.data()), {7, 6, 5, 2}, {1, 7, 42, 210}};
  const auto plan = GpuBench::instance().variants().prepare(*engine, workload, "auto", {}, {});
  (void)plan->run({{&strided, 1}, 0}, {&out, 1}, {});
  for (std::int64_t z = 0; z < 5; ++z)
    for (std::int64_t y = 0; y < 6; ++y)
      for (std::int64_t x = 0; x < 7; ++x)
        for (int c = 0; c < 2; ++c)
          REQUIRE(static_cast<double>(result[static_cast<std::size_t>(out.offset(x, y, z, c))]) ==
                  expected.outputs[0].value(x, y, z, c));
}

TEST_CASE("too little device memory for one slice is told before anything runs", "[memory]") {
  SSCOPE_EACH_DEVICE(engine);
  const Volume input = randomVolume({200, 200, 2, 1}, ElementType::f32, 1);
  const FilterWorkload workload({separableFilter({{3, 3, 3}})}, Boundary::nearest, 0, input.spec(), ElementType::f32);
  try {
    (void)runOn(*engine, workload, input, "auto", {0, 100000});
    FAIL("it ran");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::Memory);
    INFO(error.what());
    CHECK(std::string(error.what()).find("single slice") != std::string::npos);
  }
}

TEST_CASE("arrays that do not match the plan are refused", "[errors]") {
  SSCOPE_EACH_DEVICE(engine);
  const Volume input = randomVolume({8, 8, 2, 1}, ElementType::f32, 1);
  Volume output({8, 8, 1, 1}, ElementType::f32);
  const FilterWorkload workload({separableFilter({{3, 3, 3}})}, Boundary::nearest, 0, input.spec(), ElementType::f32);
  const auto plan = GpuBench::instance().variants().prepare(*engine, workload, "auto", {}, {});
  const ConstArrayView in = input.view();
  const ArrayView out = output.view();
  CHECK_THROWS_AS(plan->run({{&in, 1}, 0}, {&out, 1}, {}), Error);
  CHECK_THROWS_AS(
      runOn(*engine,
            FilterWorkload({faintFilter({3, 3, 3}, {1, 1, 1})}, Boundary::nearest, 0, input.spec(), ElementType::f32),
            input, "separable"),
      Error);
}

TEST_CASE("a stop request ends a long run, and the engine works on", "[cancel]") {
  SSCOPE_EACH_DEVICE(engine);
  const Volume input = randomVolume({96, 96, 96, 1}, ElementType::f32, 1);
  const FilterWorkload workload({faintFilter({9, 9, 9}, {4, 4, 4})}, Boundary::nearest, 0, input.spec(),
                                ElementType::f32);
  std::stop_source source;
  Control control;
  control.stop = source.get_token();
  double furthest = 0;
  control.progress = [&](double fraction, std::string_view) {
    furthest = std::max(furthest, fraction);
    source.request_stop();  // as soon as the first launch is done
  };
  CHECK_THROWS_AS(runOn(*engine, workload, input, "dense", {}, 0, control), Canceled);
  CHECK(furthest < 1);
  const Volume small = randomVolume({9, 9, 9, 1}, ElementType::f32, 1);
  const FilterWorkload next({faintFilter({3, 3, 3}, {1, 1, 1})}, Boundary::nearest, 0, small.spec(), ElementType::f32);
  requireRight(next, small, runOn(*engine, next, small, "dense"));
}

TEST_CASE("two threads may share an engine", "[threads]") {
  SSCOPE_EACH_DEVICE(engine);
  const Volume a = randomVolume({31, 17, 9, 1}, ElementType::f32, 1),
               b = randomVolume({8, 40, 12, 1}, ElementType::u8, 2);
  const FilterWorkload first({separableFilter({{3, 5, 3}})}, Boundary::mirror, 0, a.spec(), ElementType::f32);
  const FilterWorkload second({separableFilter({{5, 3, 4}})}, Boundary::wrap, 0, b.spec(), ElementType::f32);
  std::vector<PlanRun> runsA, runsB;
  {
    std::jthread one([&] {
      for (int i = 0; i < 8; ++i) runsA.push_back(runOn(*engine, first, a, "auto", {}, 1));
    });
    std::jthread two([&] {
      for (int i = 0; i < 8; ++i) runsB.push_back(runOn(*engine, second, b, "auto", {}, 2));
    });
  }
  for (const PlanRun& run : runsA) requireRight(first, a, run);
  for (const PlanRun& run : runsB) requireRight(second, b, run);
}

}  // namespace sscope::test
