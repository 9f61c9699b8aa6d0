#pragma once
// Empties the caches of a device by reading memory that nobody uses, several times as much as they hold. Reading leaves
// nothing there that would have to be written back while something is timed.

#include <memory>

#include "core/base/control.h"
#include "gpu/device/device.h"
#include "gpu/device/program_cache.h"

namespace sscope {

class DeviceEngine;

// Under the engine's lock only.
class CacheSweep {
 public:
  // Builds the kernel and takes the memory. Throws what the device throws, and Canceled.
  CacheSweep(DeviceEngine& engine, const Control& control);
  void run(const Control& control);

 private:
  Device& device_;
  std::shared_ptr<CompiledKernel> kernel_;
  std::unique_ptr<DeviceBuffer> memory_;
  LaunchShape shape_;
};

}  // namespace sscope
