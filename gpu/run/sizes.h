#pragma once
// Sizes of device buffers.

#include <cstdint>

namespace sscope {

// Vector loads may read (but not use) elements beyond the end of a row, so every buffer is this much longer.
inline constexpr std::int64_t kSlackBytes = 256;

[[nodiscard]] constexpr std::int64_t roundUp(std::int64_t n, std::int64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

}  // namespace sscope
