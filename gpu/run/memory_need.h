#pragma once
// Whether what a plan wants to hold fits on a device.

#include <cstdint>
#include <string>

#include "gpu/run/device_engine.h"

namespace sscope {

struct MemoryNeed {
  std::int64_t total = 0, largest = 0;  // bytes of all buffers, and of the largest one
};

// Throws Error(Memory) unless it fits into `budget` bytes of the engine: "`needs` 12 MiB on cuda:0".
void requireFits(const DeviceEngine& engine, const MemoryNeed& need, std::int64_t budget, const std::string& needs,
                 const std::string& advice);

}  // namespace sscope
