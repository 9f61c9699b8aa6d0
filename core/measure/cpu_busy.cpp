#include "core/measure/cpu_busy.h"

#include <algorithm>
#include <utility>

namespace sscope {

CpuBusySampler::CpuBusySampler(std::filesystem::path file) : file_(std::move(file)) {}

CpuBusy CpuBusySampler::sample() {
  CpuBusy result;
  const std::vector<CpuTicks> now = readProcStat(file_).value_or(ProcStat()).cores;
  const std::vector<CpuTicks> before = std::exchange(before_, now);
  if (now.empty()) {
    result.unavailable = file_.string() + " cannot be read";
  } else if (before.empty()) {
    result.unavailable = "the first reading has nothing to compare with";
  } else if (before.size() != now.size()) {
    result.unavailable = "the number of cores changed";
  }
  if (!result.unavailable.empty()) return result;
  for (std::size_t core = 0; core < now.size(); ++core) {
    // The kernel may correct idle time backwards by a tick; such a reading says nothing.
    const auto total = [core](const std::vector<CpuTicks>& at) { return at[core].busy + at[core].idle; };
    if (total(now) <= total(before) || now[core].busy < before[core].busy) {
      before_ = before;
      return {{}, 0, "the readings are too close together"};
    }
    const double percent = std::min(100.0, 100.0 * static_cast<double>(now[core].busy - before[core].busy) /
                                               static_cast<double>(total(now) - total(before)));
    result.percent.push_back(percent);
    result.overall += percent / static_cast<double>(now.size());
  }
  return result;
}

}  // namespace sscope
