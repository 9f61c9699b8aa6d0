// Engines timed against each other beside the window: what ranks them, and what does not.

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QToolButton>

#include "tests/support/catch.h"
#include "tests/ui/compared_window.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/engine_charts.h"
#include "ui/controls/value_slider.h"
#include "ui/model/engine_times.h"
#include "ui/rooms/filter/filter_room.h"
#include "ui/views/volume_views.h"
#include "ui/window/bars.h"

using namespace sscope;
using namespace sscope::test;

namespace {

// A window with a small result, and one engine that is compared with the shown one.
class Compared : public ComparedWindow {
 public:
  explicit Compared(std::int64_t size = 24) {
    setBank({"gaussian:sigma=1"});
    REQUIRE(openSample("gyroid", size));
    shown = window->live().engineId();
    REQUIRE(shown != other);
    comparing = [this] { return window->live().comparing(); };
  }
};

}  // namespace

TEST_CASE("one run is provisional, and what ranks engines is repeated in turns") {
  Compared test;
  CHECK(test.row(test.shown).provisional);
  CHECK(test.row(test.shown).samples.size() == 1);
  CHECK_FALSE(test.row(test.other).measured);
  test.compare();
  REQUIRE(test.waitSamples(compare::kShortRepetitions));
  CHECK(test.samples(test.shown) == compare::kShortRepetitions);
  CHECK(test.samples(test.other) == compare::kShortRepetitions);
  for (const std::string& id : {test.shown, test.other}) {
    const EngineRow row = test.row(id);
    CHECK(row.verified);
    CHECK_THAT(row.verification, ContainsSubstring("full volume"));
  }
  const QString tip = test.find<TimeChart>("timeChart").rowTip(0);
  CHECK_THAT(tip.toStdString(), ContainsSubstring("n=5") && ContainsSubstring("quartiles"));
}

TEST_CASE("engines that did not run say what they are expected to take") {
  Compared test;
  const EngineRow before = test.row(test.other);
  CHECK_FALSE(before.measured);
  CHECK(before.predicted > 0);
  auto& chart = test.find<TimeChart>("timeChart");
  CHECK_THAT(chart.accessibleDescription().toStdString(), ContainsSubstring(test.other + ": predicted "));
  std::size_t place = 0;
  while (chart.rows().at(place).id != test.other) ++place;
  const std::string tip = chart.rowTip(static_cast<int>(place)).toStdString();
  CHECK_THAT(tip, ContainsSubstring("not run yet<br>expected kernel time: "));
  // More work is expected to take longer.
  test.setBank({"gaussian:sigma=6"});
  REQUIRE(test.waitIdle());
  CHECK(test.row(test.other).predicted > 2 * before.predicted);
  CHECK_FALSE(test.row(test.other).measured);
}

TEST_CASE("a run is told with its predicted time and how wrong that was") {
  Compared test;
  test.compare();
  REQUIRE(test.waitSamples(compare::kShortRepetitions));
  for (const std::string& id : {test.shown, test.other}) CHECK(test.row(id).predicted > 0);
  const EngineRow row = test.row(test.shown);
  const TimeChart& chart = test.find<TimeChart>("timeChart");
  std::size_t place = 0;
  while (chart.rows().at(place).id != test.shown) ++place;
  CHECK_THAT(chart.rowTip(static_cast<int>(place)).toStdString(),
             ContainsSubstring(formatPrediction(row.predicted, row.phases.kernel).toStdString()));
  std::string why;
  for (const QToolButton* button : test.window->statusLine().findChildren<QToolButton*>())
    if (button->text() == "why?"_q) why = button->toolTip().toStdString();
  CHECK_THAT(why, ContainsSubstring("operations per voxel") && ContainsSubstring("Kernel time: predicted "));
}

TEST_CASE("Shift+F5 and the button repeat, F5 pressed quickly starves no engine") {
  Compared test;
  test.compare();
  for (int i = 0; i < 6; ++i) QTest::keyClick(test.window.get(), Qt::Key_F5);
  REQUIRE(test.waitSamples(compare::kShortRepetitions));
  CHECK(test.samples(test.shown) == test.samples(test.other));
  QTest::keyClick(test.window.get(), Qt::Key_F5, Qt::ShiftModifier);
  REQUIRE(test.waitSamples(2 * compare::kShortRepetitions));
  auto& button = test.find<QToolButton>("repeatComparison");
  button.setFocus(Qt::TabFocusReason);
  QTest::keyClick(&button, Qt::Key_Space);
  REQUIRE(test.waitSamples(3 * compare::kShortRepetitions));
  CHECK(test.samples(test.other) == 3 * compare::kShortRepetitions);
}

