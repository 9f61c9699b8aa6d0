#include "gpu/filter/candidates.h"

#include <cstdint>
#include <string>

namespace sscope {

namespace {

// Walks along larger filters hold too many sums to be worth compiling.
constexpr std::int64_t kWalkTaps = 121, kWalkRows = 11;

}  // namespace

std::vector<OptionValues> tunedBankCandidates(const FilterWorkload& workload) {
  std::vector<OptionValues> list{{}};
  const auto filters = static_cast<std::int64_t>(workload.operators().size());
  const std::int64_t most = workload.precision() == Precision::f32 ? 8 : 4;
  for (const std::int64_t together : {4, 2, 3, 6, 1, 5})
    if (together < filters && together < most) list.push_back({{"together", together}});
  return list;
}

std::vector<OptionValues> tunedConv2dCandidates(const FilterWorkload& workload) {
  std::vector<OptionValues> list{{}};
  const DenseTaps& box = workload.stencil(0).dense;
  if (box.count() > kWalkTaps || box.size[1] > kWalkRows) return list;
  const auto add = [&](std::int64_t walk) {
    if (walk <= workload.input().extent[1]) list.push_back({{"method", std::string("walk")}, {"walk", walk}});
  };
  for (const std::int64_t walk : {32, 24}) add(walk);
  list.push_back({{"method", std::string("tile")}});
  for (const std::int64_t walk : {48, 16, 64, 29, 43, 8}) add(walk);
  return list;
}

std::vector<OptionValues> tunedSoupCandidates(const FilterWorkload& workload) {
  std::vector<OptionValues> list{{}};
  // The own choice is 2 rows of 8; wider blocks than rows divide into would be narrowed to those that are here anyway.
  const auto add = [&](std::int64_t rows, std::int64_t columns) {
    if (columns == 4 || workload.input().extent[0] % columns == 0)
      list.push_back({{"rows", rows}, {"columns", std::to_string(columns)}});
  };
  for (const std::int64_t rows : {1, 4, 3}) add(rows, 8);
  for (const std::int64_t columns : {16, 4})
    for (const std::int64_t rows : {2, 1, 4, 3}) add(rows, columns);
  return list;
}

}  // namespace sscope
