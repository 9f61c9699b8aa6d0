#include <QWindow>
#include <catch2/catch.hpp>

#include "datasets/samples.h"
#include "tests/views/views_support.h"
#include "ui/views/volume_pane.h"
#include "ui/views/volume_views.h"

using namespace sscope;
using namespace sscope::test;

TEST_CASE("a look at the views") {
  for (const char* name : {"shepp-logan", "marschner-lobb", "gyroid", "zone-plate"}) {
    auto volume = std::make_shared<const Volume>(makeSample(name, 0, 1, {}));
    VolumeViews views;
    views.setSource(volume);
    views.setShow(VolumeViews::Show::Source);
    showAt(views, {1000, 800});
    auto* pane = views.findChild<VolumePane*>();
    waitFor([&] { return !pane->refining(); });
    keepPicture(pictureOf(views), QStringLiteral("look-%1").arg(QLatin1String(name)));
    CHECK(true);
  }
}
