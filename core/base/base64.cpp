#include "core/base/base64.h"

namespace sscope {

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

}  // namespace sscope
