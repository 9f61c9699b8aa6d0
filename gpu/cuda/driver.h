#pragma once
// NVIDIA's driver, loaded and initialized, with error messages.

#include <memory>
#include <string>

#include "core/base/error.h"
#include "gpu/cuda/driver_api.h"

namespace sscope::cuda {

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
