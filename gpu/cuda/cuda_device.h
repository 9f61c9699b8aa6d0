#pragma once
// The CUDA devices of this machine as Devices.

#include <memory>
#include <string>
#include <vector>

#include "gpu/device/device.h"

namespace sscope {

struct CudaDevices {
  std::vector<std::unique_ptr<Device>> devices;  // in the driver's order
  std::string absentReason;                      // why there is none
};

// Queries names and sizes only; contexts are created on first use.
[[nodiscard]] CudaDevices findCudaDevices();

}  // namespace sscope
