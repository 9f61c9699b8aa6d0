#include <vector>

#include "datasets/samples.h"
#include "tests/support/catch.h"
#include "tests/views/views_support.h"
#include "ui/views/volume_renderer.h"

using namespace sscope;
using namespace sscope::test;

TEST_CASE("the 3D view draws its volume") {
  auto volume = std::make_shared<const Volume>(makeSample("shepp-logan", 64, 1, {}));
  VolumeRenderer renderer;
  VolumeRenderer::Request request;
  request.volumes = {volume, nullptr};
  request.shown = {true, false};
  request.pixels = {320, 240};
  request.camera =
      startPose(volume->geometry().toPhysical({31.5, 31.5, 31.5}), 55 * volume->geometry().spacing[0], 4.0 / 3);
  const VolumePicture picture = renderer.drawNow(request);
  keepPicture(picture.image, "volume"_q);
  INFO(picture.note.toStdString());
  REQUIRE(picture.complete);
  REQUIRE(picture.image.size() == QSize(320, 240));
  CHECK(lightnessAround(picture.image, {160, 120}, 20) > 60);
}

TEST_CASE("phases of either end of the circle look the same side by side") {
  const auto picture = [](double other) {
    Volume phases({24, 24, 24, 1}, ElementType::f64, {});
    const auto elements = phases.elements<double>();
    for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = (i + i / 24 + i / 576) % 2 == 0 ? 3.14 : other;
    VolumeRenderer renderer;
    VolumeRenderer::Request request;
    request.volumes = {std::make_shared<const Volume>(std::move(phases)), nullptr};
    request.shown = {true, false};
    request.colors = ColorMap::Cyclic;
    request.windows[0] = {-3.14, 3.14};
    request.pixels = {160, 120};
    request.camera = startPose({11.5, 11.5, 11.5}, 20, 4.0 / 3);
    return renderer.drawNow(request).image;
  };
  const QImage same = picture(3.14), ends = picture(-3.14);
  keepPicture(ends, "phases"_q);
  REQUIRE(ends.size() == QSize(160, 120));
  const double light = lightnessAround(same, {80, 60}, 20);
  CHECK(light > 30);
  CHECK(lightnessAround(ends, {80, 60}, 20) == Approx(light).margin(3));
}

TEST_CASE("a picture in tiles shows the same as a coarse one in one piece") {
  // The request goes from coarse (one piece) to fine (tiles): their means agree everywhere.
  auto volume = std::make_shared<const Volume>(makeSample("gyroid", 48, 1, {}));
  VolumeRenderer renderer;
  std::vector<VolumePicture> pictures;
  QObject::connect(&renderer, &VolumeRenderer::drawn,
                   [&](const VolumePicture& picture) { pictures.push_back(picture); });
  VolumeRenderer::Request request;
  request.volumes = {volume, volume};
  request.shown = {true, true};
  request.pixels = {322, 242};  // not divisible by the number of tiles
  const double edge = 47 * volume->geometry().spacing[0];
  request.camera = startPose(volume->geometry().toPhysical({23.5, 23.5, 23.5}), 0.8 * edge, 0.66);
  renderer.request(request);
  REQUIRE(waitFor([&] { return !pictures.empty() && pictures.back().complete; }, 120000));
  const QImage last = pictures.back().image;
  REQUIRE(last.size() == request.pixels);
  const QImage first = pictures.front().image.scaled(last.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
  keepPicture(first, "tiles-first"_q);
  keepPicture(last, "tiles-last"_q);
  for (int y = 20; y < 240; y += 40)
    for (int x = 20; x < 320; x += 40) {
      CAPTURE(x, y);
      CHECK(lightnessAround(first, {x, y}, 19) == Approx(lightnessAround(last, {x, y}, 19)).margin(22));
    }
}
