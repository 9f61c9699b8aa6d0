// Pictures of slices as large as on the screen.

#include <QImage>
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "tests/support/catch.h"
#include "ui/views/slice_image.h"

using namespace sscope;

namespace {

// Another level in each channel of each pixel.
QImage colorful(int width, int height) {
  QImage image(width, height, QImage::Format_RGB32);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      image.setPixelColor(x, y, QColor((37 * x + 91 * y) % 256, (113 * x + 5 * y) % 256, (x * y * 29) % 256));
  return image;
}

double exactLevel(const QImage& picture, double x, double y, int shift) {
  const double u = std::clamp(x, 0.0, picture.width() - 1.0), v = std::clamp(y, 0.0, picture.height() - 1.0);
  const int left = static_cast<int>(u), top = static_cast<int>(v);
  const int right = std::min(left + 1, picture.width() - 1), bottom = std::min(top + 1, picture.height() - 1);
  const auto at = [&](int column, int row) { return static_cast<double>(picture.pixel(column, row) >> shift & 255U); };
  const double s = u - left, t = v - top;
  return (1 - t) * ((1 - s) * at(left, top) + s * at(right, top)) +
         t * ((1 - s) * at(left, bottom) + s * at(right, bottom));
}

double largestError(const StretchedPicture& made, const QImage& picture, const QRectF& target) {
  double largest = 0;
  for (int y = 0; y < made.image().height(); ++y)
    for (int x = 0; x < made.image().width(); ++x) {
      const double u = (made.corner().x() + x + 0.5 - target.left()) / target.width() * picture.width() - 0.5;
      const double v = (made.corner().y() + y + 0.5 - target.top()) / target.height() * picture.height() - 0.5;
      for (const int shift : {0, 8, 16}) {
        const double level = made.image().pixel(x, y) >> shift & 255U;
        largest = std::max(largest, std::abs(level - exactLevel(picture, u, v, shift)));
      }
    }
  return largest;
}

}  // namespace

TEST_CASE("a stretched picture is interpolated between the centers of its pixels", "[views]") {
  const QRect seen(0, 0, 200, 150);
  const auto [width, height] = GENERATE(std::pair(23, 17), std::pair(1, 1), std::pair(40, 1), std::pair(1, 30));
  const QRectF target =
      GENERATE(QRectF(10.3, 5.6, 140.4, 120.9), QRectF(-300.2, -250.7, 900, 700), QRectF(3, 4, 31, 20));
  const QImage picture = colorful(width, height);
  StretchedPicture made;
  made.update(picture, target, seen);
  REQUIRE_FALSE(made.image().isNull());
  CHECK(largestError(made, picture, target) < 2);
  // Every pixel of the screen whose center is covered, and no other.
  const QRectF covered = target & QRectF(seen);
  CHECK(made.corner() ==
        QPoint(static_cast<int>(std::ceil(covered.left() - 0.5)), static_cast<int>(std::ceil(covered.top() - 0.5))));
  CHECK(made.corner().x() + made.image().width() == static_cast<int>(std::ceil(covered.right() - 0.5)));
  CHECK(made.corner().y() + made.image().height() == static_cast<int>(std::ceil(covered.bottom() - 0.5)));
}

TEST_CASE("a stretched picture follows its picture and its place", "[views]") {
  const QRect seen(0, 0, 60, 50);
  const QRectF target(2, 3, 40, 30);
  QImage picture = colorful(8, 6);
  StretchedPicture made;
  made.update(picture, target, seen);
  const auto before = made.image().cacheKey();
  made.update(picture, target, seen);
  CHECK(made.image().cacheKey() == before);  // nothing was painted again
  // As a slice that is mapped anew into the same memory.
  std::fill_n(reinterpret_cast<QRgb*>(picture.bits()), 48, qRgb(10, 20, 30));
  made.update(picture, target, seen);
  CHECK(made.image().pixel(20, 15) == qRgb(10, 20, 30));
  made.update(picture, target.translated(5, -1), seen);
  CHECK(made.corner() == QPoint(7, 2));
  made.update(picture, target.translated(500, 0), seen);
  CHECK(made.image().isNull());
  made.update({}, target, seen);
  CHECK(made.image().isNull());
}
