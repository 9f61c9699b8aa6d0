#include "core/workload/noise.h"

#include <algorithm>

#include "core/base/memory.h"

namespace sscope {

namespace {

constexpr std::int64_t kPiece = 1 << 20;  // elements between two checks of the control

void skip(NoiseSource& noise, std::int64_t count, const Control& control) {
  for (; count > 0; count -= kPiece) {
    control.check();
    noise.skip(std::min(count, kPiece));
  }
}

template <class T>
void fill(NoiseSource& noise, T* to, std::int64_t count, const Control& control) {
  const double low = std::is_floating_point_v<T> ? 0 : std::max(lowestOf(ElementTypeOf<T>::value), -0x1p24);
  const double high = std::is_floating_point_v<T> ? 1 : std::min(highestOf(ElementTypeOf<T>::value), 0x1p24);
  for (std::int64_t i = 0; i < count; ++i) {
    if (i % kPiece == 0) control.check();
    to[i] = static_cast<T>(low + (high - low) * noise.next());
  }
}

}  // namespace

Volume noiseVolume(const VolumeShape& shape, ElementType type, std::uint64_t seed, const Control& control) {
  Volume volume(shape, type);
  requireMemory(volume.bytes());  // the pages are not allocated yet
  fillNoise({{0, shape.elements(), volume.data()}}, type, seed, control);
  return volume;
}

void fillNoise(std::vector<NoiseRun> runs, ElementType type, std::uint64_t seed, const Control& control) {
  std::sort(runs.begin(), runs.end(), [](const NoiseRun& a, const NoiseRun& b) { return a.begin < b.begin; });
  NoiseSource noise(seed);
  std::int64_t at = 0;
  for (const NoiseRun& run : runs) {
    if (run.begin < at) {  // requested twice
      noise = NoiseSource(seed);
      at = 0;
    }
    skip(noise, run.begin - at, control);
    dispatch(type, [&](auto tag) { fill(noise, reinterpret_cast<decltype(tag)*>(run.to), run.count, control); });
    at = run.begin + run.count;
  }
}

}  // namespace sscope
