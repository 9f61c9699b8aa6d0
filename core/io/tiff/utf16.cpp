#include "core/io/tiff/utf16.h"

namespace sscope::io {

namespace {

constexpr std::uint32_t kNone = 0xfffd, kHigh = 0xd800, kLow = 0xdc00, kEnd = 0xe000, kPlane = 0x10000;

void appendUtf8(std::string& text, std::uint32_t code) {
  const auto last = [&](int shift) { text += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0 | code >> 6);
    last(0);
  } else if (code < kPlane) {
    text += static_cast<char>(0xe0 | code >> 12);
    last(6);
    last(0);
  } else {
    text += static_cast<char>(0xf0 | code >> 18);
    last(12);
    last(6);
    last(0);
  }
}

}  // namespace

std::string fromUtf16(std::string_view bytes, bool bigEndian) {
  const auto unit = [&](std::size_t at) {
    const auto a = static_cast<unsigned char>(bytes[at]), b = static_cast<unsigned char>(bytes[at + 1]);
    return static_cast<std::uint32_t>(bigEndian ? a << 8 | b : b << 8 | a);
  };
  std::string text;
  for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
    std::uint32_t code = unit(at);
    if (code >= kHigh && code < kEnd) {
      const bool pair = code < kLow && at + 3 < bytes.size() && unit(at + 2) >= kLow && unit(at + 2) < kEnd;
      code = pair ? kPlane + ((code - kHigh) << 10) + (unit(at + 2) - kLow) : kNone;
      at += pair ? 2 : 0;
    }
    appendUtf8(text, code);
  }
  return text;
}

std::vector<std::byte> toUtf16(std::string_view text) {
  std::vector<std::byte> bytes;
  const auto add = [&](std::uint32_t code) {
    const auto unit = static_cast<std::uint16_t>(code);
    const auto two = std::as_bytes(std::span(&unit, 1));
    bytes.insert(bytes.end(), two.begin(), two.end());
  };
  for (std::size_t at = 0; at < text.size();) {
    const auto first = static_cast<unsigned char>(text[at++]);
    const std::size_t more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    std::uint32_t code = more == 0 ? first : first & (0x3fU >> more);
    bool whole = first < 0x80 || first >= 0xc0;
    for (std::size_t i = 0; i < more && whole; ++i) {
      whole = at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80;
      if (whole) code = code << 6 | (static_cast<unsigned char>(text[at++]) & 0x3fU);
    }
    if (!whole) code = kNone;
    if (code < kPlane) {
      add(code);
    } else {
      add(kHigh + ((code - kPlane) >> 10));
      add(kLow + ((code - kPlane) & 0x3ff));
    }
  }
  return bytes;
}

}  // namespace sscope::io
