#pragma once
// How long buffers on devices are.

#include <cstdint>

namespace sscope {

// Vectors at the end of a row may be read (never used) beyond it; every buffer is this much longer.
inline constexpr std::int64_t kSlackBytes = 256;

[[nodiscard]] constexpr std::int64_t roundUp(std::int64_t n, std::int64_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

}  // namespace sscope
