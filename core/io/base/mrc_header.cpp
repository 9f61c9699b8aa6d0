#include "core/io/base/mrc_header.h"

namespace sscope::io {

std::optional<MrcNumbers> mrcNumbersOf(std::string_view head) {
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

bool isMrc(std::string_view head) {
  return head.size() >= kMrcHeader && head.substr(kMrcWord, 3) == "MAP" && mrcNumbersOf(head).has_value();
}

bool mayBeMrc(std::string_view head) { return mrcNumbersOf(head).has_value(); }

}  // namespace sscope::io
