#include "gpu/run/device_engine.h"

#include <algorithm>
#include <bit>

namespace sscope {

namespace {

EngineInfo infoOf(std::string id, EngineKind kind, const DeviceProperties& device) {
  EngineInfo info;
  info.id = std::move(id);
  info.kind = kind;
  info.name = device.name;
  info.driver = device.driver;
  info.fp64 = device.fp64;
  info.computeUnits = device.computeUnits;
  info.memoryBytes = device.memoryBytes;
  info.largestAllocation = device.largestAllocation;
  info.localBytes = device.localBytes;
  info.largestGroup = device.largestGroup;
  info.largestImage = device.largestImage;
  return info;
}

}  // namespace

DeviceEngine::DeviceEngine(std::string id, EngineKind kind, std::unique_ptr<Device> device)
    : info_(infoOf(std::move(id), kind, device->properties())),
      device_(std::move(device)),
      workspace_(*device_),
      transfer_(*device_),
      programs_(*device_) {}

std::unique_lock<std::timed_mutex> DeviceEngine::lock(const Control& control) {
  std::unique_lock lock(mutex_, std::defer_lock);
  while (!lock.try_lock_for(std::chrono::milliseconds(10))) control.check();
  return lock;
}

std::int64_t DeviceEngine::budget(std::int64_t limit) const {
  // The rest is for the driver, tables, and whoever else uses the device.
  const std::int64_t usable = info_.memoryBytes / 10 * 9;
  return limit > 0 ? std::min(limit, usable) : usable;
}

std::int64_t DeviceEngine::largestBuffer() const {
  return info_.largestAllocation > 0 ? info_.largestAllocation : info_.memoryBytes;
}

LaunchStyle launchStyle(const DeviceProperties& device, Precision precision) {
  LaunchStyle style;
  if (device.cpu) {
    const int preferred = precision == Precision::f32 ? device.vectorF32 : device.vectorF64;
    style.vector = static_cast<int>(std::bit_floor(static_cast<unsigned>(std::clamp(preferred, 1, 16))));
    style.group = {8, 1};
  }
  while (style.group[0] * style.group[1] > device.largestGroup) {
    auto& larger = style.group[1] > 1 ? style.group[1] : style.group[0];
    larger /= 2;
  }
  return style;
}

}  // namespace sscope
