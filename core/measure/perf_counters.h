#pragma once
// The processor's hardware counters, read with perf_event_open if the kernel allows it.

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

// "cycles", "instructions", "l1d_accesses", "l1d_misses", "l2_misses" (misses of the last level, as there is no
// portable counter for the second).
[[nodiscard]] const std::vector<PerfEvent>& hardwareEvents();

struct PerfCounts {
  std::map<std::string, double> values;  // by name; a counter that the machine lacks is missing, never 0
  std::string unavailable;               // not empty: why there are no counters
};

// Counts user-mode events of the thread that starts it. Move-only; closes its counters.
class PerfCounters {
 public:
  // Opens one stopped event for the calling thread: a descriptor, or -1 with errno. Tests replace it.
  using Open = std::function<int(const PerfEvent&)>;
  explicit PerfCounters(const std::vector<PerfEvent>& events = hardwareEvents(), const Open& open = openEvent);
  ~PerfCounters();
  PerfCounters(const PerfCounters&) = delete;
  PerfCounters& operator=(const PerfCounters&) = delete;

  [[nodiscard]] static int openEvent(const PerfEvent& event);

  // Empty if at least one counter is open; else the reason.
  [[nodiscard]] const std::string& unavailable() const { return unavailable_; }
  void start(int runs = 1);  // the number of runs until stop()
  void stop();
  // Means per run so far. If the processor has fewer counters than events, the events are multiplexed and scaled up.
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
