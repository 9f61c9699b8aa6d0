#include "ui/views/slice_stretch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace sscope {

namespace {

constexpr int kOne = 256;  // weights are multiples of 1/256
constexpr std::uint64_t kHalves = 0x0080008000800080U;

// Between pixel `first` and the next one.
struct Between {
  int first = 0, second = 0;
  std::uint32_t weight = 0;  // of the second
};

// For `count` pixels of the screen from `begin` on.
std::vector<Between> placesOf(int begin, int count, double from, double length, int pixels) {
  std::vector<Between> places(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const double at = std::clamp((begin + i + 0.5 - from) / length * pixels - 0.5, 0.0, pixels - 1.0);
    const int first = static_cast<int>(at);
    places[static_cast<std::size_t>(i)] = {first, std::min(first + 1, pixels - 1),
                                           static_cast<std::uint32_t>(std::lround((at - first) * kOne))};
  }
  return places;
}

// The first and the last but one of the pixels whose centers lie between two positions.
std::pair<int, int> centersBetween(double from, double to, int least, int most) {
  const double begin = std::clamp(std::ceil(from - 0.5), static_cast<double>(least), static_cast<double>(most));
  const double end = std::clamp(std::ceil(to - 0.5), begin, static_cast<double>(most));
  return {static_cast<int>(begin), static_cast<int>(end)};
}

// The four bytes of a pixel, 16 bits apart, so that one multiplication weights them all; and back.
std::uint64_t spread(std::uint32_t pixel) {
  return (pixel | static_cast<std::uint64_t>(pixel) << 24) & 0x00FF00FF00FF00FFU;
}
std::uint32_t joined(std::uint64_t spread) { return static_cast<std::uint32_t>(spread | spread >> 24); }

void widen(const std::uint32_t* row, const std::vector<Between>& columns, std::uint32_t* out) {
  for (const Between& column : columns) {
    const std::uint64_t sum =
        spread(row[column.first]) * (kOne - column.weight) + spread(row[column.second]) * column.weight;
    *out++ = joined((sum + kHalves) >> 8 & 0x00FF00FF00FF00FFU);
  }
}

// Byte by byte.
void mix(const uchar* __restrict first, const uchar* __restrict second, std::uint32_t weight, std::size_t bytes,
         uchar* __restrict out) {
  const auto b = static_cast<std::uint16_t>(weight), a = static_cast<std::uint16_t>(kOne - weight);
  for (std::size_t i = 0; i < bytes; ++i)
    out[i] = static_cast<uchar>(static_cast<std::uint16_t>(first[i] * a + second[i] * b + kOne / 2) >> 8);
}

}  // namespace

void StretchedPicture::update(const QImage& picture, const QRectF& target, const QRect& seen) {
  if (picture.cacheKey() == picture_ && target == target_ && seen == seen_) return;
  picture_ = picture.cacheKey();
  target_ = target;
  seen_ = seen;
  const auto [left, right] = centersBetween(target.left(), target.right(), seen.left(), seen.left() + seen.width());
  const auto [top, bottom] = centersBetween(target.top(), target.bottom(), seen.top(), seen.top() + seen.height());
  const QSize size(right - left, bottom - top);
  corner_ = {left, top};
  if (picture.isNull() || size.isEmpty()) {
    image_ = {};
    return;
  }
  if (image_.size() != size) image_ = QImage(size, QImage::Format_RGB32);
  const auto columns = placesOf(left, size.width(), target.left(), target.width(), picture.width());
  const auto rows = placesOf(top, size.height(), target.top(), target.height(), picture.height());
  // Rows of the picture as wide as on the screen: of those that are mixed, one is in the even and one in the odd place.
  std::array<std::vector<std::uint32_t>, 2> wide;
  std::array<int, 2> held{-1, -1};
  const auto widened = [&](int row) -> const std::uint32_t* {
    const auto place = static_cast<std::size_t>(row & 1);
    if (std::exchange(held[place], row) != row) {
      wide[place].resize(columns.size());
      widen(reinterpret_cast<const std::uint32_t*>(picture.constScanLine(row)), columns, wide[place].data());
    }
    return wide[place].data();
  };
  for (int y = 0; y < size.height(); ++y) {
    const Between& place = rows[static_cast<std::size_t>(y)];
    mix(reinterpret_cast<const uchar*>(widened(place.first)), reinterpret_cast<const uchar*>(widened(place.second)),
        place.weight, columns.size() * 4, image_.scanLine(y));
  }
}

}  // namespace sscope
