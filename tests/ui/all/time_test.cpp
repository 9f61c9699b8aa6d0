// Files with several points in time: the window opens the first and has a slider for the others.

#include <QLabel>
#include <QSlider>
#include <QToolButton>

#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/rooms/filter/filter_room.h"
#include "ui/rooms/wavelet/wavelet_room.h"
#include "ui/views/volume_views.h"
#include "ui/window/bars.h"

using namespace sscope;
using namespace sscope::test;
namespace fs = std::filesystem;

namespace {

constexpr int kFrames = 5;

// Voxel values tell the frame and the channel: 100 * frame + 10 * channel + x.
LoadedVolume seriesOf(int channels) {
  LoadedVolume made;
  made.volume = Volume({12, 10, 8, kFrames * channels}, ElementType::i16);
  const auto values = made.volume.elements<std::int16_t>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto component = static_cast<int>(i) % (kFrames * channels),
               x = static_cast<int>(i) / (kFrames * channels) % 12;
    values[i] = static_cast<std::int16_t>(100 * (component / channels) + 10 * (component % channels) + x);
  }
  made.info.metadata.frames = kFrames;
  return made;
}

struct SeriesTest : TestWindow {
  fs::path write(const char* name, int channels = 1) {
    const LoadedVolume made = seriesOf(channels);
    WriteOptions how;
    how.metadata = made.info.metadata;
    workshop.io->write(folder / name, made.volume, how, {});
    return folder / name;
  }
  QSlider& slider() { return find<QSlider>("timeFrame"); }
  FrameLoader& frames() { return window->frames(); }
  const OpenData& data() { return model().data(); }
  // The frame that is open and everything about it.
  bool waitFrame(int frame) {
    return wait([&] { return !frames().busy() && data().frame == frame && first() == 100 * frame; }) && waitIdle();
  }
  double first() { return data().volume->value(0, 0, 0); }
};

}  // namespace

TEST_CASE("the first of several points in time is opened, and a slider loads the others") {
  SeriesTest test;
  const char* name = GENERATE("run.nii", "run.nrrd", "run.tif");
  INFO(name);
  test.setBank({"gaussian:sigma=1", "box"});
  REQUIRE(test.openSample("gyroid", 8));
  CHECK_FALSE(test.slider().isVisible());
  const std::string path = test.write(name).string();
  REQUIRE(test.openFile(path));
  REQUIRE(test.waitFrame(0));
  CHECK(test.data().volume->shape() == VolumeShape{12, 10, 8, 1});
  REQUIRE(test.slider().isVisible());
  CHECK(test.slider().maximum() == kFrames - 1);

  ViewState view = test.model().view();
  view.crosshair = {2, 3, 4};
  view.sourceWindow = ValueWindow{-5, 500};
  view.shownFilter = "box";
  test.model().setView(view);
  const FilterBank bank = test.model().bank();
  const int steps = test.model().undoStack().count();
  test.slider().setFocus();
  QTest::keyClick(&test.slider(), Qt::Key_Right);
  REQUIRE(test.waitFrame(1));
  CHECK(test.find<QLabel>("timeFrameText").text() == "t 1 / 4"_q);
  QTest::keyClick(&test.slider(), Qt::Key_End);
  REQUIRE(test.waitFrame(kFrames - 1));
  CHECK(test.model().view() == view);
  CHECK(test.views().crosshair() == VoxelIndex{2, 3, 4});
  CHECK(test.views().sourceWindow() == ValueWindow{-5, 500});
  CHECK(test.model().bank() == bank);
  CHECK(test.model().undoStack().count() == steps);
  CHECK_FALSE(test.model().dirty());
  CHECK(test.data().source.path == path + "@t=4");
  CHECK(test.window->live().result()->outputs[1]->host({})->value(5, 5, 5) == Approx(405));

  // Other data have no time.
  REQUIRE(test.openSample("gyroid", 8));
  CHECK_FALSE(test.slider().isVisible());
}

TEST_CASE("comma and period step through time, and all of it can be opened at once") {
  SeriesTest test;
  test.setBank({"box"});
  REQUIRE(test.openFile(test.write("cells.nii", 2)));
  REQUIRE(test.waitFrame(0));
  CHECK(test.data().volume->shape().components == 2);
  QTest::keyClick(&test.views(), Qt::Key_Period);
  QTest::keyClick(&test.views(), Qt::Key_Period);
  QTest::keyClick(&test.views(), Qt::Key_Comma);
  REQUIRE(test.waitFrame(1));
  test.click("timeAll");
  REQUIRE_SOON(!test.frames().busy() && !test.data().frame);
  CHECK(test.data().volume->shape().components == 2 * kFrames);
  CHECK(test.data().source.path == (test.folder / "cells.nii").string());
  test.slider().setValue(3);
  REQUIRE(test.waitFrame(3));
}

TEST_CASE("many moves through time end at the newest") {
  SeriesTest test;
  test.setBank({"box"});
  REQUIRE(test.openFile(test.write("run.nii.gz")));
  REQUIRE(test.waitFrame(0));
  for (const int frame : {1, 2, 3, 4, 3, 2}) test.slider().setValue(frame);
  CHECK(test.slider().value() == 2);
  REQUIRE(test.waitFrame(2));
  CHECK(test.slider().value() == 2);
}

TEST_CASE("a saved session opens at its point in time, in another folder, too") {
  const TemporaryFolder folder;
  {
    SeriesTest test;
    test.setBank({"box"});
    const fs::path file = test.write("run.nii.gz");
    REQUIRE(test.openFile(file));
    REQUIRE(test.waitFrame(0));
    test.slider().setValue(3);
    REQUIRE(test.waitFrame(3));
    test.save(toQt((test.folder / "work.json").string()));
    for (const char* name : {"run.nii.gz", "work.json"}) fs::copy(test.folder / name, folder / name);
  }
  SeriesTest test;
  REQUIRE(test.openFile(folder / "work.json"));
  REQUIRE(test.waitFrame(3));
  CHECK(test.slider().isVisible());
  CHECK(test.slider().value() == 3);
  test.slider().setValue(1);
  REQUIRE(test.waitFrame(1));
}

TEST_CASE("a point in time that cannot be read any more leaves the open one") {
  SeriesTest test;
  test.setBank({"box"});
  const fs::path file = test.write("run.nii");
  REQUIRE(test.openFile(file.string() + "@t=2"));  // the others are not at hand
  REQUIRE(test.waitFrame(2));
  CHECK(test.slider().value() == 2);
  fs::remove(file);
  test.slider().setValue(4);
  auto& notice = test.find<Notice>("dataNotice");
  REQUIRE_SOON(notice.isVisible() && !test.frames().busy());
  CHECK(notice.message().contains("run.nii"_q));
  CHECK(test.slider().value() == 2);
  CHECK(test.first() == 200);
}

TEST_CASE("the wavelet room follows the point in time") {
  SeriesTest test;
  test.window->enterRoom("wavelet");
  REQUIRE(test.openFile(test.write("run.nrrd")));
  REQUIRE_SOON(test.window->roomOf<WaveletRoom>().controller().current());
  CHECK(test.slider().isVisible());
  test.slider().setValue(4);
  REQUIRE_SOON(test.data().frame == 4 && test.window->roomOf<WaveletRoom>().controller().current());
  CHECK(test.window->roomOf<WaveletRoom>().controller().result()->source->value(0, 0, 0) == 400);
  test.window->enterRoom("ladders");
  CHECK_FALSE(test.slider().isVisible());
}
