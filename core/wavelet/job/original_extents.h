#pragma once
// The extents that data had before a transform extended them, as an annotation of the coefficients: the inverse takes
// them back.

#include <array>
#include <cstdint>
#include <optional>

#include "core/volume/metadata.h"
#include "core/volume/volume.h"

namespace sscope {

void noteExtents(Metadata& metadata, const VolumeShape& original);
// Removes the annotation. Empty where there is none that makes sense for coefficients of this shape.
[[nodiscard]] std::optional<std::array<std::int64_t, 3>> takeExtents(Metadata& metadata,
                                                                     const VolumeShape& coefficients);

}  // namespace sscope
