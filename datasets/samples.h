#pragma once
// Built-in samples: generated, deterministic, the same bytes for the same size and seed on every machine.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/control.h"
#include "core/volume/volume.h"

namespace sscope {

inline constexpr std::int64_t kLargestSample = 16384;  // voxels along each edge; of volumes less
struct Sample {
  std::string name;         // "marschner-lobb"
  std::string label;        // "Marschner-Lobb"
  std::string description;  // one or two sentences with the source
  int dimensions = 3;
  std::int64_t defaultSize = 128;  // voxels along each edge
  std::function<Volume(std::int64_t size, std::uint64_t seed, const Control&)> make;
};

// In display order; the window starts with the first.
[[nodiscard]] std::span<const Sample> samples();
// Throws Error(NotFound) listing the names.
[[nodiscard]] const Sample& sample(std::string_view name);
// size 0 means the default. Throws Error(Usage) for sizes outside 1..2048 (3D) or 1..16384 (2D).
[[nodiscard]] Volume makeSample(std::string_view name, std::int64_t size, std::uint64_t seed, const Control& control);

}  // namespace sscope
