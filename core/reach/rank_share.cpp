#include "core/reach/rank_share.h"

#include <cstring>
#include <vector>

#include "core/workload/noise.h"

namespace sscope::reach {

std::string wrongHalo(std::span<const WantedPlanes> wanted, const std::byte* slots, std::int64_t planeBytes,
                      ElementType type, std::uint64_t seed, const Control& control) {
  const std::int64_t elements = planeBytes / static_cast<std::int64_t>(bytesOf(type));
  for (const WantedPlanes& run : wanted) {
    std::vector<std::byte> planes(static_cast<std::size_t>(run.count * planeBytes));
    fillNoise({{run.begin * elements, run.count * elements, planes.data()}}, type, seed, control);
    if (std::memcmp(planes.data(), slots + run.slot * planeBytes, planes.size()) != 0)
      return "the planes " + std::to_string(run.begin) + " to " + std::to_string(run.begin + run.count - 1) +
             " that were received are wrong";
  }
  return {};
}

}  // namespace sscope::reach
