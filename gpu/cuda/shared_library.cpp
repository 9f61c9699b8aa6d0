#include "gpu/cuda/shared_library.h"

#include <dlfcn.h>

#include "core/base/error.h"

namespace sscope {

SharedLibrary::SharedLibrary(std::span<const std::string> names) {
  std::string reason;
  for (const std::string& name : names) {
    handle_ = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) {
      name_ = name;
      return;
    }
    const char* said = ::dlerror();
    if (reason.empty() && said != nullptr) reason = said;
  }
  throw Error(ErrorKind::NotFound, reason.empty() ? "no name was given for a library" : reason);
}

void* SharedLibrary::find(const char* symbol) const { return ::dlsym(handle_, symbol); }

void* SharedLibrary::symbol(const char* symbol) const {
  void* found = find(symbol);
  if (found == nullptr) throw Error(ErrorKind::Device, name_ + " has no function " + symbol, "install a newer version");
  return found;
}

}  // namespace sscope
