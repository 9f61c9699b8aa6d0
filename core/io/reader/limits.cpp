#include "core/io/reader/limits.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "core/job/filter_job.h"

namespace sscope::io {

namespace {

[[maybe_unused]] double addressSpaceInUse() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  file >> pages;
  return pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

double memoryAllowance() { return 0.95 * static_cast<double>(availableMemory()); }

void limitThisProcess() {
  const pid_t parent = ::getppid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The parent may have died before the line above.
  if (::getppid() != parent) std::_Exit(1);

  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // The sanitizers reserve terabytes of address space for themselves.
  if (const double allowance = memoryAllowance(); allowance > 0) {
    const auto bytes = static_cast<rlim_t>(addressSpaceInUse() + allowance);
    const rlimit space{bytes, bytes};
    ::setrlimit(RLIMIT_AS, &space);
  }
#endif
}

}  // namespace sscope::io
