#include <catch2/catch.hpp>

#include "datasets/samples.h"
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
  keepPicture(picture.image, QStringLiteral("volume"));
  INFO(picture.note.toStdString());
  REQUIRE(picture.complete);
  REQUIRE(picture.image.size() == QSize(320, 240));
  CHECK(lightnessAround(picture.image, {160, 120}, 20) > 60);
}
