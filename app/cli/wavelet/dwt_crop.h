#pragma once
// The option --size of the inverse wavelet transform.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/volume/volume.h"

namespace sscope::cli {

// Only axes of one sample may be left away: less than an axis has is wanted by nobody who does not say so. Empty for an
// empty list. Throws Error(Usage).
[[nodiscard]] std::optional<std::array<std::int64_t, 3>> cropOf(const std::vector<std::int64_t>& size,
                                                                const VolumeShape& shape);

}  // namespace sscope::cli
