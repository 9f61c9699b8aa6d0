// The list of engines: what is there, and why the rest is not.

#include "gpu/cuda/cuda_absent.h"
#include "tests/gpu/gpu_support.h"

namespace sscope::test {

TEST_CASE("there is an OpenCL row and a CUDA row, each with what it is or why it is absent", "[engines]") {
  const auto& infos = GpuBench::instance().engines().infos();
  REQUIRE(infos.size() >= 2);
  CHECK(infos.front().id == "opencl:0");
  CHECK(infos.front().kind == EngineKind::OpenCl);
  CHECK(infos.back().id == "cuda:0");
  CHECK(infos.back().kind == EngineKind::Cuda);
  CHECK_FALSE(infos.back().available());
  CHECK(infos.back().absentReason == whyNoCuda());
  CHECK_THROWS_WITH(GpuBench::instance().engines().at("cuda:0"), Catch::Contains(infos.back().absentReason));
  if (!infos.front().available()) {
    CHECK(infos.front().absentReason.find("OpenCL") != std::string::npos);
    SSCOPE_SKIP("there is no OpenCL device");
  }
  CHECK_FALSE(infos.front().name.empty());
  CHECK_FALSE(infos.front().driver.empty());
  CHECK(infos.front().memoryBytes > 0);
  CHECK(infos.front().largestAllocation > 0);
}

TEST_CASE("the variants are listed with the default first", "[engines]") {
  const auto rows = GpuBench::instance().variants().rows("filter", EngineKind::OpenCl);
  std::vector<std::string> names;
  for (const Variant* row : rows) {
    names.push_back(row->name);
    CHECK_FALSE(row->explanation.empty());
    CHECK_FALSE(row->source.empty());
  }
  CHECK(names == std::vector<std::string>{"auto", "separable", "dense", "dense-baked"});
}

TEST_CASE("a device without doubles says what it cannot do", "[engines]") {
  EngineInfo info;
  info.fp64 = false;
  const Filter filter = denseFilter({3, 3, 3}, {1, 1, 1});
  const FilterWorkload narrow({filter}, Boundary::nearest, 0, {ElementType::f32, {4, 4, 4, 1}}, ElementType::f32);
  const FilterWorkload wide({filter}, Boundary::nearest, 0, {ElementType::i32, {4, 4, 4, 1}}, ElementType::f32);
  const Variant& row = GpuBench::instance().variants().at("filter", EngineKind::OpenCl, "dense");
  CHECK(row.unsupported(info, narrow).empty());
  CHECK(row.unsupported(info, wide).find("double precision") != std::string::npos);
  const Variant& separable = GpuBench::instance().variants().at("filter", EngineKind::OpenCl, "separable");
  CHECK(separable.unsupported(info, narrow).find("not a product") != std::string::npos);
}

TEST_CASE("ceilings of a device are measured and can be canceled", "[engines]") {
  Engine* engine = GpuBench::instance().device();
  if (engine == nullptr) SSCOPE_SKIP("there is no OpenCL device");
  const Ceilings ceilings = engine->measureCeilings(0, {});
  CHECK(ceilings.gflopsF32 > 0.1);
  CHECK(ceilings.gbs > 0.1);
  CHECK((ceilings.gflopsF64 > 0.05 || !engine->info().fp64));
  CHECK(ceilings.date.size() == 20);
  std::stop_source source;
  source.request_stop();
  Control stopped;
  stopped.stop = source.get_token();
  CHECK_THROWS_AS(engine->measureCeilings(0, stopped), Canceled);
}

}  // namespace sscope::test
