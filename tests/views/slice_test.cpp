#include <limits>

#include "core/volume/volume_brick.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"
#include "tests/views/views_support.h"
#include "ui/views/auto_window.h"
#include "ui/views/slice_image.h"
#include "ui/views/slice_plane.h"
#include "ui/views/view_style.h"

using namespace sscope;
using namespace sscope::test;

namespace {

Geometry rasGeometry() {  // index axes grow to the right, to anterior, to superior
  Geometry geometry;
  geometry.direction = {-1, 0, 0, 0, -1, 0, 0, 0, 1};
  return geometry;
}

std::string letters(const SlicePlane& plane) { return {plane.letters.begin(), plane.letters.end()}; }

Volume numbered(const VolumeShape& shape, ElementType type) {
  Volume volume(shape, type);
  dispatch(type, [&](auto tag) {
    using T = decltype(tag);
    std::size_t n = 0;
    for (T& element : volume.elements<T>()) element = static_cast<T>(n++ % 100);
  });
  return volume;
}

}  // namespace

TEST_CASE("slices lie as radiologists look at them") {
  const VolumeShape shape{10, 20, 30, 1};
  SECTION("left is on the right whichever way the index runs") {
    CHECK(letters(slicePlane(2, shape, {})) == "RLAP");
    CHECK(letters(slicePlane(1, shape, {})) == "RLSI");
    CHECK(letters(slicePlane(0, shape, {})) == "APSI");
    CHECK(letters(slicePlane(2, shape, rasGeometry())) == "RLAP");
    CHECK_FALSE(slicePlane(2, shape, {}).acrossFlipped);
    CHECK(slicePlane(2, shape, rasGeometry()).acrossFlipped);
    CHECK(slicePlane(2, shape, {}).upFlipped);
    CHECK_FALSE(slicePlane(2, shape, rasGeometry()).upFlipped);
    CHECK_FALSE(slicePlane(1, shape, {}).upFlipped);
  }
  SECTION("a volume acquired in sagittal slices finds its planes") {
    Geometry geometry;  // i to posterior, j to inferior, k to the right
    geometry.direction = {0, 0, -1, 1, 0, 0, 0, -1, 0};
    CHECK(indexAxesOf(geometry) == std::array<std::size_t, 3>{2, 0, 1});
    const SlicePlane sagittal = slicePlane(2, shape, geometry);
    CHECK(letters(sagittal) == "APSI");
    CHECK(sagittal.across == 0);
    CHECK(sagittal.up == 1);
    CHECK(sagittal.upFlipped);  // j grows to inferior, which is down
  }
  SECTION("only patients have sides") {
    Geometry geometry;
    geometry.unit = "um";
    CHECK(letters(slicePlane(2, shape, geometry)) == "    ");
    CHECK(letters(slicePlane(2, {10, 20, 1, 1}, {})) == "    ");
  }
  SECTION("positions and indices are inverse and count the spacing") {
    Geometry geometry = rasGeometry();
    geometry.spacing = {0.5, 2, 3};
    const SlicePlane plane = slicePlane(2, shape, geometry);
    CHECK(plane.acrossOf(9) == 0);
    CHECK(plane.acrossOf(0) == Approx(4.5));
    CHECK(plane.acrossIndex(plane.acrossOf(3.25)) == Approx(3.25));
    CHECK(plane.upIndex(plane.upOf(7)) == Approx(7));
    CHECK(plane.width() == Approx(5));
    CHECK(plane.height() == Approx(40));
  }
}

TEST_CASE("a slice holds the volume's values for every element type") {
  const ElementType type = GENERATE(from_range(std::begin(kElementTypes), std::end(kElementTypes)));
  const VolumeShape shape{5, 4, 3, 2};
  const Volume volume = numbered(shape, type);
  const SlicePlane plane = slicePlane(1, shape, {});  // x across, z up
  const SliceImage slice = extractSlice(volume, plane, 2, 1, {0, 0, 5, 3, 1});
  REQUIRE(slice.width == 5);
  REQUIRE(slice.height == 3);
  REQUIRE(slice.channels == 1);
  for (std::int64_t row = 0; row < 3; ++row)
    for (std::int64_t x = 0; x < 5; ++x)
      CHECK(static_cast<double>(slice.values[static_cast<std::size_t>(row * 5 + x)]) == volume.value(x, 2, 2 - row, 1));
}

