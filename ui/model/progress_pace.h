#pragma once
// How often threads report progress to the window: often enough to look smooth, seldom enough to cost nothing.

#include <chrono>
#include <cstdint>

namespace sscope {

inline constexpr std::int64_t kProgressIntervalMilliseconds = 30;

[[nodiscard]] inline std::int64_t nowMilliseconds() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace sscope
