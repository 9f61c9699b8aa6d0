#include "core/parts/slab_thickness.h"

#include <algorithm>

namespace sscope::reach {

std::int64_t wholeGrains(std::int64_t planes, std::int64_t grain) { return std::max(grain, planes / grain * grain); }

std::int64_t thickestUseful(std::int64_t planeBytes, std::int64_t around) {
  constexpr std::int64_t kBytes = std::int64_t{128} << 20, kTimesReach = 8;
  return std::max(kBytes / planeBytes, kTimesReach * around);
}

std::optional<std::int64_t> thickestThatFits(std::int64_t thick, std::int64_t grain,
                                             const std::function<bool(std::int64_t)>& fits) {
  constexpr double kLess = 0.75;
  for (;;) {
    if (fits(thick)) return thick;
    if (thick <= grain) return {};
    thick = wholeGrains(std::min(thick - 1, static_cast<std::int64_t>(static_cast<double>(thick) * kLess)), grain);
  }
}

bool isVerified(std::size_t part, std::size_t parts) {
  constexpr std::size_t kMost = 9;
  if (parts <= kMost || part + 1 == parts) return true;
  const std::size_t every = (parts + kMost - 2) / (kMost - 1);
  return part % every == 0;
}

}  // namespace sscope::reach
