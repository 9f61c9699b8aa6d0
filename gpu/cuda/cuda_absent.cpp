#include "gpu/cuda/cuda_absent.h"

#include <dlfcn.h>

namespace sscope {

std::string whyNoCuda() {
  void* library = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) return "libcuda.so.1 not found: install NVIDIA's driver";
  ::dlclose(library);
  return "this version has no CUDA engine; NVIDIA devices run as OpenCL engines where their OpenCL driver is "
         "registered";
}

}  // namespace sscope
