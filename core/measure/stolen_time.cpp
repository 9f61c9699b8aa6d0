#include "core/measure/stolen_time.h"

#include <array>
#include <fstream>
#include <numeric>
#include <string>
#include <utility>

namespace sscope {

StolenTime::StolenTime(std::filesystem::path file) : file_(std::move(file)), begin_(read()) {}

// The line "cpu user nice system idle iowait irq softirq steal ...", in ticks of all cores since the start. What
// follows (guests) is contained in the first two.
std::optional<StolenTime::Ticks> StolenTime::read() const {
  std::ifstream file(file_);
  std::string name;
  std::array<std::uint64_t, 8> fields{};
  if (!(file >> name) || name != "cpu") return {};
  for (std::uint64_t& field : fields)
    if (!(file >> field)) return {};
  return Ticks{fields[7], std::accumulate(fields.begin(), fields.end(), std::uint64_t{0})};
}

std::optional<double> StolenTime::share() const {
  const std::optional<Ticks> now = read();
  if (!begin_ || !now || now->total <= begin_->total || now->stolen < begin_->stolen) return {};
  return static_cast<double>(now->stolen - begin_->stolen) / static_cast<double>(now->total - begin_->total);
}

}  // namespace sscope
