#pragma once
// Properties of a CUDA device.

#include "gpu/cuda/driver.h"
#include "gpu/device/device.h"

namespace sscope::cuda {

// Everything but `driver`. Throws Error(Device).
[[nodiscard]] DeviceProperties propertiesOf(const Driver& driver, Ordinal ordinal);

// "CUDA 13.0, driver 580.65.06"; without the second part if the kernel module does not report it.
[[nodiscard]] std::string driverName(const Driver& driver);

}  // namespace sscope::cuda
