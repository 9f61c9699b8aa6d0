#pragma once
// Text of 16-bit units and of UTF-8, one from the other. What is no text becomes U+FFFD.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sscope::io {

// `bytes` in the order that is said.
[[nodiscard]] std::string fromUtf16(std::string_view bytes, bool bigEndian);
// In this machine's order.
[[nodiscard]] std::vector<std::byte> toUtf16(std::string_view text);

}  // namespace sscope::io
