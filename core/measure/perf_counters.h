#pragma once
// The processor's hardware counters through the kernel's perf_event_open, where it gives them.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace sscope {

// One counter: its name in reports and the kernel's type and number of the event (linux/perf_event.h).
struct PerfEvent {
  std::string name;
  std::uint32_t type = 0;
  std::uint64_t config = 0;
};

// "cycles", "instructions", "l1d_accesses", "l1d_misses", "l2_misses" (of the last level where the processor has no
// portable counter of the second: what its caches could not serve).
[[nodiscard]] const std::vector<PerfEvent>& hardwareEvents();

struct PerfCounts {
  std::map<std::string, double> values;  // by name; a counter that the machine lacks is missing, never 0
  std::string unavailable;               // not empty: there is none, and why
};

// Counts what the thread that starts it does in user mode. Move-only; closes its counters.
class PerfCounters {
 public:
  // Opens one event for the calling thread, stopped: a descriptor, or -1 with errno. Tests hand in another.
  using Open = std::function<int(const PerfEvent&)>;
  explicit PerfCounters(const std::vector<PerfEvent>& events = hardwareEvents(), const Open& open = openEvent);
  ~PerfCounters();
  PerfCounters(const PerfCounters&) = delete;
  PerfCounters& operator=(const PerfCounters&) = delete;

  [[nodiscard]] static int openEvent(const PerfEvent& event);

  // Empty when at least one counter is open; else why not.
  [[nodiscard]] const std::string& unavailable() const { return unavailable_; }
  void start();
  void stop();
  // Means of all that was counted between starts and stops so far, one start counting once. Where the processor had
  // fewer counters than events, they took turns and are scaled up.
  [[nodiscard]] PerfCounts mean() const;

 private:
  struct Counter {
    std::string name;
    int descriptor;
  };
  std::vector<Counter> counters_;
  std::string unavailable_;
  int starts_ = 0;
};

}  // namespace sscope
