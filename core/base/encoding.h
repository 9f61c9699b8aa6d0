#pragma once
// Bytes and texts in another form: hashes, base64, XML.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sscope {

// FNV-1a; different seeds give different hashes of the same bytes.
[[nodiscard]] std::uint64_t hashOf(std::span<const std::byte> bytes, std::uint64_t seed = 0);
[[nodiscard]] std::uint64_t hashOf(std::string_view text, std::uint64_t seed = 0);

// 32 hexadecimal digits, the same on every machine; equal for equal texts; different texts practically never collide.
[[nodiscard]] std::string hashName(std::string_view text);

// Base64 (RFC 4648).
[[nodiscard]] std::string toBase64(std::span<const std::byte> bytes);
// The bytes up to the first character outside the alphabet.
[[nodiscard]] std::vector<std::byte> fromBase64(std::string_view text);
// The six bits of a character; -1 for a character outside the alphabet.
[[nodiscard]] int base64Bits(char c);

// The text escaped for elements and attributes of XML and HTML.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace sscope
