// What the 3D view makes of values beyond single precision.

#include <cmath>

#include "tests/support/catch.h"
#include "tests/views/views_support.h"
#include "ui/views/bricks.h"
#include "ui/views/volume_renderer.h"

using namespace sscope;
using namespace sscope::test;

namespace {

constexpr std::int64_t kBallEdge = 24;
constexpr double kBallMiddle = (kBallEdge - 1) / 2.0;

// 1 in a ball, falling to 0 around it; times `factor`.
std::shared_ptr<const Volume> ballTimes(double factor, ElementType type = ElementType::f64) {
  Volume volume({kBallEdge, kBallEdge, kBallEdge, 1}, type);
  std::int64_t at = 0;
  dispatch(type, [&](auto tag) {
    for (auto& element : volume.elements<decltype(tag)>()) {
      const std::int64_t x = at % kBallEdge, y = at / kBallEdge % kBallEdge, z = at / (kBallEdge * kBallEdge);
      const double r = std::hypot(static_cast<double>(x) - kBallMiddle, static_cast<double>(y) - kBallMiddle,
                                  static_cast<double>(z) - kBallMiddle);
      element = static_cast<decltype(tag)>(factor * std::clamp(9 - r, 0.0, 1.0));
      ++at;
    }
  });
  return std::make_shared<const Volume>(std::move(volume));
}

VolumePicture pictureOfBall(std::shared_ptr<const Volume> volume, VolumeMode mode) {
  VolumeRenderer::Request request;
  request.volumes = {std::move(volume), nullptr};
  request.shown = {true, false};
  request.pixels = {96, 96};
  request.look.mode = mode;
  request.camera = {.focus = {kBallMiddle, kBallMiddle, kBallMiddle},
                    .back = {0, -1, 0},
                    .up = {0, 0, 1},
                    .distance = 3.6 * kBallEdge};
  return VolumeRenderer().drawNow(request);
}

}  // namespace

TEST_CASE("means of values that single precision holds are as they were") {
  const auto volume = ballTimes(GENERATE(1.0, 1e-20, -1e25));
  const auto array = hostArray({}, volume);
  const BrickBlocks blocks = brickBlocks(volume->spec(), 0, 8);
  const DisplayMeans made = displayMeans(*array, blocks, {});
  CHECK(made.scale == 1);
  CHECK(made.means == blockMeans(*volume, blocks, {}));
}

TEST_CASE("means of values that single precision cannot hold are scaled by a power of two") {
  const double factor = GENERATE(1e200, -1e200, 1.5e308, 1e39, 1e-200, 1e-310);
  CAPTURE(factor);
  const auto volume = ballTimes(factor);
  const auto array = hostArray({}, volume);
  const BrickBlocks blocks = brickBlocks(volume->spec(), 0, 7);  // the last layer of blocks is thinner
  const DisplayMeans made = displayMeans(*array, blocks, {});
  int exponent = 0;
  CHECK(std::frexp(made.scale, &exponent) == 0.5);
  const std::vector<float> wanted = blockMeans(*ballTimes(1), blocks, {});
  REQUIRE(made.means.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const double value = static_cast<double>(made.means[i]) / made.scale / factor;
    CHECK(value == Approx(static_cast<double>(wanted[i])).margin(1e-6));
  }
}

TEST_CASE("values that are not finite, and data of nothing else, have means of 0") {
  Volume volume({4, 4, 4, 1}, ElementType::f64);
  for (double& element : volume.elements<double>()) element = std::nan("");
  volume.elements<double>()[5] = GENERATE(std::nan(""), 0.0, 1e250);
  const double one = volume.elements<double>()[5];
  const auto array = hostArray({}, std::make_shared<const Volume>(std::move(volume)));
  const DisplayMeans made = displayMeans(*array, brickBlocks(array->spec(), 0, 2), {});
  REQUIRE(made.means.size() == 8);
  CHECK(static_cast<double>(made.means[0]) / made.scale == Approx(std::isnan(one) ? 0 : one));
  CHECK(made.means[7] == 0);
}

// Not from 0 to 1, which would be shares.
TEST_CASE("values of any size look as small ones do, with their own numbers") {
  const double factor = GENERATE(1e200, 1e-200);
  const auto mode = GENERATE(VolumeMode::Composite, VolumeMode::Maximum, VolumeMode::Surface);
  CAPTURE(factor, static_cast<int>(mode));
  const VolumePicture one = pictureOfBall(ballTimes(8), mode), scaled = pictureOfBall(ballTimes(factor), mode);
  keepPicture(scaled.image, "scaled-%1-%2"_q.arg(factor).arg(static_cast<int>(mode)));
  REQUIRE(scaled.insights[0]);
  CHECK(scaled.insights[0]->levels.high == Approx(factor / 8 * one.insights[0]->levels.high).epsilon(1e-6));
  CHECK(scaled.insights[0]->levels.low == Approx(factor / 8 * one.insights[0]->levels.low).margin(1e-9 * factor));
  const int middle = 48;
  CHECK(lightnessAround(one.image, {middle, middle}, 8) > 60);
  CHECK(lightnessAround(scaled.image, {middle, middle}, 8) ==
        Approx(lightnessAround(one.image, {middle, middle}, 8)).margin(6));
  CHECK(lightnessAround(scaled.image, {8, middle}, 4) == Approx(lightnessAround(one.image, {8, middle}, 4)).margin(3));
}

TEST_CASE("the level of an isosurface of huge values is told in their numbers") {
  const VolumePicture picture = pictureOfBall(ballTimes(1e200), VolumeMode::Surface);
  CAPTURE(picture.note.toStdString());
  CHECK(picture.note.contains("e+199"_q));
  CHECK_FALSE(picture.note.contains(" 0 triangles"_q));
}
