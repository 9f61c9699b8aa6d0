#pragma once
// Bytes as text of 64 characters (RFC 4648).

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sscope {

[[nodiscard]] std::string toBase64(std::span<const std::byte> bytes);
// The bytes up to the first character that is none of the 64.
[[nodiscard]] std::vector<std::byte> fromBase64(std::string_view text);
// The six bits that a character stands for; -1 for others.
[[nodiscard]] int base64Bits(char c);

}  // namespace sscope
