#pragma once
// CUDA C++ to machine code, with NVRTC opened at run time. Needs no device.

#include <cstddef>
#include <string>
#include <vector>

#include "gpu/cuda/nvrtc_api.h"

namespace sscope {

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
