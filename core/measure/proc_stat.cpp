#include "core/measure/proc_stat.h"

#include <fstream>
#include <sstream>
#include <string>

namespace sscope {

// Lines "cpu user nice system idle iowait irq softirq steal guest guest_nice" of all cores, then "cpu0 ..." of each.
// Guest time is contained in user time. Kernels from before 2.6 end with idle.
std::optional<ProcStat> readProcStat(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::optional<ProcStat> stat;
  for (std::string line; std::getline(stream, line) && line.starts_with("cpu");) {
    std::istringstream fields(line);
    std::string name;
    std::uint64_t user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softIrq = 0, stolen = 0;
    if (!(fields >> name >> user >> nice >> system >> idle)) continue;
    fields >> wait >> irq >> softIrq;
    CpuTicks ticks{user + nice + system + irq + softIrq, idle + wait, {}};
    if (fields >> stolen) ticks.stolen = stolen;
    if (!stat) stat.emplace();
    if (name == "cpu")
      stat->all = ticks;
    else
      stat->cores.push_back(ticks);
  }
  return stat;
}

}  // namespace sscope
