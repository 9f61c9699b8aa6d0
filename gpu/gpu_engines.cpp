#include "gpu/gpu_engines.h"

#include "gpu/cuda/cuda_device.h"
#include "gpu/opencl/opencl_device.h"
#include "gpu/run/device_engine.h"

namespace sscope {

namespace {

// One engine per device; without devices, one absent row with the reason.
void add(EngineSet& engines, EngineKind kind, const char* name, std::vector<std::unique_ptr<Device>>& devices,
         const std::string& absentReason, const DeviceWrapper& between) {
  const auto idOf = [&](std::size_t number) { return std::string(toString(kind)) + ":" + std::to_string(number); };
  for (std::size_t i = 0; i < devices.size(); ++i)
    engines.add(std::make_unique<DeviceEngine>(idOf(i), kind,
                                               between ? between(std::move(devices[i])) : std::move(devices[i])));
  if (!devices.empty()) return;
  EngineInfo info;
  info.id = idOf(0);
  info.kind = kind;
  info.name = name;
  info.absentReason = absentReason;
  engines.addAbsent(std::move(info));
}

}  // namespace

void addGpuEngines(EngineSet& engines, const DeviceWrapper& between) {
  OpenClDevices openCl = findOpenClDevices();
  add(engines, EngineKind::OpenCl, "OpenCL", openCl.devices, openCl.absentReason, between);
  CudaDevices cuda = findCudaDevices();
  add(engines, EngineKind::Cuda, "CUDA", cuda.devices, cuda.absentReason, between);
}

}  // namespace sscope
