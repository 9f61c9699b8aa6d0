#include "core/io/reader/sandbox.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/base/memory.h"

namespace sscope::io {

namespace {

[[maybe_unused]] double addressSpaceInUse() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  file >> pages;
  return pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

void limit(__rlimit_resource_t resource, double value) {
  const auto most = static_cast<rlim_t>(value);
  const rlimit both{most, most};
  ::setrlimit(resource, &both);
}

double bytesOf(const std::string& path) {
  std::error_code code;
  const auto size = std::filesystem::file_size(path, code);
  return code ? 0 : static_cast<double>(size);
}

}  // namespace

double memoryAllowance() {
  static const double allowance = 0.95 * static_cast<double>(availableMemory());
  return allowance;
}

void limitThisProcess(const std::string& path) {
  const pid_t parent = ::getppid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The parent may have died before the line above.
  if (::getppid() != parent) std::_Exit(1);

  const double allowance = memoryAllowance();
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NOFILE, 64);
  // The caller ends a reader that makes no progress; this is for one that only seems to.
  constexpr double kSeconds = 600, kBytesPerSecond = 1e6;
  limit(RLIMIT_CPU, kSeconds + (bytesOf(path) + allowance) / kBytesPerSecond);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // The sanitizers reserve terabytes of address space for themselves, and have threads.
  limit(RLIMIT_NPROC, 0);
  if (allowance > 0) limit(RLIMIT_AS, addressSpaceInUse() + allowance);
#endif
  // Too large is an error of the call and not the end.
  ::signal(SIGXFSZ, SIG_IGN);
  if (allowance > 0) limit(RLIMIT_FSIZE, allowance);
}

void forbidLargerFiles() { limit(RLIMIT_FSIZE, 0); }

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
