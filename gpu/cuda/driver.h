#pragma once
// The part of NVIDIA's driver API that we use, declared here so that no toolkit is needed to build.
//
// Source: CUDA Driver API reference, https://docs.nvidia.com/cuda/cuda-driver-api/. The binary interface is stable:
// functions that change get a new suffix (_v2) and the old ones stay. tests/gpu/headers_test.cpp compares it with
// cuda.h if available.

#include <cstddef>
#include <memory>
#include <string>

#include "core/base/error.h"
#include "gpu/cuda/shared_library.h"

namespace sscope::cuda {

using Result = int;                        // CUresult
using Ordinal = int;                       // CUdevice
using Address = unsigned long long;        // CUdeviceptr
using TextureObject = unsigned long long;  // CUtexObject
using Context = struct ContextTag*;
using Stream = struct StreamTag*;
using Event = struct EventTag*;
using Module = struct ModuleTag*;
using Function = struct FunctionTag*;
using ArrayHandle = struct ArrayTag*;

inline constexpr Result kSuccess = 0;
inline constexpr Result kInvalidValue = 1;
inline constexpr Result kOutOfMemory = 2;
inline constexpr Result kNoDevice = 100;
inline constexpr Result kNotReady = 600;
inline constexpr Result kPeerAccessAlreadyEnabled = 704;

inline constexpr unsigned kStreamNonBlocking = 1;
inline constexpr unsigned kEventDefault = 0;
inline constexpr unsigned kEventUntimed = 2;  // CU_EVENT_DISABLE_TIMING

enum class DeviceAttribute : int {  // CU_DEVICE_ATTRIBUTE_
  MaxThreadsPerBlock = 1,
  MaxSharedMemoryPerBlock = 8,
  TotalConstantMemory = 9,
  WarpSize = 10,
  MaxRegistersPerBlock = 12,
  ClockRate = 13,  // kHz
  MultiprocessorCount = 16,
  MaximumTexture2dWidth = 22,
  MaximumTexture2dHeight = 23,
  PciBusId = 33,
  PciDeviceId = 34,
  L2CacheSize = 38,
  MaxThreadsPerMultiprocessor = 39,
  PciDomainId = 50,
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76,
  MaxSharedMemoryPerMultiprocessor = 81,
  MaxRegistersPerMultiprocessor = 82,
  MaxSharedMemoryPerBlockOptin = 97,
  MaxBlocksPerMultiprocessor = 106,
};

enum class FunctionAttribute : int {  // CU_FUNC_ATTRIBUTE_
  MaxThreadsPerBlock = 0,
  SharedSizeBytes = 1,
  ConstSizeBytes = 2,
  LocalSizeBytes = 3,
  NumRegs = 4,
  MaxDynamicSharedSizeBytes = 8,
};

enum class MemoryType : int { Host = 1, Device = 2, Array = 3 };     // CU_MEMORYTYPE_
enum class ArrayFormat : int { UnsignedInt8 = 0x01, Float = 0x20 };  // CU_AD_FORMAT_
enum class ResourceType : int { Array = 0 };                         // CU_RESOURCE_TYPE_
enum class AddressMode : int { Wrap = 0, Clamp = 1 };                // CU_TR_ADDRESS_MODE_
enum class FilterMode : int { Point = 0 };                           // CU_TR_FILTER_MODE_
inline constexpr unsigned kReadAsInteger = 1;                        // CU_TRSF_READ_AS_INTEGER

struct ArrayDescriptor {  // CUDA_ARRAY_DESCRIPTOR
  std::size_t width = 0, height = 0;
  ArrayFormat format = ArrayFormat::Float;
  unsigned channels = 1;
};

struct Copy2d {  // CUDA_MEMCPY2D
  std::size_t sourceX = 0, sourceY = 0;
  MemoryType sourceType = MemoryType::Host;
  const void* sourceHost = nullptr;
  Address sourceDevice = 0;
  ArrayHandle sourceArray = nullptr;
  std::size_t sourcePitch = 0;
  std::size_t targetX = 0, targetY = 0;
  MemoryType targetType = MemoryType::Array;
  void* targetHost = nullptr;
  Address targetDevice = 0;
  ArrayHandle targetArray = nullptr;
  std::size_t targetPitch = 0;
  std::size_t widthBytes = 0, height = 0;
};

struct ResourceDescriptor {  // CUDA_RESOURCE_DESC
  ResourceType type = ResourceType::Array;
  union {
    ArrayHandle array;
    int reserved[32];
  } resource{};
  unsigned flags = 0;
};

struct TextureDescriptor {  // CUDA_TEXTURE_DESC
  AddressMode addressMode[3]{};
  FilterMode filterMode = FilterMode::Point;
  unsigned flags = 0;
  unsigned maxAnisotropy = 0;
  FilterMode mipmapFilterMode = FilterMode::Point;
  float mipmapLevelBias = 0, minMipmapLevelClamp = 0, maxMipmapLevelClamp = 0;
  float borderColor[4]{};
  int reserved[12]{};
};

struct LaunchAttribute {  // CUlaunchAttribute
  // CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION: the kernel may start before the previously queued one has
  // ended, and waits for it itself.
  static constexpr int kMayOverlap = 6;
  int id = 0, padding = 0;
  union {
    char all[64];
    int number;
  } value{};
};

struct LaunchConfiguration {  // CUlaunchConfig
  unsigned gridX = 1, gridY = 1, gridZ = 1, blockX = 1, blockY = 1, blockZ = 1, localBytes = 0;
  Stream stream = nullptr;
  LaunchAttribute* attributes = nullptr;
  unsigned attributeCount = 0;
};

// Null in place of the view descriptor of cuTexObjectCreate.
struct ResourceViewDescriptor;

// The functions, found in libcuda.so.1. Throws Error(NotFound) without the library, Error(Device) where it is too old.
struct DriverApi {
  explicit DriverApi(const SharedLibrary& library) : library_(library) {}

