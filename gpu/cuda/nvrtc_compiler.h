#pragma once
// The part of NVRTC that we use, declared here so that no toolkit is needed to build.
//
// Source: NVRTC reference, https://docs.nvidia.com/cuda/nvrtc/. tests/gpu/headers_test.cpp compares it with nvrtc.h if
// available.

#include <cstddef>
#include <string>
#include <vector>

#include "gpu/cuda/shared_library.h"

namespace sscope::nvrtc {

using Result = int;  // nvrtcResult
using Program = struct ProgramTag*;

inline constexpr Result kSuccess = 0;

// Throws Error(Device) if the library is too old; these functions exist since CUDA 11.2.
struct Api {
  explicit Api(const SharedLibrary& library) : library_(library) {}

 private:
  const SharedLibrary& library_;

 public:
  template <SymbolName Name, class Signature>
  using F = LibraryFunction<Name, Signature>;

  F<"nvrtcVersion", Result(int*, int*)> version{library_};
  F<"nvrtcGetErrorString", const char*(Result)> errorText{library_};
  F<"nvrtcGetNumSupportedArchs", Result(int*)> architectureCount{library_};
  F<"nvrtcGetSupportedArchs", Result(int*)> architectures{library_};
  F<"nvrtcCreateProgram", Result(Program*, const char*, const char*, int, const char* const*, const char* const*)>
      create{library_};
  F<"nvrtcDestroyProgram", Result(Program*)> destroy{library_};
  F<"nvrtcCompileProgram", Result(Program, int, const char* const*)> compile{library_};
  F<"nvrtcGetProgramLogSize", Result(Program, std::size_t*)> logSize{library_};
  F<"nvrtcGetProgramLog", Result(Program, char*)> log{library_};
  F<"nvrtcGetCUBINSize", Result(Program, std::size_t*)> cubinSize{library_};
  F<"nvrtcGetCUBIN", Result(Program, char*)> cubin{library_};
  F<"nvrtcGetPTXSize", Result(Program, std::size_t*)> ptxSize{library_};
  F<"nvrtcGetPTX", Result(Program, char*)> ptx{library_};
};

}  // namespace sscope::nvrtc

namespace sscope {

// CUDA C++ to machine code, with NVRTC opened at run time. Needs no device.
class NvrtcCompiler {
 public:
  // Looks for the library in the environment variable SSCOPE_NVRTC, then in the loader's search path, then in
  // /usr/local/cuda*. Prefers versions that a driver for CUDA `driverVersion` (1000 major + 10 minor) supports. Throws
  // Error(NotFound) with advice for the user.
  explicit NvrtcCompiler(int driverVersion = 13000);

  [[nodiscard]] const std::string& library() const { return library_.name(); }
  // "13.0"
  [[nodiscard]] const std::string& version() const { return version_; }

  // The architecture to compile for, given a device's compute capability (10 major + minor): "sm_90" for machine code,
  // "compute_90" for PTX when the device is newer than this NVRTC. Throws Error(Unsupported) when the device is too
  // old.
  [[nodiscard]] std::string architectureFor(int capability) const;

  // A cubin for an architecture "sm_..", PTX with its closing zero for "compute_..". Throws Error(Device) with `name`
  // and the first lines of the log. May be called by any thread.
  [[nodiscard]] std::vector<std::byte> compile(const std::string& name, const std::string& source,
                                               const std::string& architecture, std::string* log = nullptr) const;

 private:
  SharedLibrary library_;
  nvrtc::Api api_;
  std::string version_;
  std::vector<int> architectures_;  // ascending
};

}  // namespace sscope
