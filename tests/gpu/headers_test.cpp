// Our declarations of the driver API and of NVRTC against NVIDIA's own headers, where the toolkit is installed.

#include <cstddef>
#include <string_view>
#include <type_traits>

#include "gpu/cuda/driver.h"
#include "gpu/cuda/nvrtc_compiler.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/catch.h"

#if __has_include(<cuda.h>) && __has_include(<nvrtc.h>)
#include <cuda.h>
#include <nvrtc.h>

namespace sscope::test {

namespace {

// Passed in the same way: pointers, enums and integers of the same size, floats.
template <class A, class B>
constexpr bool samePassing() {
  if constexpr (std::is_pointer_v<A> || std::is_pointer_v<B>) {
    return std::is_pointer_v<A> && std::is_pointer_v<B>;
  } else {
    return sizeof(A) == sizeof(B) && std::is_floating_point_v<A> == std::is_floating_point_v<B>;
  }
}

template <class Ours, class Theirs>
struct SameSignature : std::false_type {};
template <class R, class... A, class S, class... B>
requires(sizeof...(A) == sizeof...(B)) struct SameSignature<R(A...), S(B...)>
    : std::bool_constant<samePassing<R, S>() && (true && ... && samePassing<A, B>())> {
};

// The function that a name of the headers stands for: cuMemAlloc is cuMemAlloc_v2 by a macro.
#define NAME_OF_(name) #name
#define NAME_OF(name) NAME_OF_(name)
#define SAME_FUNCTION(type, member, name)                                                                 \
  static_assert(SameSignature<typename decltype(type::member)::Signature, decltype(name)>::value, #name); \
  static_assert(decltype(type::member)::symbol == std::string_view(NAME_OF(name)), #name)

using cuda::DriverApi;
SAME_FUNCTION(DriverApi, init, cuInit);
SAME_FUNCTION(DriverApi, driverVersion, cuDriverGetVersion);
SAME_FUNCTION(DriverApi, errorName, cuGetErrorName);
SAME_FUNCTION(DriverApi, errorText, cuGetErrorString);
SAME_FUNCTION(DriverApi, deviceCount, cuDeviceGetCount);
SAME_FUNCTION(DriverApi, device, cuDeviceGet);
SAME_FUNCTION(DriverApi, deviceName, cuDeviceGetName);
SAME_FUNCTION(DriverApi, deviceAttribute, cuDeviceGetAttribute);
SAME_FUNCTION(DriverApi, deviceMemory, cuDeviceTotalMem);
SAME_FUNCTION(DriverApi, retainContext, cuDevicePrimaryCtxRetain);
SAME_FUNCTION(DriverApi, releaseContext, cuDevicePrimaryCtxRelease);
SAME_FUNCTION(DriverApi, useContext, cuCtxSetCurrent);
SAME_FUNCTION(DriverApi, canAccessPeer, cuDeviceCanAccessPeer);
SAME_FUNCTION(DriverApi, enablePeerAccess, cuCtxEnablePeerAccess);
SAME_FUNCTION(DriverApi, createStream, cuStreamCreateWithPriority);
SAME_FUNCTION(DriverApi, destroyStream, cuStreamDestroy);
SAME_FUNCTION(DriverApi, queryStream, cuStreamQuery);
SAME_FUNCTION(DriverApi, synchronizeStream, cuStreamSynchronize);
SAME_FUNCTION(DriverApi, waitEvent, cuStreamWaitEvent);
SAME_FUNCTION(DriverApi, createEvent, cuEventCreate);
SAME_FUNCTION(DriverApi, destroyEvent, cuEventDestroy);
SAME_FUNCTION(DriverApi, recordEvent, cuEventRecord);
SAME_FUNCTION(DriverApi, queryEvent, cuEventQuery);
SAME_FUNCTION(DriverApi, allocate, cuMemAlloc);
SAME_FUNCTION(DriverApi, free, cuMemFree);
SAME_FUNCTION(DriverApi, allocateHost, cuMemHostAlloc);
SAME_FUNCTION(DriverApi, freeHost, cuMemFreeHost);
SAME_FUNCTION(DriverApi, copyToDevice, cuMemcpyHtoDAsync);
SAME_FUNCTION(DriverApi, copyToHost, cuMemcpyDtoHAsync);
SAME_FUNCTION(DriverApi, copyToPeer, cuMemcpyPeerAsync);
SAME_FUNCTION(DriverApi, copy2d, cuMemcpy2DAsync);
SAME_FUNCTION(DriverApi, createArray, cuArrayCreate);
SAME_FUNCTION(DriverApi, destroyArray, cuArrayDestroy);
SAME_FUNCTION(DriverApi, createTexture, cuTexObjectCreate);
SAME_FUNCTION(DriverApi, destroyTexture, cuTexObjectDestroy);
SAME_FUNCTION(DriverApi, loadModule, cuModuleLoadData);
SAME_FUNCTION(DriverApi, unloadModule, cuModuleUnload);
SAME_FUNCTION(DriverApi, moduleFunction, cuModuleGetFunction);
SAME_FUNCTION(DriverApi, functionAttribute, cuFuncGetAttribute);
SAME_FUNCTION(DriverApi, setFunctionAttribute, cuFuncSetAttribute);
SAME_FUNCTION(DriverApi, launch, cuLaunchKernel);
// Newer headers mean a newer function by this name; the one used here is as old as CUDA and stays.
static_assert(SameSignature<decltype(DriverApi::elapsed)::Signature, decltype(cuEventElapsedTime)>::value);

using NvrtcApi = nvrtc::Api;
SAME_FUNCTION(NvrtcApi, version, nvrtcVersion);
SAME_FUNCTION(NvrtcApi, errorText, nvrtcGetErrorString);
SAME_FUNCTION(NvrtcApi, architectureCount, nvrtcGetNumSupportedArchs);
SAME_FUNCTION(NvrtcApi, architectures, nvrtcGetSupportedArchs);
SAME_FUNCTION(NvrtcApi, create, nvrtcCreateProgram);
SAME_FUNCTION(NvrtcApi, destroy, nvrtcDestroyProgram);
SAME_FUNCTION(NvrtcApi, compile, nvrtcCompileProgram);
SAME_FUNCTION(NvrtcApi, logSize, nvrtcGetProgramLogSize);
SAME_FUNCTION(NvrtcApi, log, nvrtcGetProgramLog);
SAME_FUNCTION(NvrtcApi, cubinSize, nvrtcGetCUBINSize);
SAME_FUNCTION(NvrtcApi, cubin, nvrtcGetCUBIN);
SAME_FUNCTION(NvrtcApi, ptxSize, nvrtcGetPTXSize);
SAME_FUNCTION(NvrtcApi, ptx, nvrtcGetPTX);

static_assert(cuda::kSuccess == CUDA_SUCCESS && cuda::kInvalidValue == CUDA_ERROR_INVALID_VALUE);
static_assert(cuda::kOutOfMemory == CUDA_ERROR_OUT_OF_MEMORY && cuda::kNoDevice == CUDA_ERROR_NO_DEVICE);
static_assert(cuda::kNotReady == CUDA_ERROR_NOT_READY && nvrtc::kSuccess == NVRTC_SUCCESS);
static_assert(cuda::kStreamNonBlocking == CU_STREAM_NON_BLOCKING && cuda::kEventDefault == CU_EVENT_DEFAULT &&
              cuda::kEventUntimed == CU_EVENT_DISABLE_TIMING);
static_assert(cuda::kReadAsInteger == CU_TRSF_READ_AS_INTEGER);

#define SAME_VALUE(ours, theirs) static_assert(static_cast<int>(ours) == static_cast<int>(theirs), #theirs)
using DA = cuda::DeviceAttribute;
SAME_VALUE(DA::MaxThreadsPerBlock, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME_VALUE(DA::MaxSharedMemoryPerBlock, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
SAME_VALUE(DA::TotalConstantMemory, CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY);
SAME_VALUE(DA::WarpSize, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
SAME_VALUE(DA::MaxRegistersPerBlock, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
SAME_VALUE(DA::ClockRate, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
SAME_VALUE(DA::MultiprocessorCount, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME_VALUE(DA::MaximumTexture2dWidth, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH);
SAME_VALUE(DA::MaximumTexture2dHeight, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT);
SAME_VALUE(DA::L2CacheSize, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
SAME_VALUE(DA::MaxThreadsPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
SAME_VALUE(DA::ComputeCapabilityMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME_VALUE(DA::ComputeCapabilityMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME_VALUE(DA::MaxSharedMemoryPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
SAME_VALUE(DA::MaxRegistersPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
SAME_VALUE(DA::MaxSharedMemoryPerBlockOptin, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
SAME_VALUE(DA::MaxBlocksPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
using FA = cuda::FunctionAttribute;
SAME_VALUE(FA::MaxThreadsPerBlock, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME_VALUE(FA::SharedSizeBytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
SAME_VALUE(FA::ConstSizeBytes, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
SAME_VALUE(FA::LocalSizeBytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
SAME_VALUE(FA::NumRegs, CU_FUNC_ATTRIBUTE_NUM_REGS);
SAME_VALUE(FA::MaxDynamicSharedSizeBytes, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
SAME_VALUE(cuda::MemoryType::Host, CU_MEMORYTYPE_HOST);
SAME_VALUE(cuda::MemoryType::Device, CU_MEMORYTYPE_DEVICE);
SAME_VALUE(cuda::MemoryType::Array, CU_MEMORYTYPE_ARRAY);
SAME_VALUE(cuda::ArrayFormat::UnsignedInt8, CU_AD_FORMAT_UNSIGNED_INT8);
SAME_VALUE(cuda::ArrayFormat::Float, CU_AD_FORMAT_FLOAT);
SAME_VALUE(cuda::ResourceType::Array, CU_RESOURCE_TYPE_ARRAY);
SAME_VALUE(cuda::AddressMode::Wrap, CU_TR_ADDRESS_MODE_WRAP);
SAME_VALUE(cuda::AddressMode::Clamp, CU_TR_ADDRESS_MODE_CLAMP);
SAME_VALUE(cuda::FilterMode::Point, CU_TR_FILTER_MODE_POINT);

#define SAME_PLACE(ours, member, theirs, field)                                                  \
  static_assert(offsetof(ours, member) == offsetof(theirs, field) &&                             \
                    sizeof(std::declval<ours>().member) == sizeof(std::declval<theirs>().field), \
                #theirs "." #field)
using cuda::ArrayDescriptor, cuda::Copy2d, cuda::ResourceDescriptor, cuda::TextureDescriptor;
static_assert(sizeof(ArrayDescriptor) == sizeof(CUDA_ARRAY_DESCRIPTOR));
SAME_PLACE(ArrayDescriptor, width, CUDA_ARRAY_DESCRIPTOR, Width);
SAME_PLACE(ArrayDescriptor, height, CUDA_ARRAY_DESCRIPTOR, Height);
SAME_PLACE(ArrayDescriptor, format, CUDA_ARRAY_DESCRIPTOR, Format);
SAME_PLACE(ArrayDescriptor, channels, CUDA_ARRAY_DESCRIPTOR, NumChannels);
static_assert(sizeof(Copy2d) == sizeof(CUDA_MEMCPY2D));
SAME_PLACE(Copy2d, sourceX, CUDA_MEMCPY2D, srcXInBytes);
SAME_PLACE(Copy2d, sourceY, CUDA_MEMCPY2D, srcY);
SAME_PLACE(Copy2d, sourceType, CUDA_MEMCPY2D, srcMemoryType);
SAME_PLACE(Copy2d, sourceHost, CUDA_MEMCPY2D, srcHost);
SAME_PLACE(Copy2d, sourceDevice, CUDA_MEMCPY2D, srcDevice);
SAME_PLACE(Copy2d, sourceArray, CUDA_MEMCPY2D, srcArray);
SAME_PLACE(Copy2d, sourcePitch, CUDA_MEMCPY2D, srcPitch);
SAME_PLACE(Copy2d, targetX, CUDA_MEMCPY2D, dstXInBytes);
SAME_PLACE(Copy2d, targetY, CUDA_MEMCPY2D, dstY);
SAME_PLACE(Copy2d, targetType, CUDA_MEMCPY2D, dstMemoryType);
SAME_PLACE(Copy2d, targetHost, CUDA_MEMCPY2D, dstHost);
SAME_PLACE(Copy2d, targetDevice, CUDA_MEMCPY2D, dstDevice);
SAME_PLACE(Copy2d, targetArray, CUDA_MEMCPY2D, dstArray);
SAME_PLACE(Copy2d, targetPitch, CUDA_MEMCPY2D, dstPitch);
SAME_PLACE(Copy2d, widthBytes, CUDA_MEMCPY2D, WidthInBytes);
SAME_PLACE(Copy2d, height, CUDA_MEMCPY2D, Height);
static_assert(sizeof(ResourceDescriptor) == sizeof(CUDA_RESOURCE_DESC));
SAME_PLACE(ResourceDescriptor, type, CUDA_RESOURCE_DESC, resType);
SAME_PLACE(ResourceDescriptor, resource, CUDA_RESOURCE_DESC, res);
SAME_PLACE(ResourceDescriptor, resource.array, CUDA_RESOURCE_DESC, res.array.hArray);
SAME_PLACE(ResourceDescriptor, flags, CUDA_RESOURCE_DESC, flags);
static_assert(sizeof(TextureDescriptor) == sizeof(CUDA_TEXTURE_DESC));
SAME_PLACE(TextureDescriptor, addressMode, CUDA_TEXTURE_DESC, addressMode);
SAME_PLACE(TextureDescriptor, filterMode, CUDA_TEXTURE_DESC, filterMode);
SAME_PLACE(TextureDescriptor, flags, CUDA_TEXTURE_DESC, flags);
SAME_PLACE(TextureDescriptor, maxAnisotropy, CUDA_TEXTURE_DESC, maxAnisotropy);
SAME_PLACE(TextureDescriptor, mipmapFilterMode, CUDA_TEXTURE_DESC, mipmapFilterMode);
SAME_PLACE(TextureDescriptor, borderColor, CUDA_TEXTURE_DESC, borderColor);

}  // namespace

TEST_CASE("our declarations of CUDA agree with its headers", "[cuda]") {
  SUCCEED("compared with cuda.h of CUDA " << CUDA_VERSION / 1000 << "." << CUDA_VERSION % 1000 / 10
                                          << " when this was compiled");
}

}  // namespace sscope::test

#else

namespace sscope::test {

TEST_CASE("our declarations of CUDA agree with its headers", "[cuda]") {
  SSCOPE_SKIP("the CUDA toolkit's headers were not there when this was compiled");
}

}  // namespace sscope::test

#endif
