// Engines timed against each other in the Wavelet room: medians of quiet repetitions, as in the Filter room.

#include <QCheckBox>
#include <QToolButton>

#include "tests/support/catch.h"
#include "tests/ui/compared_window.h"
#include "ui/charts/engine_charts.h"
#include "ui/rooms/wavelet/wavelet_room.h"
#include "ui/window/bars.h"

using namespace sscope;
using namespace sscope::test;

namespace {

// A window with a small transform, and one engine that is compared with the shown one.
class ComparedWavelets : public ComparedWindow {
 public:
  explicit ComparedWavelets(std::int64_t size = 24) {
    window->enterRoom("wavelet");
    const QSignalSpy loaded(&window->loader(), &DataLoader::loaded);
    window->loader().openSample("marschner-lobb", size);
    REQUIRE_SOON(!loaded.isEmpty() && wavelets().current() && wavelets().verification() != nullptr);
    shown = wavelets().engineId();
    REQUIRE(shown != other);
    comparing = [this] { return wavelets().comparing(); };
  }
  WaveletController& wavelets() { return window->roomOf<WaveletRoom>().controller(); }
};

}  // namespace

TEST_CASE("in the wavelet room what ranks engines is repeated in turns, too") {
  ComparedWavelets test;
  CHECK(test.row(test.shown).provisional);
  CHECK_FALSE(test.row(test.other).measured);
  test.compare();
  REQUIRE(test.waitSamples(compare::kShortRepetitions));
  CHECK(test.samples(test.shown) == compare::kShortRepetitions);
  CHECK(test.samples(test.other) == compare::kShortRepetitions);
  for (const std::string& id : {test.shown, test.other}) CHECK(test.row(id).verified);
  const QString tip = test.find<TimeChart>("timeChart").rowTip(0);
  CHECK_THAT(tip.toStdString(), ContainsSubstring("n=5") && ContainsSubstring("quartiles"));
  const QSignalSpy ready(&test.wavelets(), &WaveletController::ready);
  test.click("repeatComparison");
  REQUIRE(test.waitSamples(2 * compare::kShortRepetitions));
  CHECK(test.samples(test.shown) == 2 * compare::kShortRepetitions);
  CHECK(ready.isEmpty());  // the pictures are not made again
}

TEST_CASE("in the wavelet room the shown engine alone is repeated where none is compared") {
  ComparedWavelets test;
  QTest::keyClick(test.window.get(), Qt::Key_F5, Qt::ShiftModifier);
  REQUIRE_SOON(test.samples(test.shown) == compare::kShortRepetitions);
  CHECK_FALSE(test.row(test.other).measured);
}

TEST_CASE("Esc and Cancel stop the timing of transforms and leave the result as it is") {
  ComparedWavelets test(128);
  const QString said = test.window->statusLine().text();
  CHECK_THAT(said.toStdString(), ContainsSubstring("ran on"));
  const auto result = test.wavelets().result();
  const QSignalSpy canceled(&test.wavelets(), &WaveletController::canceled);
  test.compare();
  REQUIRE_SOON(test.wavelets().comparing());
  SECTION("Esc") {
    QTest::keyClick(test.window.get(), Qt::Key_Escape);
    CHECK_FALSE(test.wavelets().comparing());
  }
  SECTION("Cancel") {
    auto& button = test.find<QToolButton>("cancelRun");
    REQUIRE_SOON(button.isVisible());
    CHECK(test.window->statusLine().text() == said);
    QTest::mouseClick(&button, Qt::LeftButton);
  }
  CHECK_FALSE(test.wavelets().comparing());
  CHECK(canceled.isEmpty());
  CHECK(test.wavelets().result() == result);
  CHECK(test.wavelets().current());
  CHECK(test.window->statusLine().text() == said);
  CHECK_FALSE(test.find<QToolButton>("cancelRun").isVisible());
  // It stays stopped until somebody asks again.
  QTest::qWait(50);
  CHECK_FALSE(test.wavelets().comparing());
}

TEST_CASE("a threshold keeps the times of transforms, another wavelet makes them pale") {
  ComparedWavelets test;
  test.compare();
  REQUIRE(test.waitSamples(compare::kShortRepetitions));
  WaveletSettings settings = test.model().settings<WaveletSettings>();
  const auto edit = [&] {
    test.model().edit(settings);
    REQUIRE_SOON(test.wavelets().current());
  };
  settings.automatic = false;
  settings.threshold = 1;
  edit();
  CHECK(test.samples(test.shown) == compare::kShortRepetitions);
  CHECK(test.samples(test.other) == compare::kShortRepetitions);
  test.model().setHeld(true);  // nothing is timed while a control is held
  settings.wavelet = "haar";
  edit();
  CHECK(test.row(test.other).stale);
  CHECK(test.row(test.shown).provisional);
  test.model().setHeld(false);
  REQUIRE(test.waitSamples(compare::kShortRepetitions));
}

TEST_CASE("leaving the wavelet room stops the timing, coming back goes on with it") {
  ComparedWavelets test(128);
  test.compare();
  REQUIRE_SOON(test.wavelets().comparing());
  test.window->enterRoom("filter");
  CHECK_FALSE(test.wavelets().comparing());
  test.window->enterRoom("wavelet");
  REQUIRE(test.waitSamples(compare::kShortRepetitions));
  CHECK(test.samples(test.other) == compare::kShortRepetitions);
}

TEST_CASE("Esc stops the verification of a transform, and the status line says so") {
  ComparedWavelets test;
  test.compare();
  REQUIRE(test.waitSamples(compare::kShortRepetitions));
  // The moment it is there its verification begins.
  QObject::connect(
      &test.wavelets(), &WaveletController::ready, test.window.get(),
      [&] { QTest::keyClick(test.window.get(), Qt::Key_Escape); }, Qt::SingleShotConnection);
  WaveletSettings settings = test.model().settings<WaveletSettings>();
  settings.wavelet = "haar";
  test.model().edit(settings);
  REQUIRE_SOON(test.wavelets().current() && test.wavelets().verification() != nullptr);
  CHECK_FALSE(test.wavelets().verification()->verified);
  CHECK_THAT(test.status(), ContainsSubstring("not verified: canceled"));
  QTest::qWait(200);
  CHECK_FALSE(test.wavelets().verification()->verified);
  CHECK_FALSE(test.wavelets().comparing());
}
