#include "core/measure/other_load.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <string>
#include <utility>

#include "core/base/words.h"
#include "core/measure/cpu_time.h"
#include "core/measure/table.h"

namespace sscope {

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
