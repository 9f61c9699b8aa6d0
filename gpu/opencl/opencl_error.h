#pragma once
// OpenCL's error codes as sentences.

#include <string>

#include "core/base/error.h"
#include "gpu/opencl/opencl_headers.h"

namespace sscope {

// "CL_OUT_OF_RESOURCES (-5)"
[[nodiscard]] std::string openClCode(cl_int code);

// An Error of kind Memory if memory ran out, else Device.
[[nodiscard]] Error openClError(const std::string& device, const std::string& what, cl_int code);

}  // namespace sscope
