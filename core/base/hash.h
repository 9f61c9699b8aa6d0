#pragma once
// Hashes, and short names for long texts.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sscope {

// FNV-1a; different seeds give different hashes of the same bytes.
[[nodiscard]] std::uint64_t hashOf(std::span<const std::byte> bytes, std::uint64_t seed = 0);
[[nodiscard]] std::uint64_t hashOf(std::string_view text, std::uint64_t seed = 0);

// 32 hexadecimal digits, the same on every machine; equal for equal texts; different texts practically never collide.
[[nodiscard]] std::string hashName(std::string_view text);

}  // namespace sscope
