#pragma once
// Properties of an OpenCL device.

#include <string>
#include <string_view>

#include "gpu/device/device.h"
#include "gpu/opencl/opencl_headers.h"

namespace sscope {

// Why no candidates are to be compiled in a search: known defects of compilers that end the whole program; else empty.
// platformVersion: CL_PLATFORM_VERSION, "OpenCL 3.0 PoCL 6.0+debian  Linux, ...".
[[nodiscard]] std::string searchRefusal(std::string_view platformVersion);

// Throws cl::Error.
[[nodiscard]] DeviceProperties openClProperties(const cl::Platform& platform, const cl::Device& device);

}  // namespace sscope
