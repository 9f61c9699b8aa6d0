// What the window says of waiting: keys that hold a slider, the time to the pixels, predictions, where results live.

#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>

#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/text.h"
#include "ui/charts/histogram_view.h"
#include "ui/charts/wait_chart.h"
#include "ui/controls/buttons.h"
#include "ui/controls/labels.h"
#include "ui/controls/value_slider.h"
#include "ui/rooms/filter/filter_room.h"

using namespace sscope;
using namespace sscope::test;

TEST_CASE("keys and the wheel hold a slider until they pause") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 24);
  LiveController& live = test.window->live();
  const QSignalSpy verified(&live, &LiveController::verified);
  QSignalSpy held(&test.model(), &SessionModel::heldChanged);
  const auto step = [&](const char* where) {
    auto& widget = test.find<QWidget>(where);
    widget.setFocus();
    QTest::keyClick(&widget, Qt::Key_Up);
  };
  // Nothing between the steps that takes time: a pause ends the hold.
  step("sigma.slider");
  CHECK(test.model().held());
  step("sigma.box");
  CHECK(test.model().held());
  CHECK(held.count() == 1);  // one hold, however many steps
  CHECK(verified.isEmpty());
  REQUIRE_SOON(!test.model().held());
  CHECK(held.count() == 2);
  REQUIRE_SOON(!verified.isEmpty() && !live.busy());

  // The mouse lets go by itself.
  step("sigma.slider");
  test.model().setHeld(true);
  QTest::qWait(static_cast<int>(2 * kBriefHold.count()));
  CHECK(test.model().held());
  step("sigma.slider");
  QTest::qWait(static_cast<int>(2 * kBriefHold.count()));
  CHECK(test.model().held());
  test.model().setHeld(false);
}

TEST_CASE("the time from the slider to the pixels is measured, with its parts") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 24);
  auto& chart = test.find<WaitChart>("waitChart");
  CHECK_FALSE(chart.wait());  // nobody waited for opening the data as for a slider
  CHECK(chart.isHidden());
  auto& slider = test.find<ValueSlider>("sigma.slider");
  slider.setFocus();
  for (int steps = 1; steps <= 3; ++steps) {
    QElapsedTimer clock;
    clock.start();
    QTest::keyClick(&slider, Qt::Key_Right);
    REQUIRE_SOON(chart.wait() && chart.wait()->steps == steps);
    const Wait wait = *chart.wait();
    CHECK(wait.slices == 3);
    CHECK(wait.kernel > 0);
    CHECK(wait.pictures > 0);
    CHECK(wait.rest() > 0);
    if (steps == 1) CHECK(wait.total <= 1e-9 * static_cast<double>(clock.nsecsElapsed()));
    REQUIRE(test.waitIdle());
  }
  CHECK(chart.isVisible());
  const std::string tip = chart.point(chart.rect().center()).toStdString();
  for (const char* part : {"kernel", "copies", "pictures", "rest", "from the slider to the pixels"})
    CHECK_THAT(tip, ContainsSubstring(part));
  CHECK_THAT(chart.csv(), ContainsSubstring("pictures_s,total_s\n"));
}

TEST_CASE("the list of variants says what each is expected to take, and the last run how it came out") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 24);
  auto& list = test.find<QComboBox>("variant");
  REQUIRE_SOON(list.itemText(0).contains("predicted"_q));
  int predicted = 0;
  for (int i = 0; i < list.count(); ++i) predicted += list.itemText(i).contains("predicted"_q) ? 1 : 0;
  CHECK(predicted >= 3);
  auto& last = test.find<ElidedLabel>("prediction");
  CHECK(last.wholeText().endsWith(QLatin1Char('%')));
  CHECK_THAT(last.toolTip().toStdString(), ContainsSubstring("took"));
  // Long ones are wrapped.
  CHECK(Qt::mightBeRichText(last.toolTip()));
  CHECK(Qt::mightBeRichText(list.toolTip()));
  // Its words are not its name.
  const int dense = list.findData("dense"_q);
  REQUIRE(dense > 0);
  list.setCurrentIndex(dense);
  Q_EMIT list.activated(dense);
  CHECK(test.model().session().variant == "dense");
  REQUIRE_SOON(test.window->live().result() != nullptr && !test.window->live().busy());
  CHECK(test.window->live().result()->report.variant == "dense");
  CHECK(list.currentData().toString() == "dense"_q);
}

TEST_CASE("the Engines panel says where the result lives, and what the device's memory holds") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 24);
  auto& place = test.find<ElidedLabel>("resultPlace");
  CHECK(place.wholeText() == "in memory"_q);
  for (const EngineInfo& info : test.workshop.engines.infos()) {
    if (!info.available() || !info.isDevice()) continue;
    CAPTURE(info.id);
    EngineChoice choice = test.model().engineChoice();
    choice.engine = info.id;
    test.model().editEngineChoice(choice, "other engine"_q);
    const auto fromIt = [&] {
      const auto result = test.window->live().result();
      return result && result->report.engine == info.id && !test.window->live().busy();
    };
    REQUIRE(wait(fromIt));
    REQUIRE_SOON(place.wholeText().contains("device 0"_q));
    CHECK(place.wholeText().startsWith("on "_q));
    CHECK(test.find<ElidedLabel>("heldMemory").wholeText().endsWith(bytesText(info.memoryBytes)));
    CHECK_THAT(place.toolTip().toStdString(), ContainsSubstring("move to the machine"));
    const auto output = test.window->live().result()->outputs.front();
    const HeldMemory held = test.workshop.engines.at(info.id).heldMemory();
    CHECK(held.results >= output->deviceBytes());
    CHECK(held.buffers >= test.model().data().volume->bytes());
    CHECK(held.budget > held.all());
    // Its values are counted there.
    auto& histogram = test.find<HistogramView>("resultHistogram");
    Q_EMIT test.find<SegmentRow>("histogramOf").chosen("result");
    REQUIRE_SOON(!histogram.histogram().counts.empty());
    const auto whole = output->host({});
    CHECK(histogram.histogram().least == rangeOf(whole->view(), 0, {}).least);
    // Without data nothing stays.
    test.window->live().setPaused(true);
    test.model().setData({});
    REQUIRE_SOON(!test.window->live().working());
    CHECK(test.workshop.engines.at(info.id).heldMemory().buffers == 0);
    return;
  }
  SSCOPE_SKIP("there is no device");
}
