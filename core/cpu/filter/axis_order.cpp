#include "core/cpu/filter/axis_order.h"

#include <algorithm>
#include <array>

namespace sscope::cpu {

namespace {

// The axis whose elements fill the vectors: x, where elements are neighbors in memory, unless the region is a
// slice across x.
std::size_t vectorAxis(const FilterWorkload& workload) {
  constexpr std::int64_t kEnough = 32;
  if (workload.planned()[0] >= kEnough) return 0;
  std::size_t longest = 0;
  for (std::size_t a = 1; a < 3; ++a)
    if (workload.planned()[a] > 4 * workload.planned()[longest]) longest = a;
  return longest;
}

AxisOrder withRows(std::size_t x, bool swap) {
  const std::size_t lower = x == 0 ? 1 : 0, upper = x == 2 ? 1 : 2;
  return swap ? AxisOrder{x, upper, lower} : AxisOrder{x, lower, upper};
}

}  // namespace

// Rows share input vectors when there are several of them and several taps across.
AxisOrder denseOrder(const FilterWorkload& workload, const std::vector<std::size_t>& filters) {
  const std::size_t x = vectorAxis(workload);
  const AxisOrder plain = withRows(x, false);
  std::array<std::int64_t, 3> taps{1, 1, 1};
  for (const std::size_t f : filters)
    for (std::size_t a = 0; a < 3; ++a) taps[a] = std::max(taps[a], workload.operators()[f].size()[a]);
  const auto sharing = [&](std::size_t axis) {
    return std::min({taps[axis], workload.planned()[axis], std::int64_t{5}});
  };
  return withRows(x, sharing(plain[2]) > sharing(plain[1]));
}

// Planes are walked along, which needs no halo; an image filtered in its plane is one plane. A slice of a volume,
// thinner than the taps across it, is walked along its rows instead, so that the planes it needs beside it are packed
// once.
AxisOrder separableOrder(const FilterWorkload& workload, std::size_t filter) {
  const std::size_t x = vectorAxis(workload);
  const AxisOrder plain = withRows(x, false);
  const auto size = [&](std::size_t axis) { return workload.planned()[axis]; };
  const bool slice =
      size(plain[1]) > 4 * size(plain[2]) && workload.operators()[filter].size()[plain[2]] > size(plain[2]);
  return withRows(x, slice);
}

}  // namespace sscope::cpu
