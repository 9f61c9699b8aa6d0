// The kernels are single source: everything a plan would compile on a CUDA device compiles under NVRTC, which needs no
// device. A stand-in for a device hands the sources over and does nothing else.

#include <dlfcn.h>

#include <atomic>

#include "gpu/device_engine.h"
#include "gpu/filter/filter_plan.h"
#include "tests/gpu/gpu_support.h"

namespace sscope::test {

namespace {

// The few functions of nvrtc.h that are needed, opened at run time.
class Nvrtc {
 public:
  Nvrtc() {
    const std::vector<std::string> names{"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"};
    for (const std::string& name : names)
      if (library_ == nullptr) library_ = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  [[nodiscard]] bool found() const { return library_ != nullptr; }

  // Throws with the log; returns the PTX.
  [[nodiscard]] std::string compile(const std::string& name, const std::string& source,
                                    const char* architecture) const {
    void* program = nullptr;
    call<int(void**, const char*, const char*, int, const char* const*, const char* const*)>("nvrtcCreateProgram")(
        &program, source.c_str(), (name + ".cu").c_str(), 0, nullptr, nullptr);
    const char* options[] = {architecture, "--std=c++17"};
    const int result = call<int(void*, int, const char* const*)>("nvrtcCompileProgram")(program, 2, options);
    const std::string log = text(program, "nvrtcGetProgramLogSize", "nvrtcGetProgramLog");
    const std::string ptx = result == 0 ? text(program, "nvrtcGetPTXSize", "nvrtcGetPTX") : "";
    call<int(void**)>("nvrtcDestroyProgram")(&program);
    if (result != 0 || log.find("warning") != std::string::npos)
      throw Error(ErrorKind::Device, name + " for " + architecture + ": " + log);
    return ptx;
  }

 private:
  template <class F>
  [[nodiscard]] F* call(const char* name) const {
    void* symbol = ::dlsym(library_, name);
    if (symbol == nullptr) throw Error(ErrorKind::Device, std::string("NVRTC has no ") + name);
    return reinterpret_cast<F*>(symbol);
  }
  [[nodiscard]] std::string text(void* program, const char* sizeName, const char* name) const {
    std::size_t size = 0;
    call<int(void*, std::size_t*)>(sizeName)(program, &size);
    std::string result(size, '\0');
    call<int(void*, char*)>(name)(program, result.data());
    return result;
  }
  void* library_ = nullptr;
};

struct NoBuffer : DeviceBuffer {
  explicit NoBuffer(std::int64_t n) : size(n) {}
  [[nodiscard]] std::int64_t bytes() const override { return size; }
  std::int64_t size;
};
struct NoEvent : DeviceEvent {
  bool done() override { return true; }
  double seconds() override { return 0; }
};
struct NoKernel : DeviceKernel {};
struct NoProgram : DeviceProgram {
  std::unique_ptr<DeviceKernel> kernel(const std::string&) override { return std::make_unique<NoKernel>(); }
  std::vector<std::byte> binary() override { return {}; }
};

class CompilingDevice : public Device {
 public:
  CompilingDevice(const Nvrtc& nvrtc, std::atomic<int>& compiled) : nvrtc_(nvrtc), compiled_(compiled) {
    properties_.name = "NVRTC";
    properties_.language = KernelLanguage::CudaCpp;
    properties_.memoryBytes = properties_.largestAllocation = std::int64_t{1} << 34;
    properties_.constantBytes = 65536;
    properties_.largestGroup = 1024;
  }
  [[nodiscard]] const DeviceProperties& properties() const override { return properties_; }
  std::unique_ptr<DeviceBuffer> allocate(std::int64_t bytes) override { return std::make_unique<NoBuffer>(bytes); }
  std::unique_ptr<DeviceProgram> compile(const std::string& name, const std::string& source) override {
    for (const char* architecture : {"--gpu-architecture=sm_80", "--gpu-architecture=sm_90"})
      if (nvrtc_.compile(name, source, architecture).find(".entry " + name) == std::string::npos)
        throw Error(ErrorKind::Device, name + " has no entry of that name");
    ++compiled_;
    return std::make_unique<NoProgram>();
  }
  std::unique_ptr<DeviceProgram> load(std::span<const std::byte>) override { return nullptr; }
  std::unique_ptr<DeviceEvent> write(const DeviceBuffer&, std::int64_t, std::span<const std::byte>) override {
    return std::make_unique<NoEvent>();
  }
  std::unique_ptr<DeviceEvent> read(const DeviceBuffer&, std::int64_t, std::span<std::byte>) override {
    return std::make_unique<NoEvent>();
  }
  std::unique_ptr<DeviceEvent> launch(DeviceKernel&, const LaunchShape&, std::span<const KernelArgument>) override {
    return std::make_unique<NoEvent>();
  }

 private:
  const Nvrtc& nvrtc_;
  std::atomic<int>& compiled_;
  DeviceProperties properties_;
};

}  // namespace

TEST_CASE("every kernel compiles under NVRTC for sm_80 and sm_90 with every element type", "[nvrtc]") {
  const Nvrtc nvrtc;
  if (!nvrtc.found()) SSCOPE_SKIP("libnvrtc.so not found");
  std::atomic<int> compiled{0};
  DeviceEngine engine("cuda:0", EngineKind::Cuda, std::make_unique<CompilingDevice>(nvrtc, compiled));
  const Filter lines = separableFilter({{3, 5, 3}, {3, 0, 0}, {0, 3, 0}});
  const Filter dense = denseFilter({3, 4, 2}, {1, 1, 1});
  for (const ElementType type : kElementTypes) {
    const ArraySpec input{type, {32, 16, 8, 2}};
    const FilterWorkload reads({lines, dense}, Boundary::constant, 1, input, ElementType::f32);
    const FilterWorkload writes({lines, dense}, Boundary::constant, 1, {ElementType::f32, {32, 16, 8, 2}}, type);
    for (const FilterWorkload& workload : {reads, writes}) {
      (void)makeFilterPlan(engine, workload, FilterVariant::Auto, {}, {});
      (void)makeFilterPlan(engine, workload, FilterVariant::Dense, {}, {});
      (void)makeFilterPlan(engine, workload, FilterVariant::DenseBaked, {}, {});
    }
  }
  (void)engine.measureCeilings(0, {});
  CHECK(compiled > 50);
}

}  // namespace sscope::test
