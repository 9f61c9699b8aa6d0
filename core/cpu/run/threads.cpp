#include "core/cpu/run/threads.h"

#include <tbb/global_control.h>
#include <tbb/info.h>

#include <algorithm>

namespace sscope::cpu {

int threadCount(int requested) {
  const int all = tbb::info::default_concurrency();
  return requested <= 0 ? all : std::min(requested, all);
}

struct ThreadLimit::Limit {
  explicit Limit(int threads)
      : control(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)) {}
  tbb::global_control control;
};

ThreadLimit::ThreadLimit(int threads) {
  if (threads > 0) limit_ = std::make_unique<Limit>(threads);
}

ThreadLimit::~ThreadLimit() = default;

}  // namespace sscope::cpu
