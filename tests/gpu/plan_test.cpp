// What a plan promises beside the right numbers: tiles, regions, kept inputs, cancel, memory, counts.

#include <chrono>
#include <cstring>
#include <limits>
#include <thread>

#include "core/base/stopwatch.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/catch.h"

namespace sscope::test {

TEST_CASE("a tiled run gives the same bits as an untiled one", "[tiling]") {
  Engine* engine = eachDevice();
  if (engine == nullptr) SSCOPE_SKIP("there is no device");
  const Volume input = randomVolume({30, 20, 41, 1}, ElementType::i16, 11);
  const std::vector<Operator> bank{separableFilter({{5, 3, 7}, {3, 0, 9}}), denseFilter({3, 3, 5}, {1, 1, 4})};
  for (const Boundary boundary : kBoundaries)
    for (const ElementType output : {ElementType::f32, ElementType::i16}) {
      const FilterWorkload workload(bank, boundary, 12.5, input.spec(), output);
      const GpuRun whole = runOn(*engine, workload, input, "auto");
      CHECK(whole.report.tiles == 1);
      requireRight(workload, input, whole);
      const GpuRun tiled = runOn(*engine, workload, input, "auto", {0, 150000});
      INFO(toString(boundary) << " " << tiled.report.tiles << " tiles");
      CHECK(tiled.report.tiles > 2);
      for (std::size_t i = 0; i < bank.size(); ++i) CHECK(sameBytes(whole.outputs[i], tiled.outputs[i]));
      CHECK(whole.report.saturated == tiled.report.saturated);
    }
}

TEST_CASE("a region gives the same bits as the whole", "[region]") {
  Engine* engine = eachDevice();
  if (engine == nullptr) SSCOPE_SKIP("there is no device");
  const Volume input = randomVolume({23, 19, 17, 2}, ElementType::f32, 12);
  const std::vector<Operator> bank{separableFilter({{5, 3, 7}, {3, 0, 9}}), denseFilter({3, 4, 5}, {2, 1, 0})};
  const std::vector<Box> regions{
      {{0, 0, 8}, {23, 19, 9}}, {{0, 18, 0}, {23, 19, 17}}, {{0, 0, 0}, {1, 19, 17}}, {{3, 4, 5}, {20, 6, 16}}};
  for (const Boundary boundary : kBoundaries) {
    const FilterWorkload workload(bank, boundary, 2, input.spec(), ElementType::f32);
    const GpuRun whole = runOn(*engine, workload, input, "auto");
    for (const Box& box : regions) {
      const auto part = workload.restrictedTo(box);
      const GpuRun run = runOn(*engine, *part, input, "auto");
      for (std::size_t i = 0; i < bank.size(); ++i) {
        std::int64_t different = 0;
        for (std::int64_t z = 0; z < box.size(2); ++z)
          for (std::int64_t y = 0; y < box.size(1); ++y)
            for (std::int64_t x = 0; x < box.size(0); ++x)
              for (int c = 0; c < 2; ++c)
                if (run.outputs[i].value(x, y, z, c) !=
                    whole.outputs[i].value(x + box.begin[0], y + box.begin[1], z + box.begin[2], c))
                  ++different;
        INFO(toString(boundary) << " filter " << i);
        CHECK(different == 0);
      }
    }
  }
}

TEST_CASE("an input with an identity is uploaded once", "[identity]") {
  Engine* engine = eachDevice();
  if (engine == nullptr) SSCOPE_SKIP("there is no device");
  const Volume first = randomVolume({16, 16, 16, 1}, ElementType::f32, 1);
  const Volume second = randomVolume({16, 16, 16, 1}, ElementType::f32, 2);
  const FilterWorkload workload({separableFilter({{3, 3, 3}})}, Boundary::nearest, 0, first.spec(), ElementType::f32);
  const Box slice{{0, 0, 4}, {16, 16, 5}};
  const GpuRun a = runOn(*engine, *workload.restrictedTo(slice), first, "auto", {}, 77);
  CHECK(a.report.phases.upload > 0);
  const GpuRun b = runOn(*engine, workload, first, "auto", {}, 77);
  CHECK(b.report.phases.upload == 0);
  requireRight(workload, first, b);
  const GpuRun c = runOn(*engine, workload, second, "auto", {}, 78);
  CHECK(c.report.phases.upload > 0);
  requireRight(workload, second, c);
  const GpuRun d = runOn(*engine, workload, first, "auto", {}, 0);  // no identity: read anew
  CHECK(d.report.phases.upload > 0);
  requireRight(workload, first, d);
  requireRight(workload, second, runOn(*engine, workload, second, "auto", {}, 78));
}

TEST_CASE("the compile phase is told once", "[phases]") {
  Engine* engine = eachDevice();
  if (engine == nullptr) SSCOPE_SKIP("there is no device");
  const Volume input = randomVolume({16, 16, 4, 1}, ElementType::f32, 1);
  Volume output({16, 16, 4, 1}, ElementType::f32);
  const FilterWorkload workload({denseFilter({2, 3, 2}, {0, 0, 0})}, Boundary::nearest, 0, input.spec(),
                                ElementType::f32);
  const auto plan = GpuBench::instance().variants().prepare(*engine, workload, "dense", {}, {});
  const ConstArrayView in = input.view();
  const ArrayView out = output.view();
  CHECK(plan->run({{&in, 1}, 0}, {&out, 1}, {}).phases.compile > 0);
  const RunReport again = plan->run({{&in, 1}, 0}, {&out, 1}, {});
  CHECK(again.phases.compile == 0);
  CHECK(again.phases.kernel > 0);
  CHECK(again.phases.total > 0);
}

TEST_CASE("strided views are read and written in place", "[views]") {
  Engine* engine = eachDevice();
  if (engine == nullptr) SSCOPE_SKIP("there is no device");
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
  const GpuRun expected = runOn(*engine, workload, dense, "auto");
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

TEST_CASE("saturated elements are counted for each output", "[saturation]") {
  Engine* engine = eachDevice();
  if (engine == nullptr) SSCOPE_SKIP("there is no device");
  Volume input({10, 4, 3, 1}, ElementType::f32);
  auto values = input.elements<float>();
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  values[3] = std::numeric_limits<float>::quiet_NaN();
  const auto scaledBy = [](double factor) {
    Stencil filter;
    filter.terms = {SeparableTerm{}};
    filter.terms[0].axis[0].weights = {factor};
    return filter;
  };
  for (const char* name : {"separable", "dense"}) {
    const FilterWorkload workload({scaledBy(1), scaledBy(4), scaledBy(-1)}, Boundary::nearest, 0, input.spec(),
                                  ElementType::u8);
    const GpuRun run = runOn(*engine, workload, input, name);
    // 0..119 fit; times four those from 64 on do not; negative ones fit only at 0. NaN always counts and gives 0.
    CHECK(run.report.saturated == std::vector<std::int64_t>{1, 56 + 1, 119});
    CHECK(run.outputs[0].value(3, 0, 0) == 0);
    CHECK(run.outputs[1].value(9, 3, 2) == 255);
    CHECK(run.outputs[2].value(9, 3, 2) == 0);
  }
}

TEST_CASE("too little device memory for one slice is told before anything runs", "[memory]") {
  Engine* engine = eachDevice();
  if (engine == nullptr) SSCOPE_SKIP("there is no device");
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
  Engine* engine = eachDevice();
  if (engine == nullptr) SSCOPE_SKIP("there is no device");
  const Volume input = randomVolume({8, 8, 2, 1}, ElementType::f32, 1);
  Volume output({8, 8, 1, 1}, ElementType::f32);
  const FilterWorkload workload({separableFilter({{3, 3, 3}})}, Boundary::nearest, 0, input.spec(), ElementType::f32);
  const auto plan = GpuBench::instance().variants().prepare(*engine, workload, "auto", {}, {});
  const ConstArrayView in = input.view();
  const ArrayView out = output.view();
  CHECK_THROWS_AS(plan->run({{&in, 1}, 0}, {&out, 1}, {}), Error);
  CHECK_THROWS_AS(
      runOn(*engine,
            FilterWorkload({denseFilter({3, 3, 3}, {1, 1, 1})}, Boundary::nearest, 0, input.spec(), ElementType::f32),
            input, "separable"),
      Error);
}

TEST_CASE("a stop request ends a long run, and the engine works on", "[cancel]") {
  Engine* engine = eachDevice();
  if (engine == nullptr) SSCOPE_SKIP("there is no device");
  const Volume input = randomVolume({96, 96, 96, 1}, ElementType::f32, 1);
  const FilterWorkload workload({denseFilter({9, 9, 9}, {4, 4, 4})}, Boundary::nearest, 0, input.spec(),
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
  const FilterWorkload next({denseFilter({3, 3, 3}, {1, 1, 1})}, Boundary::nearest, 0, small.spec(), ElementType::f32);
  requireRight(next, small, runOn(*engine, next, small, "dense"));
}

TEST_CASE("two threads may share an engine", "[threads]") {
  Engine* engine = eachDevice();
  if (engine == nullptr) SSCOPE_SKIP("there is no device");
  const Volume a = randomVolume({31, 17, 9, 1}, ElementType::f32, 1),
               b = randomVolume({8, 40, 12, 1}, ElementType::u8, 2);
  const FilterWorkload first({separableFilter({{3, 5, 3}})}, Boundary::mirror, 0, a.spec(), ElementType::f32);
  const FilterWorkload second({separableFilter({{5, 3, 4}})}, Boundary::wrap, 0, b.spec(), ElementType::f32);
  std::vector<GpuRun> runsA, runsB;
  {
    std::jthread one([&] {
      for (int i = 0; i < 8; ++i) runsA.push_back(runOn(*engine, first, a, "auto", {}, 1));
    });
    std::jthread two([&] {
      for (int i = 0; i < 8; ++i) runsB.push_back(runOn(*engine, second, b, "auto", {}, 2));
    });
  }
  for (const GpuRun& run : runsA) requireRight(first, a, run);
  for (const GpuRun& run : runsB) requireRight(second, b, run);
}

}  // namespace sscope::test
