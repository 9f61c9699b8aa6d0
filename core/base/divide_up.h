#pragma once

#include <cstdint>

namespace sscope {

// a / b rounded up; a >= 0, b > 0. How many pieces of b cover a.
[[nodiscard]] constexpr std::int64_t divideUp(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace sscope