TEST_CASE("parts of a slice and averages") {
  const VolumeShape shape{8, 6, 1, 1};
  const Volume volume = numbered(shape, ElementType::f32);
  const SlicePlane plane = slicePlane(2, shape, {});  // y grows downward
  SECTION("a part") {
    const SliceImage part = extractSlice(volume, plane, 0, 0, {2, 1, 3, 2, 1});
    REQUIRE(part.values.size() == 6);
    CHECK(static_cast<double>(part.values[0]) == volume.value(2, 3, 0));  // bottom 1 and 2 are y 4 and 3
    CHECK(static_cast<double>(part.values[5]) == volume.value(4, 4, 0));
  }
  SECTION("blocks of two by two, the last one cut") {
    const SliceImage halves = extractSlice(volume, plane, 0, 0, {0, 0, 7, 6, 2});
    CHECK(halves.width == 4);
    CHECK(halves.height == 3);
    CHECK(static_cast<double>(halves.values[0]) == Approx((0 + 1 + 8 + 9) / 4.0));
    CHECK(static_cast<double>(halves.values[3]) == Approx((6 + 14) / 2.0));
  }
}

TEST_CASE("values become grays, colors and a mark for what is no number") {
  SliceImage slice{3, 1, 1, {-5.0F, 5.0F, std::numeric_limits<float>::quiet_NaN()}};
  std::array<std::uint32_t, 3> pixels{};
  mapToPixels(slice, {0, 10}, pixels.data());
  CHECK(pixels[0] == 0xFF000000);
  CHECK((pixels[1] == 0xFF808080 || pixels[1] == 0xFF7F7F7F));
  CHECK((pixels[2] & 0xFF) != (pixels[2] >> 8 & 0xFF));  // no gray
  SliceImage color{1, 1, 3, {255, 128, 0}};
  mapToPixels(color, {0, 255}, pixels.data());
  CHECK(pixels[0] == 0xFFFF8000);
}

TEST_CASE("windows of any width and numbers of any size become grays") {
  const auto shades = [](std::array<double, 2> window, std::vector<double> values) {
    SliceImage slice{static_cast<std::int64_t>(values.size()), 1, 1, values};
    std::vector<std::uint32_t> pixels(values.size());
    mapToPixels(slice, window, pixels.data());
    for (std::uint32_t& pixel : pixels) pixel &= 0xFF;
    return pixels;
  };
  using Shades = std::vector<std::uint32_t>;
  for (const double unit : {1.0, 1e-36, 1e-42, 1e-200, 1e36, 1e200, 1e307}) {
    INFO(unit);
    // Three fifths is 153 exactly; the middle, 127.5, would be a matter of the unit's last place.
    const Shades gray = shades({0, 10 * unit}, {-unit, 0, 6 * unit, 10 * unit, 17 * unit});
    CHECK(gray == Shades{0, 0, 153, 255, 255});
  }
  // The widest of all, the narrowest, and one of no width at all.
  constexpr double kLargest = std::numeric_limits<double>::max();
  CHECK(shades({-kLargest, kLargest}, {-kLargest, 0, kLargest}) == Shades{0, 128, 255});
  CHECK(shades({0, 5e-324}, {0, 5e-324, 1}) == Shades{0, 0, 255});
  CHECK(shades({7, 7}, {6, 7, 8}) == Shades{0, 0, 255});
}

TEST_CASE("numbers beyond float32 are shown") {
  Volume volume({3, 1, 1, 1}, ElementType::f64);
  volume.elements<double>()[0] = -1e200;
  volume.elements<double>()[1] = 1e-200;
  volume.elements<double>()[2] = 1e200;
  const SliceImage slice =
      extractSlice(volume, slicePlane(2, volume.shape(), volume.geometry()), 0, 0, {0, 0, 3, 1, 1});
  std::array<std::uint32_t, 3> pixels{};
  mapToPixels(slice, {-1e200, 1e200}, pixels.data());
  CHECK(std::ranges::count(pixels, 0xFF000000U) == 1);
  CHECK(std::ranges::count(pixels, 0xFF808080U) == 1);
  CHECK(std::ranges::count(pixels, 0xFFFFFFFFU) == 1);
}

