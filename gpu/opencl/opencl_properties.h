#pragma once
// Properties of OpenCL devices, and error codes as sentences.

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "gpu/device/device.h"

// CLHPP's version is chosen here and nowhere else. Everything used here is in OpenCL 1.2, which every current driver
// supports (PoCL 3.x, NVIDIA 3.0, Oclgrind 1.2).
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

namespace sscope {

// OpenCL's error codes as sentences.

// "CL_OUT_OF_RESOURCES (-5)"
[[nodiscard]] std::string openClCode(cl_int code);

// An Error of kind Memory if memory ran out, else Device.
[[nodiscard]] Error openClError(const std::string& device, const std::string& what, cl_int code);

// Properties of an OpenCL device.

// Why no candidates may be compiled in a search: known compiler defects that end the whole program; empty if there are
// none. platformVersion: CL_PLATFORM_VERSION, "OpenCL 3.0 PoCL 6.0+debian  Linux, ...".
[[nodiscard]] std::string searchRefusal(std::string_view platformVersion);

// Throws cl::Error.
[[nodiscard]] DeviceProperties openClProperties(const cl::Platform& platform, const cl::Device& device);

}  // namespace sscope
