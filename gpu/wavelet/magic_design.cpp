#include "gpu/wavelet/magic_design.h"

#include <algorithm>

namespace sscope {

void defineMagic(KernelSource& source, const MagicWorkload& workload, std::int64_t lowest,
                 const std::vector<MagicReach>& reach) {
  source.precision = Precision::f64;
  source.extra.emplace_back("magic_wrap.h");
  std::string list;
  for (const double tap : workload.taps()) list += (list.empty() ? "" : ",") + kernelLiteral(tap, Precision::f64);
  source.define("TAPS", std::ssize(workload.taps()));
  source.define("BAKED_TAPS", list);
  source.define("FIRST", "(" + std::to_string(workload.first()) + ")");
  const bool modulo = std::any_of(reach.begin(), reach.end(), [&](const MagicReach& axis) {
    return lowest < -axis.extent || axis.highest >= 2 * axis.extent;
  });
  source.define("MODULO", modulo ? 1 : 0);
}

std::vector<MagicLines> magicLines(const MagicWorkload& workload) {
  const auto [nx, ny, nz, nc] = workload.input().extent;
  if (workload.lines()) return {{nx, ny * nz}};
  return {{nx, ny * nz}, {ny, nz * nx}, {nz, nx * ny}};
}

}  // namespace sscope
