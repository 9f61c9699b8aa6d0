#pragma once
// Files that hold a filter bank or taps.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/filter/recipe.h"
#include "core/filter/stencil.h"
#include "core/volume/volume.h"

namespace sscope {

// schema "stencilscope.bank/1", see docs/manual/file-formats.md. Throws Error(NotFound, Io), or Error(BadData) naming
// the file.
[[nodiscard]] FilterBank readBankFile(const std::string& path);

// The file that the filter spec "custom:file=taps.json" reads; empty for all others.
[[nodiscard]] std::string tapsFileOf(std::string_view spec);

// A JSON file {"size":[nx,ny,nz],"taps":[x fastest...]}, with "anchor" if it is not the middle. Throws Error(NotFound,
// Io), or Error(BadData) naming the file.
[[nodiscard]] DenseTaps readTapsFile(const std::string& path);
// The text for readTapsFile, with all digits.
[[nodiscard]] std::string tapsFileText(const DenseTaps& taps);

// The maximum number of voxels that may become taps; along each axis kMaximumAxisTaps.
inline constexpr std::int64_t kMostImportedTaps = 300'000;
// Throws Error(Unsupported), beginning with `name`, for an image of this shape that has several components or too many
// voxels.
void requireTaps(const std::string& name, const VolumeShape& shape);
// The values of an image or volume as taps, unscaled, anchored in the middle. Throws as requireTaps does, and
// Error(BadData) for values that are not finite.
[[nodiscard]] DenseTaps tapsFromVolume(const std::string& name, const Volume& volume);

}  // namespace sscope
