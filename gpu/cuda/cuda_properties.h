#pragma once
// What a CUDA device says about itself.

#include "gpu/cuda/driver.h"
#include "gpu/device/device.h"

namespace sscope::cuda {

// Everything but `driver`. Throws Error(Device).
[[nodiscard]] DeviceProperties propertiesOf(const Driver& driver, Ordinal ordinal);

// "CUDA 13.0, driver 580.65.06"; the second part is left out where the kernel module does not tell.
[[nodiscard]] std::string driverName(const Driver& driver);

}  // namespace sscope::cuda
