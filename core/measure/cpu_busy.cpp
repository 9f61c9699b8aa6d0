#include "core/measure/cpu_busy.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>
#include <utility>

namespace sscope {

CpuBusySampler::CpuBusySampler(std::filesystem::path file) : file_(std::move(file)) {}

// Lines "cpu0 user nice system idle iowait irq softirq steal guest guest_nice", in ticks since the start.
// Guest time is contained in user time; time stolen by a hypervisor is neither busy nor idle and left out.
std::vector<CpuBusySampler::Ticks> CpuBusySampler::parse(std::string_view text) {
  std::vector<Ticks> cores;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("cpu", 0) != 0 || line.size() < 4 || std::isdigit(static_cast<unsigned char>(line[3])) == 0)
      continue;
    std::istringstream fields(line);
    std::string name;
    std::uint64_t user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softIrq = 0;
    if (!(fields >> name >> user >> nice >> system >> idle)) continue;
    fields >> wait >> irq >> softIrq;  // kernels from before 2.6 lack them; then they stay 0
    const std::uint64_t busy = user + nice + system + irq + softIrq;
    cores.push_back({busy, busy + idle + wait});
  }
  return cores;
}

CpuBusy CpuBusySampler::sample() {
  CpuBusy result;
  std::ifstream stream(file_);
  std::ostringstream text;
  if (stream) text << stream.rdbuf();
  const std::vector<Ticks> now = parse(text.str());
  const std::vector<Ticks> before = std::exchange(before_, now);
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
    if (now[core].total <= before[core].total || now[core].busy < before[core].busy) {
      before_ = before;
      return {{}, 0, "the readings are too close together"};
    }
    const auto total = static_cast<double>(now[core].total - before[core].total);
    const double percent = std::min(100.0, 100.0 * static_cast<double>(now[core].busy - before[core].busy) / total);
    result.percent.push_back(percent);
    result.overall += percent / static_cast<double>(now.size());
  }
  return result;
}

}  // namespace sscope
