#pragma once
// How many dense taps a family makes at most.

#include <array>
#include <cstdint>

#include "core/filter/stencil.h"

namespace sscope {

inline constexpr std::int64_t kMostDesignedTaps = 300'000;

// Zeros of this size, anchored at size / 2. Throws Error(Usage) for more than kMostDesignedTaps.
[[nodiscard]] DenseTaps limitedTaps(const std::array<std::int64_t, 3>& size);

}  // namespace sscope
