#pragma once
// Files with something wrong in them.

#include <cstdint>
#include <string>

namespace sscope::test {

// `content` with bytes changed, a number replaced or its end cut off, mostly in its first 400 bytes; the same for the
// same seed. `content` is not empty.
[[nodiscard]] std::string mutated(std::string content, std::uint32_t seed);

}  // namespace sscope::test
