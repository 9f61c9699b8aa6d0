#include "core/base/encoding.h"

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

namespace {
constexpr std::string_view kCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
}

int base64Bits(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

std::string toBase64(std::span<const std::byte> bytes) {
  std::string text;
  unsigned held = 0;
  int bits = 0;
  for (const std::byte byte : bytes) {
    held = held << 8 | std::to_integer<unsigned>(byte);
    for (bits += 8; bits >= 6; bits -= 6) text += kCharacters[held >> (bits - 6) & 63];
  }
  if (bits > 0) text += kCharacters[held << (6 - bits) & 63];
  text.append((4 - text.size() % 4) % 4, '=');
  return text;
}

std::vector<std::byte> fromBase64(std::string_view text) {
  std::vector<std::byte> bytes;
  unsigned held = 0;
  int bits = 0;
  for (const char c : text) {
    const int six = base64Bits(c);
    if (six < 0) break;
    held = held << 6 | static_cast<unsigned>(six);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<std::byte>(held >> bits & 255));
  }
  return bytes;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&#39;"; break;
      default: result += c;
    }
  }
  return result;
}

}  // namespace sscope
