#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace sscope::test {

// FIPS 180-4, as 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256(std::span<const std::byte> data);

}  // namespace sscope::test
