#include "core/base/words.h"

#include <array>
#include <cstddef>
#include <new>
#include <system_error>

#include <fmt/core.h>

namespace sscope {

std::string bytesText(double bytes) {
  constexpr std::array<const char*, 7> kUnits = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
  return unit == 0 ? fmt::format("{:.0f} bytes", bytes) : fmt::format("{:.1f} {}", bytes, kUnits[unit]);
}

std::string mebibytes(std::int64_t bytes) { return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB"; }

std::string wordsOf(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return "not enough memory; use smaller data or fewer filters, or close other programs";
  if (const auto* failed = dynamic_cast<const std::system_error*>(&error);
      failed != nullptr && failed->code() == std::errc::resource_unavailable_try_again)
    return "the system cannot start another thread; close other programs, or raise the limit, as with `ulimit -u "
           "unlimited`";
  return error.what();
}

std::string inOneLine(std::string_view text) {
  std::string line;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = [&](std::size_t behind) {
      return at + behind < text.size() ? static_cast<unsigned char>(text[at + behind]) : 0U;
    };
    const unsigned first = byte(0), second = byte(1), third = byte(2);
    // In UTF-8, U+0080 to U+009F have two bytes, U+2028 to U+202E and U+2066 to U+2069 have three.
    const bool control = first == 0xc2 && second >= 0x80 && second <= 0x9f;
    const bool separator = first == 0xe2 && ((second == 0x80 && third >= 0xa8 && third <= 0xae) ||
                                             (second == 0x81 && third >= 0xa6 && third <= 0xa9));
    line += control || separator || first < 0x20 || first == 0x7f ? '?' : text[at];
    at += control ? 1 : separator ? 2 : 0;
  }
  return line;
}

std::string shortened(std::string_view text, std::size_t most) {
  constexpr std::string_view kDots = "\u2026";
  if (text.size() <= most) return std::string(text);
  std::size_t kept = most - kDots.size();
  while (kept > 0 && (static_cast<unsigned char>(text[kept]) & 0xc0) == 0x80) --kept;  // inside a character
  return std::string(text.substr(0, kept)).append(kDots);
}

}  // namespace sscope
