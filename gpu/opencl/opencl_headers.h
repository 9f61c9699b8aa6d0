#pragma once
// OpenCL through CLHPP, the one place that chooses its version. Everything used here is in OpenCL 1.2, which every
// current driver supports (PoCL 3.x, NVIDIA 3.0, Oclgrind 1.2).

#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>
