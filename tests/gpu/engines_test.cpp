// The list of engines: what is there, and why the rest is not.

#include <algorithm>
#include <array>

#include "gpu/cuda/cuda_device.h"
#include "gpu/opencl/opencl_device.h"
#include "gpu/opencl/opencl_properties.h"
#include "gpu/run/device_engine.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/forwarding_device.h"
#include "tests/support/sampling.h"
#include "tests/support/watched_device.h"

namespace sscope::test {

namespace {

// Says how much its cache holds, and has little memory, so that copies of a share of it are short.
class CachedDevice final : public ForwardingDevice {
 public:
  CachedDevice(std::unique_ptr<Device> device, std::int64_t bytes)
      : ForwardingDevice(std::move(device)), properties_(this->device().properties()) {
    properties_.lastCacheBytes = bytes;
    properties_.memoryBytes = 64 << 20;
  }
  [[nodiscard]] const DeviceProperties& properties() const override { return properties_; }

 private:
  DeviceProperties properties_;
};

}  // namespace

TEST_CASE("there is an OpenCL row and a CUDA row, each with what it is or why it is absent", "[engines]") {
  const auto& infos = GpuBench::instance().engines().infos();
  REQUIRE(infos.size() >= 2);
  CHECK(infos.front().id == "opencl:0");
  CHECK(infos.front().kind == EngineKind::OpenCl);
  const auto cuda =
      std::find_if(infos.begin(), infos.end(), [](const EngineInfo& info) { return info.id == "cuda:0"; });
  REQUIRE(cuda != infos.end());
  CHECK(cuda->kind == EngineKind::Cuda);
  for (const EngineInfo& info : infos) {
    INFO(info.id);
    if (info.available()) {
      CHECK_FALSE(info.name.empty());
      CHECK_FALSE(info.driver.empty());
      CHECK(info.memoryBytes > 0);
      CHECK(info.largestAllocation > 0);
    } else {
      CHECK_THROWS_WITH(GpuBench::instance().engines().at(info.id),
                        Catch::Matchers::ContainsSubstring(info.absentReason));
    }
  }
}

TEST_CASE("there is no search where the compiler of the device can end the program", "[engines]") {
  CHECK(searchRefusal("OpenCL 3.0 PoCL 6.0+debian  Linux, None+Asserts, LLVM 18.1.8").find("PoCL 6.0") !=
        std::string::npos);
  CHECK(searchRefusal("OpenCL 3.0 PoCL 3.1+debian  Linux, None+Asserts, LLVM 15.0.6").empty());
  CHECK(searchRefusal("OpenCL 3.0 PoCL 7.0  Linux").empty());
  CHECK(searchRefusal("OpenCL 3.0 CUDA 12.8.51").empty());
}

// Which of the reasons depends on the machine; that it names what is missing does not.
TEST_CASE("without CUDA it is told what is missing and what to do", "[engines]") {
  const CudaDevices found = findCudaDevices();
  if (!found.devices.empty()) SSCOPE_SKIP("there is a CUDA device");
  INFO(found.absentReason);
  const auto tells = [&](const char* text) { return found.absentReason.find(text) != std::string::npos; };
  CHECK((tells("libcuda.so.1 not found: libcuda.so.1: ") || tells("libnvrtc not found: ") || tells("no CUDA device") ||
         tells("CUDA_ERROR_") || tells("compute capability")));
  if (tells("libcuda.so.1 not found")) CHECK(tells("install NVIDIA's driver"));
}

TEST_CASE("the variants are listed with the default first", "[engines]") {
  for (const EngineKind kind : {EngineKind::OpenCl, EngineKind::Cuda}) {
    std::vector<std::string> names;
    for (const Variant* row : GpuBench::instance().variants().rows("filter", kind)) {
      names.push_back(row->name);
      CHECK_FALSE(row->explanation.empty());
      CHECK_FALSE(row->source.empty());
    }
    CHECK(names == std::vector<std::string>{"auto", "separable", "fused", "fused-bank", "dense", "dense-baked",
                                            "low-rank", "fft", "weighted", "counting", "merging", "selection",
                                            "bisection", "lines"});
  }
}

TEST_CASE("a device without doubles says what it cannot do", "[engines]") {
  EngineInfo info;
  info.fp64 = false;
  const Stencil filter = faintFilter({3, 3, 3}, {1, 1, 1});
  const FilterWorkload narrow({filter}, Boundary::nearest, 0, {ElementType::f32, {4, 4, 4, 1}}, ElementType::f32);
  const FilterWorkload wide({filter}, Boundary::nearest, 0, {ElementType::i32, {4, 4, 4, 1}}, ElementType::f32);
  const Variant& row = GpuBench::instance().variants().at("filter", EngineKind::OpenCl, "dense");
  CHECK(row.unsupported(info, narrow).empty());
  CHECK(row.unsupported(info, wide).find("double precision") != std::string::npos);
  const Variant& separable = GpuBench::instance().variants().at("filter", EngineKind::OpenCl, "separable");
  CHECK(separable.unsupported(info, narrow).find("not a product") != std::string::npos);
}

TEST_CASE("the cache of a device is read where its size is known", "[engines]") {
  if (findOpenClDevices().devices.empty()) SSCOPE_SKIP("there is no OpenCL device");
  INFO(Sampling::howToRepeat());
  for (const std::int64_t bytes : sampled(std::array{std::int64_t{4} << 20, std::int64_t{0}}, 0)) {
    auto device = std::make_unique<CachedDevice>(std::move(findOpenClDevices().devices.front()), bytes);
    DeviceEngine engine("opencl:0", EngineKind::OpenCl, watched(std::move(device)));
    CHECK((engine.measureCeilings(0, {}).gbsCache > 0.1) == (bytes > 0));
  }
}

TEST_CASE("ceilings of a device are measured and can be canceled", "[engines]") {
  SSCOPE_EACH_DEVICE(engine);
  const Ceilings ceilings = engine->measureCeilings(0, {});
  CHECK(ceilings.gflopsF32 > 0.1);
  CHECK(ceilings.gbs > 0.1);
  CHECK(ceilings.gflopsLoaded > 0.1);
  CHECK(ceilings.gopsInteger > 0.1);
  CHECK(ceilings.gbsLocal > 0.1);
  CHECK((ceilings.gflopsF64 > 0.05 || !engine->info().fp64));
  CHECK(ceilings.date.size() == 20);
  std::stop_source source;
  source.request_stop();
  Control stopped;
  stopped.stop = source.get_token();
  CHECK_THROWS_AS(engine->measureCeilings(0, stopped), Canceled);
}

}  // namespace sscope::test
