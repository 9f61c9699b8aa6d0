// The line profile in the Filter room: curves of source and outputs, live, its settings and exports.

#include <QComboBox>
#include <QSplitter>
#include <QToolButton>

#include "core/base/paths.h"
#include "core/filter/job/filter_view.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/rooms/filter/filter_room.h"
#include "ui/rooms/filter/profile_panel.h"

using namespace sscope;
using namespace sscope::test;

namespace {

ProfileChart& chartOf(TestWindow& test) { return test.find<ProfileChart>("profileChart"); }

const FilterView& profileSettings(TestWindow& test) { return test.model().settings<FilterView>(); }

void pressIn(TestWindow& test, Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
  test.views().setFocus();
  QTest::keyClick(QApplication::focusWidget(), key, modifiers);
}

QStringList curveNames(TestWindow& test) {
  QStringList found;
  for (const Curve& curve : chartOf(test).plot().curves) found << curve.name;
  return found;
}

// Of the whole result, in the slice of now.
std::vector<double> exactValues(TestWindow& test, std::size_t output) {
  const FilterView& view = profileSettings(test);
  const ProfileLine line{static_cast<std::size_t>(view.profileAxis),
                         {view.profileLine[0], view.profileLine[1]},
                         {view.profileLine[2], view.profileLine[3]}};
  const auto result = test.window->live().result()->outputs.at(output)->host({});
  return profileValues(*result, test.model().crosshair()[line.axis], line.axis, profilePoints(line), 0,
                       ProfileSampling::Linear);
}

}  // namespace

TEST_CASE("P shows curves of the source and every output, which follow slices, sliders and the line") {
  TestWindow test({"gaussian:sigma=1", "sobel"}, "foam", 24);
  CHECK_FALSE(chartOf(test).isVisible());
  pressIn(test, Qt::Key_P);
  REQUIRE(chartOf(test).isVisible());
  CHECK(test.find<QToolButton>("profile").isChecked());
  CHECK(curveNames(test) == QStringList{"source", "gaussian", "sobel"});
  const auto& curves = [&]() -> const std::vector<Curve>& { return chartOf(test).plot().curves; };
  CHECK(curves()[1].y == exactValues(test, 0));
  CHECK(curves()[2].y == exactValues(test, 1));
  CHECK(curves()[0].y.front() == test.model().data().volume->value(0, 12, 12));
  const double spacing = test.model().data().volume->geometry().spacing[0];
  CHECK(curves()[0].x.back() == Approx(23 * spacing));
  CHECK_THAT(chartOf(test).plot().xLabel.toStdString(), ContainsSubstring("mm"));
  CHECK_THAT(chartOf(test).plot().note.toStdString(), ContainsSubstring("trilinear"));

  // A held slider: the curve of its filter follows, before there is a whole result.
  test.model().setHeld(true);
  const std::vector<double> before = curves()[1].y;
  test.editOption("sigma", Length{2.5, false}, "drag"_q);
  REQUIRE_SOON(curves().size() == 3 && curves()[1].y != before);
  test.model().setHeld(false);
  REQUIRE(test.waitIdle());
  CHECK(curves()[1].y == exactValues(test, 0));

  pressIn(test, Qt::Key_Up);
  CHECK(curves()[1].y == exactValues(test, 0));
  CHECK(curves()[2].y == exactValues(test, 1));
  CHECK(curves()[0].y.front() == test.model().data().volume->value(0, 12, 13));
  pressIn(test, Qt::Key_Left, Qt::ShiftModifier);
  CHECK(profileSettings(test).profileLine == std::array<double, 4>{0, 12, 22, 12});
  CHECK(curves()[0].x.back() == Approx(22 * spacing));
  test.model().undoStack().undo();
  CHECK(profileSettings(test).profileLine == std::array<double, 4>{0, 12, 23, 12});

  // Filters that come and go.
  test.model().undoStack().undo();  // the slider
  test.setBank({"gaussian:sigma=1"});
  CHECK_FALSE(chartOf(test).isVisible());  // another session
}

TEST_CASE("how a profile is read are settings, and it is exported with all its points") {
  TestWindow test({"gaussian:sigma=1"}, "foam", 16);
  pressIn(test, Qt::Key_P);
  auto& unit = test.find<QComboBox>("viewProfileUnit");
  unit.setCurrentIndex(unit.findData("voxels"_q));
  auto& sampling = test.find<QComboBox>("viewProfileSampling");
  sampling.setCurrentIndex(sampling.findData("nearest"_q));
  CHECK(chartOf(test).plot().curves[0].x.back() == Approx(15));
  CHECK_THAT(chartOf(test).plot().note.toStdString(), ContainsSubstring("nearest"));
  const std::string csv = chartOf(test).csv();
  auto& scale = test.find<QComboBox>("viewProfileScale");
  scale.setCurrentIndex(scale.findData("own"_q));
  for (const Curve& curve : chartOf(test).plot().curves) {
    CHECK(std::ranges::min(curve.y) == 0);
    CHECK(std::ranges::max(curve.y) == 1);
  }
  CHECK(chartOf(test).csv() == csv);  // the values as they are
  CHECK_THAT(csv, StartsWith("distance_voxels,x,y,z,source,gaussian\n0,0,8,8,"));
  CHECK(std::ranges::count(csv, '\n') == 32);  // 31 points

  const auto offers = test.window->roomOf<FilterRoom>().exportOffers(1);
  int found = 0;
  for (const ExportOffer& offer : offers) {
    if (!offer.suffix.startsWith("-line-profile"_q)) continue;
    ++found;
    const auto path = test.folder / ("out" + offer.suffix.toStdString());
    offer.prepare()(path, {});
    const std::string text = readTextFile(path.string());
    if (offer.suffix.endsWith(".csv"_q)) CHECK(text == csv);
    if (offer.suffix.endsWith(".svg"_q)) CHECK_THAT(text, ContainsSubstring("<svg") && ContainsSubstring("gaussian"));
    if (offer.suffix.endsWith(".png"_q)) CHECK_FALSE(QImage(QString::fromStdString(path.string())).isNull());
  }
  CHECK(found == 3);
  test.press("profileClose");
  CHECK_FALSE(chartOf(test).isVisible());
  CHECK_FALSE(profileSettings(test).profile);
  test.model().undoStack().undo();
  CHECK(chartOf(test).isVisible());
}

TEST_CASE("an image has a profile, too") {
  TestWindow test({"gaussian:sigma=2"}, "zone-plate", 64);
  pressIn(test, Qt::Key_P);
  CHECK(curveNames(test) == QStringList{"source", "gaussian"});
  CHECK_THAT(chartOf(test).plot().xLabel.toStdString(), ContainsSubstring("distance"));
  CHECK(chartOf(test).plot().curves[1].y == exactValues(test, 0));
}