 private:
  const SharedLibrary& library_;

 public:
  template <SymbolName Name, class Signature>
  using F = LibraryFunction<Name, Signature>;

  F<"cuInit", Result(unsigned)> init{library_};
  F<"cuDriverGetVersion", Result(int*)> driverVersion{library_};
  F<"cuGetErrorName", Result(Result, const char**)> errorName{library_};
  F<"cuGetErrorString", Result(Result, const char**)> errorText{library_};

  F<"cuDeviceGetCount", Result(int*)> deviceCount{library_};
  F<"cuDeviceGet", Result(Ordinal*, int)> device{library_};
  F<"cuDeviceGetName", Result(char*, int, Ordinal)> deviceName{library_};
  F<"cuDeviceGetAttribute", Result(int*, DeviceAttribute, Ordinal)> deviceAttribute{library_};
  F<"cuDeviceTotalMem_v2", Result(std::size_t*, Ordinal)> deviceMemory{library_};

  F<"cuDevicePrimaryCtxRetain", Result(Context*, Ordinal)> retainContext{library_};
  F<"cuDevicePrimaryCtxRelease_v2", Result(Ordinal)> releaseContext{library_};
  F<"cuCtxSetCurrent", Result(Context)> useContext{library_};
  F<"cuDeviceCanAccessPeer", Result(int*, Ordinal, Ordinal)> canAccessPeer{library_};
  F<"cuCtxEnablePeerAccess", Result(Context, unsigned)> enablePeerAccess{library_};

  F<"cuStreamCreateWithPriority", Result(Stream*, unsigned, int)> createStream{library_};
  F<"cuStreamDestroy_v2", Result(Stream)> destroyStream{library_};
  F<"cuStreamQuery", Result(Stream)> queryStream{library_};
  F<"cuStreamSynchronize", Result(Stream)> synchronizeStream{library_};
  F<"cuStreamWaitEvent", Result(Stream, Event, unsigned)> waitEvent{library_};

  F<"cuEventCreate", Result(Event*, unsigned)> createEvent{library_};
  F<"cuEventDestroy_v2", Result(Event)> destroyEvent{library_};
  F<"cuEventRecord", Result(Event, Stream)> recordEvent{library_};
  F<"cuEventQuery", Result(Event)> queryEvent{library_};
  F<"cuEventElapsedTime", Result(float*, Event, Event)> elapsed{library_};  // ms

  F<"cuMemAlloc_v2", Result(Address*, std::size_t)> allocate{library_};
  F<"cuMemFree_v2", Result(Address)> free{library_};
  F<"cuMemHostAlloc", Result(void**, std::size_t, unsigned)> allocateHost{library_};
  F<"cuMemFreeHost", Result(void*)> freeHost{library_};
  F<"cuMemcpyHtoDAsync_v2", Result(Address, const void*, std::size_t, Stream)> copyToDevice{library_};
  F<"cuMemcpyDtoHAsync_v2", Result(void*, Address, std::size_t, Stream)> copyToHost{library_};
  F<"cuMemcpyPeerAsync", Result(Address, Context, Address, Context, std::size_t, Stream)> copyToPeer{library_};
  F<"cuMemcpy2DAsync_v2", Result(const Copy2d*, Stream)> copy2d{library_};

  F<"cuArrayCreate_v2", Result(ArrayHandle*, const ArrayDescriptor*)> createArray{library_};
  F<"cuArrayDestroy", Result(ArrayHandle)> destroyArray{library_};
  F<"cuTexObjectCreate",
    Result(TextureObject*, const ResourceDescriptor*, const TextureDescriptor*, const ResourceViewDescriptor*)>
      createTexture{library_};
  F<"cuTexObjectDestroy", Result(TextureObject)> destroyTexture{library_};

  F<"cuModuleLoadData", Result(Module*, const void*)> loadModule{library_};
  F<"cuModuleUnload", Result(Module)> unloadModule{library_};
  F<"cuModuleGetFunction", Result(Function*, Module, const char*)> moduleFunction{library_};
  F<"cuFuncGetAttribute", Result(int*, FunctionAttribute, Function)> functionAttribute{library_};
  F<"cuFuncSetAttribute", Result(Function, FunctionAttribute, int)> setFunctionAttribute{library_};
  F<"cuLaunchKernel",
    Result(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream, void**, void**)>
      launch{library_};
  // Null if the driver is older than CUDA 11.8.
  using LaunchWith = Result(const LaunchConfiguration*, Function, void**, void**);
  LaunchWith* launchWith = reinterpret_cast<LaunchWith*>(library_.find("cuLaunchKernelEx"));
};

// NVIDIA's driver, loaded and initialized, with error messages.
class Driver {
 public:
  // Opens libcuda.so.1 and starts the driver. Throws Error(NotFound) or Error(Device) with advice for the user.
  Driver();

  [[nodiscard]] const DriverApi& api() const { return api_; }
  // The CUDA version as 1000 major + 10 minor.
  [[nodiscard]] int cudaVersion() const { return version_; }

  // "CUDA_ERROR_OUT_OF_MEMORY (out of memory)"
  [[nodiscard]] std::string describe(Result result) const;
  // An Error of kind Memory if memory ran out, else Device.
  [[nodiscard]] Error error(const std::string& device, const char* what, Result result) const;
  // Throws error() unless the result is kSuccess.
  void check(const std::string& device, const char* what, Result result) const;

 private:
  SharedLibrary library_;
  DriverApi api_;
  int version_ = 0;
};

}  // namespace sscope::cuda
