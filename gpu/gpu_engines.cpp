#include "gpu/gpu_engines.h"

#include "gpu/cuda/cuda_absent.h"
#include "gpu/device_engine.h"
#include "gpu/filter/filter_variants.h"
#include "gpu/opencl/opencl_device.h"

namespace sscope {

namespace {

void addAbsent(EngineSet& engines, const char* id, EngineKind kind, const char* name, std::string reason) {
  EngineInfo info;
  info.id = id;
  info.kind = kind;
  info.name = name;
  info.absentReason = std::move(reason);
  engines.addAbsent(std::move(info));
}

}  // namespace

void addGpuEngines(EngineSet& engines) {
  OpenClDevices found = findOpenClDevices();
  if (found.devices.empty()) addAbsent(engines, "opencl:0", EngineKind::OpenCl, "OpenCL", found.absentReason);
  int number = 0;
  for (auto& device : found.devices)
    engines.add(
        std::make_unique<DeviceEngine>("opencl:" + std::to_string(number++), EngineKind::OpenCl, std::move(device)));
  addAbsent(engines, "cuda:0", EngineKind::Cuda, "CUDA", whyNoCuda());
}

void addGpuVariants(VariantTable& variants) { addFilterVariants(variants, EngineKind::OpenCl); }

}  // namespace sscope
