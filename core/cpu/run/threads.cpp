#include "core/cpu/run/threads.h"

#include <tbb/info.h>

#include <algorithm>

namespace sscope::cpu {

int threadCount(int requested) {
  const int all = tbb::info::default_concurrency();
  return requested <= 0 ? all : std::min(requested, all);
}

}  // namespace sscope::cpu
