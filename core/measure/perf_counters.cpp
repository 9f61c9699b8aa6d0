#include "core/measure/perf_counters.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace sscope {

namespace {

std::string reasonOf(int code) {
  switch (code) {
    case ENOENT:
    case EOPNOTSUPP: return "this machine has no hardware counters (virtual machines often hide them)";
    case EACCES:
    case EPERM: return "the kernel does not permit them (see /proc/sys/kernel/perf_event_paranoid)";
    case ENOSYS: return "this kernel does not support them";
    default: return std::strerror(code);
  }
}

constexpr std::uint64_t cacheEvent(std::uint64_t cache, std::uint64_t result) {
  return cache | std::uint64_t{PERF_COUNT_HW_CACHE_OP_READ} << 8 | result << 16;
}

}  // namespace

const std::vector<PerfEvent>& hardwareEvents() {
  static const std::vector<PerfEvent> events{
      {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
      {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
      {"l1d_accesses", PERF_TYPE_HW_CACHE, cacheEvent(PERF_COUNT_HW_CACHE_L1D, PERF_COUNT_HW_CACHE_RESULT_ACCESS)},
      {"l1d_misses", PERF_TYPE_HW_CACHE, cacheEvent(PERF_COUNT_HW_CACHE_L1D, PERF_COUNT_HW_CACHE_RESULT_MISS)},
      {"l2_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES}};
  return events;
}

int PerfCounters::openEvent(const PerfEvent& event) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = event.type;
  attributes.config = event.config;
  attributes.disabled = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

PerfCounters::PerfCounters(const std::vector<PerfEvent>& events, const Open& open) {
  for (const PerfEvent& event : events) {
    const int descriptor = open(event);
    if (descriptor >= 0) {
      counters_.push_back({event.name, descriptor});
    } else if (unavailable_.empty()) {
      unavailable_ = reasonOf(errno);
    }
  }
  if (!counters_.empty()) unavailable_.clear();
}

PerfCounters::~PerfCounters() {
  for (const Counter& counter : counters_) ::close(counter.descriptor);
}

void PerfCounters::start(int runs) {
  starts_ += runs;
  for (const Counter& counter : counters_) ::ioctl(counter.descriptor, PERF_EVENT_IOC_ENABLE, 0);
}

void PerfCounters::stop() {
  for (const Counter& counter : counters_) ::ioctl(counter.descriptor, PERF_EVENT_IOC_DISABLE, 0);
}

PerfCounts PerfCounters::mean() const {
  PerfCounts counts;
  counts.unavailable = unavailable_;
  if (starts_ == 0) {
    if (counts.unavailable.empty()) counts.unavailable = "nothing was counted";
    return counts;
  }
  for (const Counter& counter : counters_) {
    struct {
      std::uint64_t value, enabled, running;
    } reading{};
    if (::read(counter.descriptor, &reading, sizeof reading) != sizeof reading || reading.running == 0) continue;
    const double scale = static_cast<double>(reading.enabled) / static_cast<double>(reading.running);
    counts.values[counter.name] = static_cast<double>(reading.value) * scale / starts_;
  }
  if (counts.values.empty() && counts.unavailable.empty()) counts.unavailable = "the processor had none free";
  return counts;
}

}  // namespace sscope
