#include "core/workload/noise.h"

#include <algorithm>

#include "core/base/memory.h"

namespace sscope {

Volume noiseVolume(const VolumeShape& shape, ElementType type, std::uint64_t seed, const Control& control) {
  Volume volume(shape, type);
  requireMemory(volume.bytes());  // the pages are not there yet
  NoiseSource noise(seed);
  dispatch(type, [&](auto tag) {
    using T = decltype(tag);
    const double low = std::is_floating_point_v<T> ? 0 : std::max(lowestOf(type), -0x1p24);
    const double high = std::is_floating_point_v<T> ? 1 : std::min(highestOf(type), 0x1p24);
    std::size_t count = 0;
    for (T& element : volume.elements<T>()) {
      if ((++count & 0xFFFFF) == 0) control.check();
      element = static_cast<T>(low + (high - low) * noise.next());
    }
  });
  return volume;
}

}  // namespace sscope