TEST_CASE("engines with fewer repetitions catch up first, and one that failed waits until more are asked for") {
  EngineTimes times;
  times.choose({"cpu:sse4", "cuda:0"});
  const auto due = [&] { return times.due("cpu:avx2", "dense"); };
  const auto repeat = [&](const std::vector<BenchRow>& contenders, std::size_t lane, int count) {
    CHECK(times.take(contenders, compare::LaneVerified{lane, {}, false, {}}));
    for (int i = 0; i < count; ++i) CHECK(times.take(contenders, compare::Repetition{lane, 1, {}}));
  };
  const auto first = due();
  REQUIRE(first);
  CHECK(first->contenders == std::vector<BenchRow>{{"cpu:avx2", "dense"}, {"cpu:sse4", ""}, {"cuda:0", ""}});
  CHECK(first->repetitions == compare::kShortRepetitions);
  repeat(first->contenders, 0, 3);
  repeat(first->contenders, 1, 2);
  compare::LaneEnded broken{2, {}};
  broken.result.measurement.failed = "the device is lost";
  CHECK(times.take(first->contenders, broken));
  const auto second = due();  // the race was stopped there
  REQUIRE(second);
  CHECK(second->contenders == std::vector<BenchRow>{{"cpu:sse4", ""}});
  CHECK(second->repetitions == 1);
  repeat(second->contenders, 0, 1);
  const auto third = due();
  REQUIRE(third);
  CHECK(third->contenders == std::vector<BenchRow>{{"cpu:avx2", "dense"}, {"cpu:sse4", ""}});
  CHECK(third->repetitions == compare::kShortRepetitions - 3);
  for (const std::size_t lane : {0U, 1U}) repeat(third->contenders, lane, third->repetitions);
  CHECK_FALSE(due());
  times.askForMore(false);
  REQUIRE(due());
  CHECK(due()->contenders.size() == 3);
  times.setDeclined(true);
  CHECK_FALSE(due());
  times.beginSetting();
  CHECK(due()->repetitions == compare::kShortRepetitions);
}

TEST_CASE("the shown engine alone is repeated where none is compared") {
  Compared test;
  QTest::keyClick(test.window.get(), Qt::Key_F5, Qt::ShiftModifier);
  REQUIRE_SOON(test.samples(test.shown) == compare::kShortRepetitions);
  CHECK_FALSE(test.row(test.other).measured);
}

TEST_CASE("Esc while engines are timed leaves the verified result as it is") {
  Compared test(96);
  const QString said = test.window->statusLine().text();
  CHECK_THAT(said.toStdString(), ContainsSubstring("full volume"));
  const auto badge = [&] { return test.views().statusText(VolumeViews::View::Axial); };
  const QString before = badge();
  const QSignalSpy canceled(&test.window->live(), &LiveController::canceled);
  test.compare();
  REQUIRE_SOON(test.window->live().comparing());
  QTest::keyClick(test.window.get(), Qt::Key_Escape);
  CHECK_FALSE(test.window->live().comparing());
  CHECK(canceled.isEmpty());
  CHECK(test.window->live().result() != nullptr);
  CHECK(test.window->statusLine().text() == said);
  CHECK(badge() == before);
  CHECK(before == "full"_q);
}

TEST_CASE("engines are timed only after a slider is let go") {
  Compared test;
  test.compare();
  REQUIRE(test.waitSamples(compare::kShortRepetitions));
  const QSignalSpy timed(&test.window->live(), &LiveController::timed);
  auto& slider = test.find<ValueSlider>("sigma.slider");
  test.model().setHeld(true);
  slider.setValue(slider.value() + 40);
  REQUIRE_SOON(test.window->live().result() != nullptr && !test.window->live().busy());
  // The other engine's bar is of the old setting now, and says so.
  REQUIRE_SOON(test.row(test.other).stale);
  CHECK_FALSE(test.row(test.shown).stale);
  CHECK(test.row(test.shown).provisional);
  CHECK(timed.isEmpty());
  test.model().setHeld(false);
  REQUIRE(test.waitSamples(compare::kShortRepetitions));
  CHECK_FALSE(test.row(test.other).stale);
}

