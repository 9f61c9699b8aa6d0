#include "core/io/reader/sandbox.h"

#include <sys/prctl.h>

namespace sscope::io {

namespace {

Confinement& state() {
  static Confinement confinement;
  return confinement;
}

}  // namespace

void confine(const std::vector<std::filesystem::path>& needed) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  static_cast<void>(needed);
#else
  // Without it neither would be allowed; it also takes the effect from setuid programs.
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  state().files = confineFiles(needed);
  state().systemCalls = confineSystemCalls();
#endif
}

const Confinement& confinement() { return state(); }

}  // namespace sscope::io
