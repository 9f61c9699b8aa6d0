// Hardware counters where the kernel gives them, and a reason where it does not.
#include "core/measure/perf_counters.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

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

// Memory that is new to this process: a fault for each page.
void touch(std::size_t pages) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* memory = mmap(nullptr, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  madvise(memory, pages * page, MADV_NOHUGEPAGE);
  for (std::size_t i = 0; i < pages; ++i) static_cast<volatile char*>(memory)[i * page] = 1;
  munmap(memory, pages * page);
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
  for (int i = 0; i < 3; ++i) {
    counters.start();
    touch(64);
    counters.stop();
    touch(1000);  // not counted
  }
  const double faults = counters.mean().values.at("page_faults");
  CHECK(faults >= 64);
  CHECK(faults < 128);
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
