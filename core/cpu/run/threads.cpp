#include "core/cpu/run/threads.h"

#include <tbb/global_control.h>
#include <tbb/info.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <thread>
#include <vector>

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

// The threads read the clock themselves: one that only watched might be held up and see too short a time.
double together(int threads, const std::function<void(int)>& work) {
  using Clock = std::chrono::steady_clock;
  std::barrier start(threads);
  std::vector<Clock::time_point> begin(static_cast<std::size_t>(threads)), end(begin.size());
  {
    std::vector<std::jthread> team;
    for (int t = 0; t < threads; ++t)
      team.emplace_back([&, t] {
        start.arrive_and_wait();
        begin[static_cast<std::size_t>(t)] = Clock::now();
        work(t);
        end[static_cast<std::size_t>(t)] = Clock::now();
      });
  }
  return std::chrono::duration<double>(*std::max_element(end.begin(), end.end()) -
                                       *std::min_element(begin.begin(), begin.end()))
      .count();
}

}  // namespace sscope::cpu
