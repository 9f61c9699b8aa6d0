#include "core/measure/cpu_time.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "core/base/words.h"
#include "core/measure/table.h"

namespace sscope {

// Lines "cpu user nice system idle iowait irq softirq steal guest guest_nice" of all cores, then "cpu0 ..." of each.
// Guest time is contained in user time. Kernels before 2.6 end with idle.
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
    // The kernel may reduce idle time by a tick; such a reading is not usable.
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

StolenTime::StolenTime(std::filesystem::path file) : file_(std::move(file)), begin_(readProcStat(file_)) {}

std::optional<double> StolenTime::share() const {
  const auto now = readProcStat(file_);
  if (!begin_ || !now) return {};
  const CpuTicks &from = begin_->all, &to = now->all;
  if (!from.stolen || !to.stolen || *to.stolen < *from.stolen) return {};
  const auto total = [](const CpuTicks& ticks) { return ticks.busy + ticks.idle + *ticks.stolen; };
  if (total(to) <= total(from)) return {};
  return static_cast<double>(*to.stolen - *from.stolen) / static_cast<double>(total(to) - total(from));
}

namespace {

constexpr double kOtherCores = 0.25, kStolenCores = 0.1;

double processSeconds() {
  timespec now{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0) return 0;
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double steadySeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

bool OtherLoad::disturbs() const { return known && (otherCores > kOtherCores || stolenCores > kStolenCores); }

void SamplesBeside::add(const OtherLoad& load) {
  ++count;
  otherCores = std::max(otherCores, load.otherCores);
  stolenCores = std::max(stolenCores, load.stolenCores);
}

std::string SamplesBeside::text(std::size_t all) const {
  if (count == 0) return {};
  std::string what =
      std::to_string(count) + " of " + counted(static_cast<std::int64_t>(all), "repetition") + " beside other work";
  if (otherCores > 0) what += ", " + shortNumber(otherCores) + " cores of other programs";
  if (stolenCores > 0) what += ", " + shortNumber(stolenCores) + " cores withheld by a hypervisor";
  return what;
}

OtherLoadWatch::OtherLoadWatch(std::filesystem::path file, std::function<double()> ownSeconds,
                               std::function<double()> clock)
    : file_(std::move(file)),
      ownSeconds_(ownSeconds ? std::move(ownSeconds) : processSeconds),
      clock_(clock ? std::move(clock) : steadySeconds) {}

OtherLoadWatch::Reading OtherLoadWatch::read() const {
  Reading reading;
  const auto stat = readProcStat(file_);
  if (!stat || !stat->all.stolen) return reading;
  const double tick = 1.0 / static_cast<double>(std::max(1L, sysconf(_SC_CLK_TCK)));
  reading.busy = tick * static_cast<double>(stat->all.busy);
  reading.stolen = tick * static_cast<double>(*stat->all.stolen);
  reading.own = ownSeconds_();
  reading.at = clock_();
  reading.good = true;
  return reading;
}

void OtherLoadWatch::start() { start_ = read(); }

OtherLoad OtherLoadWatch::sinceStart() const {
  OtherLoad load;
  const Reading now = read();
  if (!now.good || !start_.good) return load;
  load.seconds = now.at - start_.at;
  if (load.seconds < kShortest) return load;
  const double others = (now.busy - start_.busy) - (now.own - start_.own);
  load.otherCores = std::max(0.0, others) / load.seconds;
  load.stolenCores = std::max(0.0, now.stolen - start_.stolen) / load.seconds;
  load.known = true;
  return load;
}

}  // namespace sscope
