#include "gpu/cuda/driver.h"

#include <array>

namespace sscope::cuda {

namespace {

SharedLibrary openDriver() {
  const std::array<std::string, 1> names{"libcuda.so.1"};
  try {
    return SharedLibrary(names);
  } catch (const Error& error) {
    throw Error(ErrorKind::NotFound, std::string("libcuda.so.1 not found: ") + error.what(), "install NVIDIA's driver");
  }
}

}  // namespace

Driver::Driver() : library_(openDriver()), api_(library_) {
  if (const Result result = api_.init(0); result != kSuccess)
    throw Error(result == kNoDevice ? ErrorKind::NotFound : ErrorKind::Device,
                result == kNoDevice ? "no CUDA device: " + describe(result)
                                    : "NVIDIA's driver does not start: " + describe(result));
  check("driver", "report its version", api_.driverVersion(&version_));
}

std::string Driver::describe(Result result) const {
  const char *name = nullptr, *text = nullptr;
  if (api_.errorName(result, &name) != kSuccess || name == nullptr) return "CUDA error " + std::to_string(result);
  if (api_.errorText(result, &text) != kSuccess || text == nullptr) return name;
  return std::string(name) + " (" + text + ")";
}

Error Driver::error(const std::string& device, const char* what, Result result) const {
  const bool memory = result == kOutOfMemory;
  return {memory ? ErrorKind::Memory : ErrorKind::Device,
          "the device " + device + " failed to " + what + ": " + describe(result),
          memory ? "close other programs that use its memory, or choose another engine" : "choose another engine"};
}

void Driver::check(const std::string& device, const char* what, Result result) const {
  if (result != kSuccess) throw error(device, what, result);
}

}  // namespace sscope::cuda
