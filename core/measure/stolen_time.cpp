#include "core/measure/stolen_time.h"

#include <utility>

namespace sscope {

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

}  // namespace sscope