TEST_CASE("automatic windows") {
  std::vector<double> ramp;
  for (int i = 0; i <= 1000; ++i) ramp.push_back(i);
  SECTION("percentiles 1 to 99") {
    const auto window = automaticWindow(ramp);
    CHECK(window[0] == Approx(10));
    CHECK(window[1] == Approx(990));
  }
  SECTION("both signs in earnest are symmetric") {
    for (double& value : ramp) value -= 400;
    const auto window = automaticWindow(ramp);
    CHECK(window[0] == Approx(-590));
    CHECK(window[1] == Approx(590));
  }
  SECTION("a little ringing below zero is not") {
    ramp[0] = -20;
    for (int i = 1; i < 30; ++i) ramp[static_cast<std::size_t>(i)] = -20;
    CHECK(automaticWindow(ramp)[0] == Approx(-20));
    CHECK(automaticWindow(ramp)[1] == Approx(990));
  }
  SECTION("constant data have a window") {
    const auto window = automaticWindow(std::vector<double>(100, 7.0));
    CHECK(window[0] < 7);
    CHECK(window[1] > 7);
  }
  SECTION("a lone bright voxel is seen") {
    std::vector<double> lone(1000, 1.0);
    lone[3] = 9;
    CHECK(automaticWindow(lone) == std::array<double, 2>{1, 9});
  }
  SECTION("numbers that single precision cannot tell apart, or hold") {
    for (const double scale : {1.0, 1e200}) {
      Volume volume({1000, 1, 1, 1}, ElementType::f64);
      for (std::size_t i = 0; i < 1000; ++i)
        volume.elements<double>()[i] = scale * (1e9 + static_cast<double>(i) / 1000);
      const auto window = automaticWindow(volume, 0);
      CHECK(window[0] / scale - 1e9 == Approx(0.01).margin(2e-3));
      CHECK(window[1] / scale - 1e9 == Approx(0.99).margin(2e-3));
    }
    const auto constant = automaticWindow(std::vector<double>(100, 1e300));
    CHECK(constant[0] < 1e300);
    CHECK(constant[1] > 1e300);
  }
  SECTION("what is not finite does not count") {
    auto volume = markedVolume({4, 4, 4, 1}, {1, 1, 1}, 2, std::numeric_limits<float>::infinity());
    CHECK(sampleValues(*volume, 0).size() == 63);
  }
}

TEST_CASE("Hounsfield units are told from other values") {
  const auto looks = [](ElementType type, const std::vector<double>& values, const char* unit = "mm") {
    Geometry geometry;
    geometry.unit = unit;
    Volume volume({static_cast<std::int64_t>(values.size()), 1, 1, 1}, type, geometry);
    dispatch(type, [&](auto tag) {
      using T = decltype(tag);
      std::ranges::transform(values, volume.elements<T>().begin(), [](double value) { return static_cast<T>(value); });
    });
    return looksLikeHounsfield(volume);
  };
  const std::vector<double> head{-1024, -1000, -990, 0, 35, 42, 700, 1500};
  CHECK(looks(ElementType::i16, head));
  CHECK(looks(ElementType::f32, head));
  CHECK_FALSE(looks(ElementType::i16, head, "um"));
  CHECK_FALSE(looks(ElementType::u16, {0, 24, 34, 1024, 1059, 1066, 1724, 2524}));
  CHECK_FALSE(looks(ElementType::i16, {0, 20, 400, 900, 1200}));   // no air
  CHECK_FALSE(looks(ElementType::i16, {-1000, -990, 900, 1200}));  // no tissue
  CHECK_FALSE(looks(ElementType::f32, {-20000, -1000, 0, 40}));    // far below air
  CHECK_FALSE(looks(ElementType::f32, {-1, -0.5, 0, 0.5, 1}));
}

TEST_CASE("bricks average blocks and keep the place") {
  Geometry geometry;
  geometry.spacing = {1, 2, 3};
  Volume volume({6, 5, 3, 1}, ElementType::u16, geometry);
  auto elements = volume.elements<std::uint16_t>();
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<std::uint16_t>(i % 6 < 2 ? 0 : 1000);
  const VolumeBrick brick = makeBrick(volume, 0, 3, {});
  CHECK(brick.size == std::array<std::int64_t, 3>{3, 3, 3});
  CHECK(brick.reduction == 2);
  CHECK(brick.spacing == std::array<double, 3>{2, 4, 3});
  CHECK(brick.origin == std::array<double, 3>{0.5, 1, 0});
  CHECK(brick.values[0] == 0);
  CHECK(brick.values[1] == 255);
  CHECK_FALSE(brick.isSigned);
  std::stop_source stop;
  stop.request_stop();
  Control control;
  control.stop = stop.get_token();
  CHECK_THROWS_AS(makeBrick(volume, 0, 3, control), Canceled);
}

TEST_CASE("scale bars are round") {
  CHECK(roundScaleBar(73, "mm").text == "50 mm");
  CHECK(roundScaleBar(0.3, "mm").length == Approx(0.2));
  CHECK(roundScaleBar(1.5, "").text == "1 voxel");
  CHECK(roundScaleBar(0, "mm").length == 0);
}
