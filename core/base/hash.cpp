#include "core/base/hash.h"

#include <fmt/core.h>

namespace sscope {

std::uint64_t hashOf(std::span<const std::byte> bytes, std::uint64_t seed) {
  std::uint64_t hash = 0xcbf29ce484222325u ^ (seed * 0x9e3779b97f4a7c15u);
  for (const std::byte b : bytes) hash = (hash ^ static_cast<std::uint64_t>(b)) * 0x100000001b3u;
  return hash;
}

std::uint64_t hashOf(std::string_view text, std::uint64_t seed) {
  return hashOf(std::as_bytes(std::span(text.data(), text.size())), seed);
}

std::string hashName(std::string_view text) { return fmt::format("{:016x}{:016x}", hashOf(text), hashOf(text, 1)); }

}  // namespace sscope
