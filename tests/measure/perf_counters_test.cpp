// Hardware counters where the kernel gives them, and a reason where it does not.
#include "core/measure/perf_counters.h"

#include <linux/perf_event.h>

#include <algorithm>
#include <cerrno>
#include <limits>

#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

// Counted by the kernel itself, also in virtual machines.
const std::vector<PerfEvent> kSoftware{{"task_clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
                                       {"page_faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS}};

void work() {
  volatile double sum = 0;
  for (int i = 0; i < 2'000'000; ++i) sum = sum + i;
}

}  // namespace

TEST_CASE("counters that the kernel refuses say why, and give no numbers") {
  for (const int code : {EACCES, EPERM, ENOENT, ENOSYS, EMFILE}) {
    PerfCounters counters(hardwareEvents(), [&](const PerfEvent&) {
      errno = code;
      return -1;
    });
    CHECK(!counters.unavailable().empty());
    counters.start();
    counters.stop();
    const PerfCounts counts = counters.mean();
    CHECK(counts.values.empty());
    CHECK(counts.unavailable == counters.unavailable());
  }
}

TEST_CASE("counters count what lies between start and stop, per start") {
  PerfCounters counters(kSoftware);
  if (!counters.unavailable().empty()) SSCOPE_SKIP("perf_event_open: " + counters.unavailable());
  CHECK(counters.mean().values.empty());
  // The least of several: whatever interrupts this thread between start and stop may be counted.
  double idle = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 20; ++i) {
    PerfCounters empty(kSoftware);
    work();  // not counted
    empty.start();
    empty.stop();
    idle = std::min(idle, empty.mean().values.at("task_clock"));
  }
  for (int i = 0; i < 3; ++i) {
    counters.start();
    work();
    counters.stop();
  }
  const double busy = counters.mean().values.at("task_clock");
  CHECK(busy > 100 * std::max(idle, 1.0) / 4);
}

TEST_CASE("one counter that is missing leaves the others") {
  PerfCounters counters(kSoftware, [](const PerfEvent& event) {
    if (event.name == "task_clock") return PerfCounters::openEvent(event);
    errno = ENOENT;
    return -1;
  });
  if (!counters.unavailable().empty()) SSCOPE_SKIP("perf_event_open: " + counters.unavailable());
  counters.start();
  work();
  counters.stop();
  CHECK(counters.mean().values.size() == 1);
}

TEST_CASE("hardware counters are there, or say why not") {
  PerfCounters counters;
  counters.start();
  work();
  counters.stop();
  const PerfCounts counts = counters.mean();
  if (counts.values.contains("instructions")) {
    CHECK(counts.values.at("instructions") > 4'000'000);
  } else {
    CHECK(!counters.unavailable().empty());
  }
}
