#pragma once
// What an OpenCL device says about itself.

#include "gpu/device/device.h"
#include "gpu/opencl/opencl_headers.h"

namespace sscope {

// Throws cl::Error.
[[nodiscard]] DeviceProperties openClProperties(const cl::Platform& platform, const cl::Device& device);

}  // namespace sscope
