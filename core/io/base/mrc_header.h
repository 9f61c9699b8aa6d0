#pragma once
// The numbers in the header of MRC and CCP4 files, by which these are recognized.

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace sscope::io {

inline constexpr std::size_t kMrcHeader = 1024;
// Offsets in the header.
inline constexpr std::size_t kMrcExtent = 0, kMrcMode = 12, kMrcStart = 16, kMrcSamples = 28, kMrcCell = 40,
                             kMrcAngles = 52, kMrcAxes = 64, kMrcGroup = 88, kMrcMore = 92, kMrcImod = 152,
                             kMrcImodFlags = 156, kMrcOrigin = 196, kMrcWord = 208, kMrcOrder = 212;
inline constexpr std::int32_t kMrcImodStamp = 1146047817, kMrcVolumes = 401;

class MrcNumbers {
 public:
  MrcNumbers(std::string_view head, bool swapped) : head_(head), swapped_(swapped) {}
  [[nodiscard]] std::int32_t whole(std::size_t at) const { return std::bit_cast<std::int32_t>(word(at)); }
  [[nodiscard]] double real(std::size_t at) const { return static_cast<double>(std::bit_cast<float>(word(at))); }
  [[nodiscard]] bool swapped() const { return swapped_; }
  [[nodiscard]] std::array<std::int64_t, 3> wholes(std::size_t at) const {
    return {whole(at), whole(at + 4), whole(at + 8)};
  }
  [[nodiscard]] std::array<double, 3> reals(std::size_t at) const { return {real(at), real(at + 4), real(at + 8)}; }

  // Whether the numbers are plausible for a header.
  [[nodiscard]] bool likely() const {
    for (const std::int64_t n : wholes(kMrcExtent))
      if (n < 1 || n > 1 << 24) return false;
    for (const std::int64_t axis : wholes(kMrcAxes))
      if (axis < 0 || axis > 3) return false;
    return whole(kMrcMode) >= 0 && whole(kMrcMode) <= 101 && whole(kMrcMore) >= 0;
  }

 private:
  [[nodiscard]] std::uint32_t word(std::size_t at) const {
    std::uint32_t value = 0;
    std::memcpy(&value, head_.data() + at, sizeof value);
    return swapped_ ? __builtin_bswap32(value) : value;
  }

  std::string_view head_;
  bool swapped_;
};

// In the byte order of the stamp; without a stamp, in the order that gives plausible numbers. Empty: it is no header.
[[nodiscard]] inline std::optional<MrcNumbers> mrcNumbersOf(std::string_view head) {
  if (head.size() < kMrcHeader) return std::nullopt;
  constexpr bool kBig = std::endian::native == std::endian::big;
  const MrcNumbers same(head, false), other(head, true);
  const char stamp = head[kMrcOrder];
  if (stamp == 0x44 && (kBig ? other : same).likely()) return kBig ? other : same;
  if (stamp == 0x11 && (kBig ? same : other).likely()) return kBig ? same : other;
  if (same.likely()) return same;
  if (other.likely()) return other;
  return std::nullopt;
}

// Whether the first bytes of a file are a header: by its word; older programs wrote none, and there plausible numbers
// decide.
[[nodiscard]] inline bool isMrc(std::string_view head) {
  return head.size() >= kMrcHeader && head.substr(kMrcWord, 3) == "MAP" && mrcNumbersOf(head).has_value();
}
[[nodiscard]] inline bool mayBeMrc(std::string_view head) { return mrcNumbersOf(head).has_value(); }

}  // namespace sscope::io
