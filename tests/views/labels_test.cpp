// Labels over pictures: readable on any of them, and never over each other.

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "tests/support/catch.h"
#include "tests/views/views_support.h"
#include "ui/views/slice_overlay.h"
#include "ui/views/view_style.h"

using namespace sscope;
using namespace sscope::test;

namespace {

double luminance(QRgb color) {
  const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(qRed(color) / 255.0) + 0.7152 * linear(qGreen(color) / 255.0) +
         0.0722 * linear(qBlue(color) / 255.0);
}

struct Painted {
  QImage image;
  std::vector<QRectF> labels;
};

Painted paintOver(const QColor& picture, const QSize& size, bool both, const QString& resultName) {
  ViewModel model;
  model.source = markedVolume({20, 20, 20, 1}, {0, 0, 0}, 1, 2);
  model.result = model.source;
  model.shown = {both, true};
  model.names[kResultSide] = resultName;
  const SlicePlane plane = slicePlane(2, model.source->shape(), model.source->geometry());
  SliceOverlay overlay{
      .plane = plane, .model = model, .status = "previous setting"_q, .unitsPerPixel = 20.0 / size.width()};
  const double half = both ? size.width() / 2.0 : size.width();
  if (both) overlay.sides.push_back({kSourceSide, QRectF(0, 0, half, size.height()), {10, 10}});
  overlay.sides.push_back({kResultSide, QRectF(size.width() - half, 0, half, size.height()), {10, 10}});
  Painted painted{QImage(size, QImage::Format_RGB32), {}};
  painted.image.fill(picture);
  QPainter painter(&painted.image);
  painted.labels = overlay.paint(painter);
  return painted;
}

}  // namespace

TEST_CASE("labels are readable on black, gray and white pictures") {
  const int gray = GENERATE(0, 90, 128, 200, 255);
  const Painted painted = paintOver(QColor(gray, gray, gray), {500, 400}, false, "result"_q);
  keepPicture(painted.image, "labels-%1"_q.arg(gray));
  REQUIRE(painted.labels.size() >= 5);
  for (const QRectF& label : painted.labels) {
    double darkest = 1, lightest = 0;
    const QRect inside = label.toRect().adjusted(2, 2, -2, -2);
    for (int y = inside.top(); y <= inside.bottom(); ++y)
      for (int x = inside.left(); x <= inside.right(); ++x) {
        darkest = std::min(darkest, luminance(painted.image.pixel(x, y)));
        lightest = std::max(lightest, luminance(painted.image.pixel(x, y)));
      }
    CAPTURE(gray, label.x(), label.y());
    CHECK((lightest + 0.05) / (darkest + 0.05) >= 4.5);  // as WCAG 2 asks of text
  }
}

TEST_CASE("labels do not lie over each other, however small the pane is") {
  const int width = GENERATE(60, 90, 130, 180, 260, 420);
  const bool both = GENERATE(false, true);
  const Painted painted = paintOver(Qt::white, {width, width}, both, "difference"_q);
  keepPicture(painted.image, "labels-%1-%2"_q.arg(width).arg(both ? 2 : 1));
  REQUIRE_FALSE(painted.labels.empty());
  for (std::size_t i = 0; i < painted.labels.size(); ++i) {
    CAPTURE(width, both, i);
    CHECK(QRectF(0, 0, width, width).adjusted(-1, -1, 1, 1).contains(painted.labels[i]));
    for (std::size_t j = i + 1; j < painted.labels.size(); ++j)
      CHECK_FALSE(painted.labels[i].intersects(painted.labels[j]));
  }
}
