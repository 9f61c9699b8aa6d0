#pragma once
// Boundary rules: the values outside the image, under scipy.ndimage's names.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sscope {

//             outside | inside  | outside
// constant    V V V V | a b c d | V V V V
// nearest     a a a a | a b c d | d d d d
// mirror      d c b   | a b c d | c b a      (edge element once)
// reflect     d c b a | a b c d | d c b a    (edge element twice)
// wrap        a b c d | a b c d | a b c d
enum class Boundary : std::uint8_t { constant, nearest, mirror, reflect, wrap };

inline constexpr Boundary kBoundaries[] = {Boundary::constant, Boundary::nearest, Boundary::mirror, Boundary::reflect,
                                           Boundary::wrap};

[[nodiscard]] std::string_view toString(Boundary boundary);
[[nodiscard]] std::optional<Boundary> parseBoundary(std::string_view text);

// Maps any index i onto 0..n-1 (n >= 1), or gives -1 for the constant V. Valid for any distance from the image: kernels
// may be wider than the volume.
[[nodiscard]] constexpr std::int64_t boundaryIndex(std::int64_t i, std::int64_t n, Boundary boundary) {
  if (i >= 0 && i < n) return i;
  const auto positiveModulo = [](std::int64_t a, std::int64_t m) { return ((a % m) + m) % m; };
  switch (boundary) {
    case Boundary::constant: return -1;
    case Boundary::nearest: return i < 0 ? 0 : n - 1;
    case Boundary::wrap: return positiveModulo(i, n);
    case Boundary::mirror: {
      if (n == 1) return 0;
      const std::int64_t folded = positiveModulo(i, 2 * n - 2);
      return folded < n ? folded : 2 * n - 2 - folded;
    }
    case Boundary::reflect: {
      const std::int64_t folded = positiveModulo(i, 2 * n);
      return folded < n ? folded : 2 * n - 1 - folded;
    }
  }
  return -1;
}

// A half-open range of positions along one axis.
struct Range {
  std::int64_t begin = 0, end = 0;
  [[nodiscard]] std::int64_t size() const { return end - begin; }
  bool operator==(const Range&) const = default;
};

// The smallest range within 0..n-1 that `taps` taps with this anchor read for the positions `outputs`; {0, 1} if they
// read only the constant.
[[nodiscard]] Range reachOf(const Range& outputs, std::int64_t taps, std::int64_t anchor, std::int64_t n,
                            Boundary boundary);

// Exactly the positions that they read: ranges in ascending order that do not touch; none if they read only the
// constant.
[[nodiscard]] std::vector<Range> placesRead(const Range& outputs, std::int64_t taps, std::int64_t anchor,
                                            std::int64_t n, Boundary boundary);

// The union of ranges in any order: in ascending order, none that touch, none empty.
[[nodiscard]] std::vector<Range> united(std::vector<Range> ranges);

}  // namespace sscope
