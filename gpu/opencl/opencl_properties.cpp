#include "gpu/opencl/opencl_properties.h"

#include <CL/cl_ext.h>

#include <algorithm>

#include "gpu/cuda/nvml.h"

namespace sscope {

std::string openClCode(cl_int code) {
  const char* name = nullptr;
  switch (code) {
    case CL_DEVICE_NOT_FOUND: name = "CL_DEVICE_NOT_FOUND"; break;
    case CL_DEVICE_NOT_AVAILABLE: name = "CL_DEVICE_NOT_AVAILABLE"; break;
    case CL_COMPILER_NOT_AVAILABLE: name = "CL_COMPILER_NOT_AVAILABLE"; break;
    case CL_MEM_OBJECT_ALLOCATION_FAILURE: name = "CL_MEM_OBJECT_ALLOCATION_FAILURE"; break;
    case CL_OUT_OF_RESOURCES: name = "CL_OUT_OF_RESOURCES"; break;
    case CL_OUT_OF_HOST_MEMORY: name = "CL_OUT_OF_HOST_MEMORY"; break;
    case CL_BUILD_PROGRAM_FAILURE: name = "CL_BUILD_PROGRAM_FAILURE"; break;
    case CL_INVALID_VALUE: name = "CL_INVALID_VALUE"; break;
    case CL_INVALID_BINARY: name = "CL_INVALID_BINARY"; break;
    case CL_INVALID_KERNEL_NAME: name = "CL_INVALID_KERNEL_NAME"; break;
    case CL_INVALID_KERNEL_ARGS: name = "CL_INVALID_KERNEL_ARGS"; break;
    case CL_INVALID_ARG_INDEX: name = "CL_INVALID_ARG_INDEX"; break;
    case CL_INVALID_ARG_SIZE: name = "CL_INVALID_ARG_SIZE"; break;
    case CL_INVALID_WORK_GROUP_SIZE: name = "CL_INVALID_WORK_GROUP_SIZE"; break;
    case CL_INVALID_BUFFER_SIZE: name = "CL_INVALID_BUFFER_SIZE"; break;
    default: break;
  }
  return name == nullptr ? "OpenCL error " + std::to_string(code)
                         : std::string(name) + " (" + std::to_string(code) + ")";
}

Error openClError(const std::string& device, const std::string& what, cl_int code) {
  const bool memory =
      code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY || code == CL_INVALID_BUFFER_SIZE;
  return {memory ? ErrorKind::Memory : ErrorKind::Device,
          "the device " + device + " failed to " + what + ": " + openClCode(code),
          memory ? "close other programs that use its memory, or choose another engine" : "choose another engine"};
}

namespace {

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\0' || text.back() == ' ')) text.pop_back();
  text.erase(0, text.find_first_not_of(' '));
  return text;
}

// Queries of type cl_uint that CLHPP does not have.
cl_uint numberOf(const cl::Device& device, cl_device_info what) {
  cl_uint value = 0;
  return ::clGetDeviceInfo(device(), what, sizeof value, &value, nullptr) == CL_SUCCESS ? value : 0;
}

}  // namespace

std::string searchRefusal(std::string_view platformVersion) {
  // Its LLVM passes end the process where "Instruction Combining did not reach a fixpoint" (pocl/pocl#1608, fixed after
  // 6.0); the tuned kernels of the ladders have such tiles.
  if (platformVersion.find("PoCL 6.0") == std::string_view::npos) return {};
  return "the compiler of PoCL 6.0 can end the program on kernels that a search tries; use another version of PoCL";
}

DeviceProperties openClProperties(const cl::Platform& platform, const cl::Device& device) {
  DeviceProperties p;
  p.name = trimmed(device.getInfo<CL_DEVICE_NAME>());
  p.vendor = trimmed(device.getInfo<CL_DEVICE_VENDOR>());
  p.driver = trimmed(platform.getInfo<CL_PLATFORM_NAME>()) + ", driver " +
             trimmed(device.getInfo<CL_DRIVER_VERSION>()) + ", " + trimmed(device.getInfo<CL_DEVICE_VERSION>());
  p.cpu = (device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0;
  // The simulator oclgrind corrupts its memory when two threads call it.
  p.concurrent = platform.getInfo<CL_PLATFORM_NAME>().find("Oclgrind") == std::string::npos;
  p.searchRefused = searchRefusal(trimmed(platform.getInfo<CL_PLATFORM_VERSION>()));
  p.fp64 = device.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() != 0;
  p.fusedF32 = (device.getInfo<CL_DEVICE_SINGLE_FP_CONFIG>() & CL_FP_FMA) != 0;
  p.computeUnits = static_cast<int>(device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>());
  p.vectorF32 = std::max(1, static_cast<int>(device.getInfo<CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT>()));
  p.vectorF64 = std::max(1, static_cast<int>(device.getInfo<CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE>()));
  p.memoryBytes = static_cast<std::int64_t>(device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>());
  p.largestAllocation = static_cast<std::int64_t>(device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>());
  p.constantBytes = static_cast<std::int64_t>(device.getInfo<CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE>());
  p.localBytes = static_cast<std::int64_t>(device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>());
  p.largestGroup = static_cast<std::int64_t>(device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>());
  if (device.getInfo<CL_DEVICE_IMAGE_SUPPORT>() != CL_FALSE)
    p.largestImage = static_cast<std::int64_t>(
        std::min(device.getInfo<CL_DEVICE_IMAGE2D_MAX_WIDTH>(), device.getInfo<CL_DEVICE_IMAGE2D_MAX_HEIGHT>()));
  p.largestDynamicLocal = p.localBytes;
  p.clockKhz = static_cast<int>(device.getInfo<CL_DEVICE_MAX_CLOCK_FREQUENCY>()) * 1000;
  if (device.getInfo<CL_DEVICE_EXTENSIONS>().find("cl_nv_device_attribute_query") != std::string::npos) {
    p.capabilityMajor = static_cast<int>(numberOf(device, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV));
    p.capabilityMinor = static_cast<int>(numberOf(device, CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV));
    p.groupRegisters = numberOf(device, CL_DEVICE_REGISTERS_PER_BLOCK_NV);
    p.lockstep = static_cast<int>(numberOf(device, CL_DEVICE_WARP_SIZE_NV));
    constexpr cl_device_info kPciBus = 0x4008, kPciSlot = 0x4009, kPciDomain = 0x400A;  // CL_DEVICE_PCI_..._NV
    p.pci = pciName(numberOf(device, kPciDomain), numberOf(device, kPciBus), numberOf(device, kPciSlot));
    p.largestDynamicLocal -= 1024;  // the driver reserves some: a launch with all of it runs out of resources
  }
  return p;
}

}  // namespace sscope
