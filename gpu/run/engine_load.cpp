#include "gpu/run/engine_load.h"

#include "gpu/cuda/nvml.h"
#include "gpu/run/device_engine.h"

namespace sscope {

std::optional<DeviceLoad> deviceLoadOf(Engine& engine) {
  auto* device = engineIf<DeviceEngine>(engine);
  if (device == nullptr || device->device().properties().cpu) return {};
  return readNvidiaLoad(device->device().properties().pci);
}

}  // namespace sscope
