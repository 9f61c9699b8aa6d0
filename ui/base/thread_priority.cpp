#include "ui/base/thread_priority.h"

#ifdef __linux__
#include <sys/resource.h>
#endif

namespace sscope {

void stepBehindOtherThreads() {
#ifdef __linux__
  // On Linux this is a thread's own, and inherited; QThread's priorities do nothing under the usual scheduler.
  constexpr int kNice = 10;
  setpriority(PRIO_PROCESS, 0, kNice);
#endif
}

}  // namespace sscope
