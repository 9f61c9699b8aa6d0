#pragma once
// CUDA C++ to machine code, with NVRTC opened at run time. Needs no device.

#include <cstddef>
#include <string>
#include <vector>

#include "gpu/cuda/nvrtc_api.h"

namespace sscope {

class NvrtcCompiler {
 public:
  // Looks for the library that the environment variable SSCOPE_NVRTC names, then where the loader looks, then in
  // /usr/local/cuda*; versions that a driver for CUDA `driverVersion` (1000 major + 10 minor) knows come first.
  // Throws Error(NotFound) with what a user can do.
  explicit NvrtcCompiler(int driverVersion = 13000);

  [[nodiscard]] const std::string& library() const { return library_.name(); }
  // "13.0"
  [[nodiscard]] const std::string& version() const { return version_; }

  // What to compile for so that a device of this compute capability (10 major + minor) runs it: "sm_90" for code of
  // its own, "compute_90" for PTX when the device is newer than this NVRTC. Throws Error(Unsupported) when the device
  // is too old.
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
