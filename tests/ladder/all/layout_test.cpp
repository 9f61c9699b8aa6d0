// Figures as drawings: what the window plays and the page writes.

#include <algorithm>
#include <cmath>

#include "core/report/axis_scale.h"
#include "core/report/figure_layout.h"
#include "core/report/svg.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::report;

namespace {

// Every character is half as wide as a line is high.
class EvenFont : public FontMeasure {
 public:
  [[nodiscard]] double line() const override { return 16; }
  [[nodiscard]] double width(std::string_view text, bool) const override {
    return 8.0 * static_cast<double>(text.size());
  }
};

DisplayList drawn(const Figure& figure, double width, std::span<const Measurement> measurements = {},
                  double height = 0) {
  const EvenFont font;
  return layOut({figure, measurements, std::vector<SeriesLook>(figure.series.size()), font}, width, height);
}

FigureSeries barsOf(const std::string& name, SeriesOrigin origin, const std::vector<double>& lengths) {
  FigureSeries series;
  series.name = series.stack = name;
  series.origin = origin;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const auto category = static_cast<double>(i);
    series.points.push_back({category, lengths[i], lengths[i], name + " " + std::to_string(i), {}});
  }
  return series;
}

Figure barFigure(std::vector<FigureSeries> series) {
  Figure figure;
  figure.kind = FigureKind::StackedBars;
  figure.y = {"time", "ms", false};
  figure.categories = {"slow", "fast", "faster"};
  figure.series = std::move(series);
  return figure;
}

const Text* textIn(const DisplayList& list, const std::string& words) {
  for (const DisplayItem& item : list.items)
    if (const auto* text = std::get_if<Text>(&item.what); text != nullptr && text->text == words) return text;
  return nullptr;
}

const Rectangle& barOf(const DisplayList& list, std::size_t series, std::size_t point) {
  for (const DisplayItem& item : list.items)
    if (item.target && list.targets[*item.target].series == series && list.targets[*item.target].point == point)
      return std::get<Rectangle>(item.what);
  FAIL("no bar");
  throw std::logic_error("unreachable");
}

// No coordinate leaves the drawing.
void checkInside(const DisplayList& list) {
  const auto inside = [&](Point p) {
    return p.x >= -0.5 && p.x <= list.width + 0.5 && p.y >= -0.5 && p.y <= list.height + 0.5;
  };
  for (const DisplayItem& item : list.items) {
    if (const auto* rectangle = std::get_if<Rectangle>(&item.what)) {
      CHECK(inside({rectangle->box.left, rectangle->box.top}));
      CHECK(inside({rectangle->box.right(), rectangle->box.bottom()}));
    }
    if (const auto* line = std::get_if<Polyline>(&item.what))
      for (const Point& point : line->points) CHECK(inside(point));
    if (const auto* text = std::get_if<Text>(&item.what)) CHECK(inside(text->at));
  }
}

}  // namespace

TEST_CASE("ticks are round and hold the data") {
  const AxisScale linear = scaleFor({"y", "", false}, {12, 47}, false, 0, 100, 5);
  CHECK(linear.ticks == std::vector<double>{0, 10, 20, 30, 40, 50});
  CHECK(linear.at(25) == Approx(50));
  const AxisScale log = scaleFor({"y", "", true}, {0.03, 7, -1}, false, 0, 100, 8);
  CHECK(log.low <= 0.03);
  CHECK(log.high >= 7);
  CHECK(log.at(log.low) == Approx(0).margin(1e-9));
  CHECK(log.at(log.high) == Approx(100));
  CHECK_FALSE(log.shows(0));
  const AxisScale time = scaleFor({"time", "s", false}, {0.002}, false, 0, 100, 4);
  CHECK(time.title == "time, ms");
  CHECK(time.label(0.002) == "2");
  CHECK(valueText({"time", "s", false}, 0.0123) == "12.3\u202Fms");
  CHECK(valueText({"kernels", "", false}, 4) == "4");
}

TEST_CASE("whiskers span the quartiles, for times and for rates") {
  Measurement m;
  m.samples = {1, 2, 3, 6, 9};
  FigurePoint point;
  point.measurement = 0;
  const auto milliseconds = spreadAt({&m, 1}, point, 3000, {"time", "ms", false});
  REQUIRE(milliseconds);
  CHECK(milliseconds->low == Approx(2000));
  CHECK(milliseconds->high == Approx(6000));
  const auto share = spreadAt({&m, 1}, point, 30, {"share of the peak", "%", false});
  REQUIRE(share);
  CHECK(share->low == Approx(15));
  CHECK(share->high == Approx(45));
}

