#pragma once
// The part of NVRTC that we use, declared here so that no toolkit is needed to build.
//
// Source: NVRTC reference, https://docs.nvidia.com/cuda/nvrtc/. tests/gpu/headers_test.cpp compares it with nvrtc.h if
// available.

#include <cstddef>

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
