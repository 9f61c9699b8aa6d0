// The thread sanitizers of GCC 12 and 13 do not watch pthread_mutex_clocklock, by which std::timed_mutex waits: to them
// such a mutex is never locked, and they report its unlock and everything that it guards. Programs under that sanitizer
// get this one instead of the C library's; it waits by a call that the sanitizer does watch.
#include <pthread.h>
#include <time.h>

#include <cstdint>

namespace {

std::int64_t nanoseconds(const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

std::int64_t now(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return nanoseconds(time);
}

}  // namespace

extern "C" int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* until) noexcept {
  const std::int64_t end = now(CLOCK_REALTIME) + nanoseconds(*until) - now(clock);
  const timespec moved{.tv_sec = end / 1'000'000'000, .tv_nsec = end % 1'000'000'000};
  return pthread_mutex_timedlock(mutex, &moved);
}