TEST_CASE("charts of other data, and of a bank without filters, do not stay") {
  Compared test;
  test.compare();
  REQUIRE(test.waitSamples(compare::kShortRepetitions));
  SECTION("other data") {
    OpenData data = test.model().data();
    data.volume = std::make_shared<const Volume>(randomVolume({8, 8, 8, 1}, ElementType::f32, 5));
    ++data.identity;
    test.model().setData(data);
    CHECK_FALSE(test.row(test.shown).measured);
    CHECK_FALSE(test.row(test.other).measured);
  }
  SECTION("none") {
    QTest::keyClick(test.window.get(), Qt::Key_W, Qt::ControlModifier);
    CHECK_FALSE(test.row(test.other).measured);
  }
  SECTION("no filter") {
    FilterBank bank = test.model().bank();
    bank.filters.clear();
    test.model().editBank(bank, "empty"_q);
    REQUIRE_SOON(!test.row(test.shown).measured);
    CHECK_FALSE(test.row(test.other).measured);
  }
  SECTION("a bank that fails leaves pale bars") {
    FilterBank bank = test.model().bank();
    bank.filters[0].parameters["sigma"] = Length{500, true};
    test.model().editBank(bank, "too long"_q);
    REQUIRE_SOON(test.row(test.shown).stale && test.row(test.other).stale);
    CHECK_THAT(test.find<TimeChart>("timeChart").csv(), ContainsSubstring("of an earlier setting"));
  }
}

TEST_CASE("a new name computes nothing and keeps the times") {
  Compared test;
  test.compare();
  REQUIRE(test.waitSamples(compare::kShortRepetitions));
  const QSignalSpy started(&test.window->live(), &LiveController::started);
  const auto data = test.window->live().result()->outputs.front();
  auto& list = test.find<QListWidget>("filters");
  list.setFocus();
  list.setCurrentRow(0);
  QTest::keyClick(&list, Qt::Key_F2);
  auto* editor = list.findChild<QLineEdit*>();
  REQUIRE(editor != nullptr);
  editor->selectAll();
  QTest::keyClicks(editor, "smooth"_q);
  QTest::keyClick(editor, Qt::Key_Return);
  REQUIRE_SOON(test.model().bank().filters[0].name == "smooth");
  QCoreApplication::processEvents();
  REQUIRE(test.window->live().result() != nullptr);
  CHECK(test.window->live().result()->names == std::vector<std::string>{"smooth"});
  CHECK(test.window->live().result()->outputs.front() == data);
  CHECK(test.views().statusText(VolumeViews::View::Axial) == "full"_q);
  CHECK(test.samples(test.shown) == compare::kShortRepetitions);
  QTest::keyClick(test.window.get(), Qt::Key_Z, Qt::ControlModifier);
  CHECK(test.window->live().result()->names == std::vector<std::string>{"gaussian"});
  CHECK(started.isEmpty());
}

TEST_CASE("progress names the engine that is timed") {
  Compared test;
  QStringList words;
  QObject::connect(&test.window->live(), &LiveController::progressed, test.window.get(),
                   [&](double, const QString& doing) { words << doing; });
  test.compare();
  REQUIRE(test.waitSamples(compare::kShortRepetitions));
  REQUIRE_FALSE(words.isEmpty());
  for (const QString& each : words) {
    INFO(each.toStdString());
    CHECK((each.startsWith("cpu:"_q) || each.contains("3D view"_q)));
  }
}

TEST_CASE("choosing another engine forgets no sample") {
  Compared test;
  test.compare();
  REQUIRE(test.waitSamples(compare::kShortRepetitions));
  const auto settled = [&](const std::string& engine) {
    return wait([&] {
      return test.window->live().engineId() == engine && test.window->live().result() != nullptr &&
             !test.window->live().busy() && !test.window->live().comparing();
    });
  };
  test.model().editEngineChoice({test.other, {}, 0}, "other"_q);
  REQUIRE(settled(test.other));
  CHECK(test.samples(test.shown) == compare::kShortRepetitions);
  CHECK(test.samples(test.other) == compare::kShortRepetitions);
  CHECK(test.row(test.other).current);
  test.model().undoStack().undo();
  REQUIRE(settled(test.shown));
  CHECK(test.samples(test.shown) == compare::kShortRepetitions);
  CHECK(test.samples(test.other) == compare::kShortRepetitions);
  // Other threads are another measurement.
  test.model().editEngineChoice({test.shown, {}, 1}, "one thread"_q);
  REQUIRE_SOON(test.row(test.other).stale || test.row(test.shown).stale);
}
