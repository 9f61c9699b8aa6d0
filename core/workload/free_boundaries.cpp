#include "core/workload/free_boundaries.h"

#include <algorithm>

#include "core/base/error.h"

namespace sscope {

std::int64_t PeriodicPart::period() const { return std::min(count() + taps - 1, whole); }

AxisMap PeriodicPart::input() const {
  AxisMap map(static_cast<std::size_t>(whole), -1);
  const std::int64_t from = period() == whole ? 0 : begin + first;
  for (std::int64_t p = 0; p < period(); ++p) map[static_cast<std::size_t>(((from + p) % whole + whole) % whole)] = p;
  return map;
}

AxisMap PeriodicPart::output() const {
  AxisMap map;
  for (std::int64_t i = 0; i < count(); ++i) map.push_back(period() == whole ? begin + i : i - first);
  return map;
}

Box inWhole(const std::optional<PeriodicPart>& part, Box box) {
  if (!part) return box;
  box.begin[part->axis] += part->begin;
  box.end[part->axis] += part->begin;
  return box;
}

std::optional<std::size_t> cutAxis(const std::array<std::int64_t, 4>& extent, const Box& box, bool& several) {
  std::optional<std::size_t> cut;
  several = false;
  for (std::size_t a = 0; a < 3; ++a) {
    if (box.begin[a] < 0 || box.end[a] > extent[a] || box.begin[a] >= box.end[a])
      throw Error(ErrorKind::Usage, "the region lies outside the data", "choose a region inside");
    if (box.begin[a] == 0 && box.end[a] == extent[a]) continue;
    several = several || cut.has_value();
    cut = a;
  }
  return cut;
}

}  // namespace sscope
