#include <QApplication>
#include <QMouseEvent>

#include "tests/support/catch.h"
#include "tests/support/support.h"
#include "tests/views/views_support.h"
#include "ui/charts/histogram_view.h"

using namespace sscope;
using namespace sscope::test;

TEST_CASE("histograms count every voxel") {
  SECTION("integers: one bin a value") {
    Volume volume({10, 10, 10, 1}, ElementType::i16);
    auto elements = volume.elements<std::int16_t>();
    for (std::size_t i = 0; i < elements.size(); ++i)
      elements[i] = static_cast<std::int16_t>(static_cast<int>(i % 5) - 2);
    const Histogram h = makeHistogram(volume, 0, 256, {});
    REQUIRE(h.counts.size() == 5);
    for (const auto count : h.counts) CHECK(count == 200);
    CHECK(h.low == -2.5);
    CHECK(h.edge(1) == -1.5);
  }
  SECTION("wide integers share bins") {
    Volume volume({100, 100, 1, 1}, ElementType::u16);
    auto elements = volume.elements<std::uint16_t>();
    for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<std::uint16_t>(i);
    const Histogram h = makeHistogram(volume, 0, 256, {});
    CHECK(h.edge(1) - h.edge(0) == 40);
    CHECK(h.counts.size() == 250);
    CHECK(h.counts[0] == 40);
    CHECK(h.counts[249] == 40);
  }
  SECTION("floats, with some that are no numbers") {
    auto volume = markedVolume({10, 10, 10, 1}, {1, 2, 3}, 1, std::numeric_limits<float>::quiet_NaN());
    const Histogram h = makeHistogram(*volume, 0, 16, {});
    CHECK(h.nonFinite == 1);
    std::int64_t sum = 0;
    for (const auto count : h.counts) sum += count;
    CHECK(sum == 999);
  }
  SECTION("the largest and the smallest doubles") {
    for (const double unit : {std::numeric_limits<double>::max(), 1.0, 0x1p-1030}) {
      CAPTURE(unit);
      Volume volume({5, 1, 1, 1}, ElementType::f64);
      const double values[] = {-unit, -0.5 * unit, 0, 0.5 * unit, unit};
      std::copy_n(values, 5, volume.elements<double>().begin());
      const Histogram h = makeHistogram(volume, 0, 4, {});
      CHECK(h.counts == std::vector<std::int64_t>{1, 1, 1, 2});
      CHECK(h.edge(2) == 0);
      CHECK(h.position(0.5 * unit) == Approx(0.75));
    }
  }
  SECTION("components apart and together") {
    Volume volume({4, 4, 1, 3}, ElementType::u8);
    auto elements = volume.elements<std::uint8_t>();
    for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<std::uint8_t>(i % 3);
    CHECK(makeHistogram(volume, 2, 8, {}).counts == std::vector<std::int64_t>{16});
    CHECK(makeHistogram(volume, -1, 8, {}).counts == std::vector<std::int64_t>{16, 16, 16});
  }
}

TEST_CASE("a bin is as tall as its count says, beside any other") {
  HistogramView view;
  usePalette(view, false);
  showAt(view, {360, 130});
  const auto shapeOf = [&](std::int64_t background) {
    Volume volume({background / 100, 100, 1, 1}, ElementType::u8);
    auto elements = volume.elements<std::uint8_t>();
    std::ranges::fill(elements, std::uint8_t{0});
    for (std::size_t i = 0; i < 1000; ++i) elements[i] = static_cast<std::uint8_t>(1 + i % 10);
    bool ready = false;
    const auto link = QObject::connect(&view, &HistogramView::histogramReady, [&] { ready = true; });
    view.setVolume(std::make_shared<const Volume>(std::move(volume)));
    CHECK(waitFor([&] { return ready; }));
    QObject::disconnect(link);
    return pictureOf(view);
  };
  const QImage image = shapeOf(1'000'000);
  keepPicture(image, "histogram-background"_q);
  // The height of the bar at a share of the axis, counted from the ground.
  const auto heightAt = [](const QImage& picture, double share) {
    const int x = static_cast<int>(picture.width() * share);
    int height = 0;
    for (int y = 0; y < picture.height(); ++y) {
      const QRgb pixel = picture.pixel(x, y);
      if (qBlue(pixel) > qRed(pixel) + 60) ++height;
    }
    return height;
  };
  const int background = heightAt(image, 0.16), others = heightAt(image, 0.7);
  CHECK(background > 50);
  CHECK(others > 10);
  CHECK(others < 0.6 * background);  // a hundred beside a million
  CHECK(heightAt(shapeOf(10'000), 0.7) > others);
  CHECK(shortCount(940) == "940");
  CHECK(shortCount(1000) == "1k");
  CHECK(shortCount(6'700'000) == "6.7M");
  CHECK(shortCount(33'000) == "33k");
}

TEST_CASE("the histogram is counted aside and its markers move") {
  HistogramView view;
  showAt(view, {360, 130});
  auto volume = std::make_shared<const Volume>(randomVolume({32, 32, 32, 1}, ElementType::f32, 3));
  bool ready = false;
  QObject::connect(&view, &HistogramView::histogramReady, [&] { ready = true; });
  view.setVolume(markedVolume({4, 4, 4, 1}, {0, 0, 0}, 1, 2));
  view.setVolume(volume);  // the newest wins
  view.setWindow(std::array{-0.5, 0.5});
  REQUIRE(waitFor([&] { return ready; }));
  std::int64_t sum = 0;
  for (const auto count : view.histogram().counts) sum += count;
  CHECK(sum == 32 * 32 * 32);
  const QImage image = pictureOf(view);
  keepPicture(image, "histogram"_q);
  CHECK(lightnessAround(image, {180, 90}, 3) < lightnessAround(image, {180, 4}, 1) - 20);

  std::array<double, 2> edited{};
  QObject::connect(&view, &HistogramView::windowEdited, [&](double low, double high) { edited = {low, high}; });
  const auto send = [&](QEvent::Type type, double x) {
    QMouseEvent event(type, {x, 60}, view.mapToGlobal(QPointF(x, 60)), Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&view, &event);
  };
  // The cursor shows where the lower marker can be taken.
  double from = 0;
  while (from < view.width() && view.cursor().shape() != Qt::SplitHCursor) send(QEvent::MouseMove, ++from);
  double to = from;
  while (view.cursor().shape() == Qt::SplitHCursor) send(QEvent::MouseMove, ++to);
  const double marker = (from + to) / 2;
  CHECK(marker > 0.2 * view.width());
  CHECK(marker < 0.4 * view.width());
  send(QEvent::MouseButtonPress, marker);
  send(QEvent::MouseMove, marker + 40);
  send(QEvent::MouseButtonRelease, marker + 40);
  CHECK(edited[0] > -0.45);
  CHECK(edited[0] < 0);
  CHECK(edited[1] == 0.5);
  CHECK(view.csv().starts_with("from,to,count\n"));
}
