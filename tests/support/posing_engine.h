#pragma once
// An engine whose device, a processor or not, passes for a graphics processor: its plans choose the kernels for those.

#include <memory>

#include "gpu/cuda/cuda_device.h"
#include "gpu/gpu_engines.h"
#include "gpu/opencl/opencl_device.h"
#include "gpu/run/device_engine.h"
#include "tests/support/forwarding_device.h"

namespace sscope::test {

struct Counted {
  int compiled = 0, launched = 0;
};

class PosingDevice : public ForwardingDevice {
 public:
  PosingDevice(std::unique_ptr<Device> device, Counted& counted)
      : ForwardingDevice(std::move(device)), properties_(this->device().properties()), counted_(counted) {
    properties_.cpu = false;
    properties_.computeUnits = 1;  // so that small shapes are enough for the largest tiles
  }
  [[nodiscard]] const DeviceProperties& properties() const override { return properties_; }
  std::unique_ptr<DeviceProgram> compile(const std::string& name, const std::string& source) override {
    ++counted_.compiled;
    return ForwardingDevice::compile(name, source);
  }
  std::unique_ptr<DeviceEvent> launch(DeviceKernel& kernel, const LaunchShape& shape,
                                      std::span<const KernelArgument> arguments) override {
    ++counted_.launched;
    return ForwardingDevice::launch(kernel, shape, arguments);
  }

 private:
  DeviceProperties properties_;
  Counted& counted_;
};

// On the first CUDA device, or else OpenCL device; null where there is none. `counted` outlives it and is for one
// thread at a time: launches, and compiling while a plan is made. `between` wraps the device, as in addGpuEngines.
[[nodiscard]] inline std::unique_ptr<DeviceEngine> posingEngine(Counted& counted, const DeviceWrapper& between) {
  auto cuda = findCudaDevices().devices;
  auto others = findOpenClDevices().devices;
  const EngineKind kind = cuda.empty() ? EngineKind::OpenCl : EngineKind::Cuda;
  auto& devices = cuda.empty() ? others : cuda;
  if (devices.empty()) return nullptr;
  return std::make_unique<DeviceEngine>(kind == EngineKind::Cuda ? "cuda:0" : "opencl:0", kind,
                                        between(std::make_unique<PosingDevice>(std::move(devices.front()), counted)));
}

}  // namespace sscope::test
