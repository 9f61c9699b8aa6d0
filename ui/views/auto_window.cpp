#include "ui/views/auto_window.h"

#include <algorithm>
#include <cmath>

#include "core/base/statistics.h"
#include "core/volume/data_kind.h"

namespace sscope {

// An odd step that shares no factor with a row of a power of two, so that the samples do not fall on one column.
std::int64_t sampleStep(std::int64_t voxels, std::size_t count) {
  const auto most = static_cast<std::int64_t>(count);
  return voxels <= most ? 1 : (voxels / most) | 1;
}

std::vector<double> sampleValues(const Volume& volume, int component, std::size_t count) {
  std::vector<double> samples;
  if (volume.empty()) return samples;
  samples.reserve(count);
  const auto components = static_cast<std::size_t>(volume.shape().components);
  const auto voxels = static_cast<std::size_t>(volume.shape().voxels());
  const auto step = static_cast<std::size_t>(sampleStep(volume.shape().voxels(), count));
  dispatch(volume.type(), [&](auto tag) {
    const auto elements = volume.elements<decltype(tag)>();
    std::size_t rotating = 0;
    for (std::size_t voxel = 0; voxel < voxels; voxel += step) {
      const std::size_t c =
          component >= 0 ? std::min(static_cast<std::size_t>(component), components - 1) : rotating++ % components;
      const auto value = static_cast<double>(elements[voxel * components + c]);
      if (std::isfinite(value)) samples.push_back(value);
    }
  });
  return samples;
}

std::array<double, 2> automaticWindow(std::vector<double> samples) {
  if (samples.empty()) return {0, 1};
  double low = percentile(samples, 0.01), high = percentile(samples, 0.99);
  if (!(high > low)) {  // nearly constant: the whole range
    const auto [least, most] = std::ranges::minmax(samples);
    low = least;
    high = most;
  }
  if (!(high > low)) {
    const double margin = std::max(0.5, 1e-6 * std::abs(low));  // 0.5 vanishes beside large numbers
    return {low - margin, high + margin};
  }
  // At least a tenth of the larger side: ringing below zero does not make positive values signed.
  if (low < 0 && high > 0 && std::min(-low, high) > 0.1 * std::max(-low, high)) {
    const double most = std::max(-low, high);
    return {-most, most};
  }
  return {low, high};
}

std::array<double, 2> automaticWindow(const Volume& volume, int component) {
  if (volume.type() == ElementType::u8 && component < 0 && volume.shape().components >= 3) return {0, 255};
  return automaticWindow(sampleValues(volume, component));
}

bool looksLikeHounsfield(const Volume& volume) {
  const bool isSigned = volume.type() != ElementType::u8 && volume.type() != ElementType::u16 &&
                        volume.type() != ElementType::u32 && volume.type() != ElementType::i8;
  if (volume.empty() || !isSigned || volume.shape().components != 1 || volume.geometry().unit != "mm") return false;
  return likeHounsfield(sampleValues(volume, 0));
}

}  // namespace sscope
