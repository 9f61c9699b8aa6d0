#pragma once
// Windows chosen from the values.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/volume/volume.h"

namespace sscope {

// About `count` finite values spread evenly over the volume; component -1 takes all components. Touches only those.
[[nodiscard]] std::vector<double> sampleValues(const Volume& volume, int component, std::size_t count = 1U << 15);

// The distance between the sampled voxels.
[[nodiscard]] std::int64_t sampleStep(std::int64_t voxels, std::size_t count = 1U << 15);

// Percentiles 1 to 99, never empty; symmetric about zero if both signs have values of similar magnitude.
[[nodiscard]] std::array<double, 2> automaticWindow(std::vector<double> samples);

// As above for a volume; 0..255 where it is an 8-bit color image.
[[nodiscard]] std::array<double, 2> automaticWindow(const Volume& volume, int component);

// Windows for computed tomography, in Hounsfield units (as given by radiopaedia.org, "Windowing (CT)").
struct CtWindow {
  double width, level;
};
inline constexpr CtWindow kCtBrain{80, 40}, kCtLung{1500, -600}, kCtBone{1800, 400}, kCtAbdomen{400, 50};
// Whether the values may be Hounsfield units: one signed component in millimeters that passes likeHounsfield().
[[nodiscard]] bool looksLikeHounsfield(const Volume& volume);

}  // namespace sscope
