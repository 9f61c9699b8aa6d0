#pragma once
// The OpenCL devices of this machine as Devices.

#include <memory>
#include <string>
#include <vector>

#include "gpu/device/device.h"

namespace sscope {

struct OpenClDevices {
  std::vector<std::unique_ptr<Device>> devices;  // of every platform, in the loader's order
  std::string absentReason;                      // why there is none
};

// Queries names and sizes only; contexts and queues are created on first use.
[[nodiscard]] OpenClDevices findOpenClDevices();

}  // namespace sscope