TEST_CASE("whiskers stay inside their figure") {
  Measurement m;
  m.samples = {1, 1, 3, 60, 90};
  Figure figure;
  figure.y = {"share of the peak", "%", false};
  FigureSeries series;
  for (const double x : {1.0, 2.0}) series.points.push_back({x, 40, 40, "", 0});
  figure.series.push_back(series);
  const DisplayList list = drawn(figure, 400, {&m, 1}, 300);
  CHECK(list.height == 300);
  CHECK(list.targets.size() == 2);
  CHECK(list.items.size() > drawn(figure, 400).items.size());  // whiskers need the measurements
  checkInside(list);
  checkInside(drawn(figure, 150, {&m, 1}));
}

TEST_CASE("a point is found at its place, and the nearest of those that overlap") {
  DisplayList list;
  for (const double left : {0.0, 6.0}) {
    list.beginTarget({{left, 0, 10, 10}, 0, static_cast<std::size_t>(left), ""});
    list.endTarget();
  }
  CHECK(list.targetAt({2, 5}) == 0);
  CHECK(list.targetAt({7, 5}) == 0);
  CHECK(list.targetAt({9, 5}) == 1);
  CHECK_FALSE(list.targetAt({30, 5}));
}

TEST_CASE("a bar that dwarfs the others is cut where stacks have panels of their own") {
  const Figure figure = barFigure({barsOf("a", SeriesOrigin::Measured, {148, 3, 2})});
  const DisplayList list = drawn(figure, 600);
  const double width = barOf(list, 0, 1).box.width;
  CHECK(barOf(list, 0, 0).box.width < 2 * width);
  CHECK(barOf(list, 0, 2).box.width == Approx(width * 2 / 3));
  CHECK(textIn(list, "148\u202Fms") != nullptr);
  checkInside(list);
  Figure beside = figure;
  beside.beside = true;
  const DisplayList whole = drawn(beside, 600);
  CHECK(barOf(whole, 0, 0).box.width == Approx(148.0 / 3 * barOf(whole, 0, 1).box.width));
}

TEST_CASE("stacks have a panel each side by side as far as there is room, or share one") {
  Figure figure = barFigure(
      {barsOf("cpu:a", SeriesOrigin::Measured, {9, 3, 2}), barsOf("a device", SeriesOrigin::Published, {900, 300})});
  const DisplayList wide = drawn(figure, 800);
  CHECK(barOf(wide, 0, 0).box.top == barOf(wide, 1, 0).box.top);
  CHECK(barOf(wide, 0, 0).box.right() < barOf(wide, 1, 0).box.left);
  CHECK(barOf(wide, 0, 0).box.width == Approx(barOf(wide, 1, 0).box.width).epsilon(0.3));  // an axis each
  CHECK(textIn(wide, "not stated") != nullptr);
  CHECK(textIn(wide, "not run") == nullptr);
  const DisplayList narrow = drawn(figure, 350);
  CHECK(barOf(narrow, 0, 0).box.left == barOf(narrow, 1, 0).box.left);
  CHECK(narrow.height > 1.5 * wide.height);
  figure.beside = true;
  const DisplayList together = drawn(figure, 800);
  CHECK(barOf(together, 0, 0).box.left == barOf(together, 1, 0).box.left);
  CHECK(barOf(together, 1, 0).box.width == Approx(100 * barOf(together, 0, 0).box.width));
  for (const DisplayList& list : {wide, narrow, together}) checkInside(list);
}

TEST_CASE("heat maps keep published means beside the map of their rung") {
  Figure figure;
  figure.kind = FigureKind::HeatMap;
  figure.value = {"rate", "GFLOP/s", false};
  FigureSeries map, mean, other;
  map.name = "tiled, cpu:a";
  map.variant = mean.variant = "tiled";
  for (const double x : {3.0, 5.0})
    for (const double y : {3.0, 5.0, 7.0}) map.points.push_back({x, y, x * y, "", {}});
  mean.origin = other.origin = SeriesOrigin::Published;
  mean.hardware = other.hardware = "a device";
  mean.average = other.average = 12.5;
  other.variant = "naive";
  figure.series = {map, mean, other};
  const DisplayList list = drawn(figure, 700);
  CHECK(list.targets.size() == 6);
  CHECK(textIn(list, "naive") != nullptr);
  CHECK(std::count_if(list.items.begin(), list.items.end(), [](const DisplayItem& item) {
          const auto* text = std::get_if<Text>(&item.what);
          return text != nullptr && text->text == "a device: 12.5\u202FGFLOP/s";
        }) == 2);
  // The largest value at the upper right, bright.
  const Rectangle& largest = barOf(list, 0, 5);
  CHECK(largest.paint.rgb == magnitudeRgb(1));
  CHECK(largest.box.left > barOf(list, 0, 2).box.left);
  CHECK(largest.box.top < barOf(list, 0, 3).box.top);
  checkInside(list);
}

TEST_CASE("long words are shortened in their middle, characters left whole") {
  const EvenFont font;
  CHECK(elided(font, "shared", 48) == "shared");
  CHECK(elided(font, "shared-coalesced", 48) == "sh…d");
  CHECK(elided(font, "ääääää", 48) == "ä…");
}
