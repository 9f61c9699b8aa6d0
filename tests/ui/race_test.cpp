// The Compare room: races, their lanes, cancel, exports, capsules, and the keyboard.

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/paths.h"
#include "core/compare/capsule.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/keyboard.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/charts/engine_charts.h"
#include "ui/model/engine_times.h"
#include "ui/rooms/compare/compare_page.h"
#include "ui/rooms/compare/compare_room.h"
#include "ui/rooms/compare/lane_board.h"
#include "ui/rooms/compare/race_setup.h"
#include "ui/rooms/compare/roofline_chart.h"
#include "ui/window/bars.h"
#include "ui/window/export_dialog.h"

using namespace sscope;
using namespace sscope::test;

namespace {

using Stage = LaneState::Stage;

// A small bank on a small sample in the Compare room, timed as briefly as can be.
struct RaceTest : TestWindow {
  explicit RaceTest(std::vector<std::string> contenders = {"cpu:scalar", "cpu:scalar separable"},
                    std::int64_t size = 24) {
    room().model().timing.seconds = 0;
    room().model().timing.emptyCaches = false;
    room().model().timing.measureCeilings = false;
    setBank({"gaussian:sigma=1"});
    if (size > 0) REQUIRE(openSample("gyroid", size));
    choose(std::move(contenders));
    window->enterRoom("compare");
  }
  CompareRoom& room() { return window->roomOf<CompareRoom>(); }
  RaceModel& race() { return room().model(); }
  LaneBoard& board() { return find<LaneBoard>("laneBoard"); }
  void choose(std::vector<std::string> contenders) {
    CompareSettings settings = model().settings<CompareSettings>();
    settings.contenders = std::move(contenders);
    model().edit(settings);
  }
  void press() { QTest::mouseClick(&find<QPushButton>("race"), Qt::LeftButton); }
  bool raceToEnd() {
    const QSignalSpy ended(&race(), &RaceModel::ended);
    press();
    return wait([&] { return !ended.isEmpty(); });
  }
  std::string said() { return find<Notice>("compareNotice").message().toStdString(); }
};

// A capsule of the race that is over, as another machine with another engine would have written it.
nlohmann::json foreignCapsule(const compare::Comparison& mine) {
  nlohmann::json capsule = compare::capsuleOf(mine);
  capsule["machine"]["host"] = "faraway";
  for (auto& lane : capsule["lanes"]) {
    lane["row"]["engine"] = "quantum:7";
    lane["row"]["engine_name"] = "a device that is not known here";
  }
  for (auto& contender : capsule["contenders"]) contender["engine"] = "quantum:7";
  return capsule;
}

}  // namespace

TEST_CASE("a race gives every contender its lane with picture, clock and quoted times") {
  RaceTest test;
  CHECK(test.find<QLabel>("raceEmpty").isVisible());
  std::vector<Stage> stages;
  bool quietSeen = false, painted = true;
  QObject::connect(&test.race(), &RaceModel::moved, test.window.get(), [&] {
    if (!test.race().lanes().empty()) stages.push_back(test.race().lanes().front().stage);
  });
  QObject::connect(&test.race(), &RaceModel::quietChanged, test.window.get(), [&](bool quiet) { quietSeen |= quiet; });
  QObject::connect(&test.race(), &RaceModel::ended, test.window.get(),
                   [&] { painted = test.window->updatesEnabled(); });
  REQUIRE(test.raceToEnd());
  CHECK(quietSeen);
  CHECK(painted);  // the window stood still only while it was quiet
  CHECK(std::ranges::is_sorted(stages));
  const auto comparison = test.race().comparison();
  REQUIRE(comparison != nullptr);
  REQUIRE(comparison->lanes.size() == 2);
  CHECK(comparison->recipe.computes == "filters");
  CHECK(comparison->recipe.data.name == "gyroid");
  CHECK(comparison->recipe.data.fingerprint.size() == 16);
  for (std::size_t i = 0; i < 2; ++i) {
    const compare::Lane& lane = comparison->lanes[i];
    INFO(lane.name() << ": " << lane.reason());
    REQUIRE(lane.hasFigures());
    CHECK(lane.totals.size() >= 7);
    CHECK(lane.measurement.verification.verified);
    REQUIRE(lane.first.has_value());
    const DrawnLane& drawn = test.board().lanes()[i];
    CHECK(drawn.quoted);
    CHECK(drawn.total->median == lane.total().median);
    CHECK(drawn.clock == lane.first->seconds);
    CHECK(drawn.factor >= 1);
    REQUIRE(drawn.picture != nullptr);
    // Every part of the picture has come.
    const QImage& picture = drawn.picture->image(test.race().window());
    CHECK(picture.width() == 24);
    CHECK(picture.height() == 24);
    bool opaque = true;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) opaque &= qAlpha(picture.pixel(x, y)) == 255;
    CHECK(opaque);
  }
  // Both computed the same.
  CHECK(test.board().lanes()[0].picture->image(test.race().window()) ==
        test.board().lanes()[1].picture->image(test.race().window()));
  CHECK_FALSE(test.find<QLabel>("raceEmpty").isVisible());
  CHECK_THAT(test.status(), ContainsSubstring("race of 2 lanes: done"));
  const std::vector<EngineRow>& rows = test.find<TimeChart>("timeChart").rows();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].samples == comparison->lanes[0].totals);
}

TEST_CASE("an engine that is absent is a lane with its reason") {
  RaceTest test({"cpu:scalar", "cuda:0"});
  const EngineInfo* cuda = test.workshop.engines.find("cuda:0");
  if (cuda == nullptr || cuda->available()) SSCOPE_SKIP("there is a CUDA device, or nobody looks for one");
  REQUIRE(test.raceToEnd());
  REQUIRE(test.board().lanes().size() == 2);
  CHECK(test.board().lanes()[0].quoted);
  CHECK(test.board().lanes()[1].reason == toQt(cuda->absentReason));
  CHECK(test.board().laneArea(1).height() < test.board().laneArea(0).height());
}

TEST_CASE("cancel answers at once and keeps the lanes as they are") {
  RaceTest test({"cpu:scalar", "cpu:scalar dense"}, 64);
  test.race().timing.seconds = 600;
  const auto past = [&](Stage stage) {
    return wait([&] { return !test.race().lanes().empty() && test.race().lanes().front().stage >= stage; });
  };
  const QSignalSpy ended(&test.race(), &RaceModel::ended);
  test.press();
  REQUIRE(test.race().busy());
  CHECK_THAT(test.find<QPushButton>("race").text().toStdString(), ContainsSubstring("Cancel"));
  SECTION("while a first result is computed") { REQUIRE(past(Stage::Computing)); }
  SECTION("while it is quiet") {
    REQUIRE(past(Stage::Quiet));
    REQUIRE(test.race().quiet());
  }
  QTest::keyClick(test.window.get(), Qt::Key_Escape);
  CHECK_FALSE(test.race().busy());
  CHECK(ended.size() == 1);
  CHECK(test.window->updatesEnabled());
  CHECK(test.race().comparison() == nullptr);
  CHECK(test.race().lanes().size() == 2);
  CHECK_THAT(test.find<QPushButton>("race").text().toStdString(), ContainsSubstring("Race"));
  CHECK_THAT(test.status(), ContainsSubstring("canceled"));
  REQUIRE_SOON(!test.race().working());
  // And it races again.
  test.race().timing.seconds = 0;
  CHECK(test.raceToEnd());
  CHECK(test.race().comparison() != nullptr);
}

TEST_CASE("repetitions during which somebody moves the mouse are taken again, and that is told") {
  RaceTest test({"cpu:scalar"}, 48);
  test.race().timing.seconds = 3;
  const QSignalSpy ended(&test.race(), &RaceModel::ended);
  test.press();
  REQUIRE_SOON(!test.race().lanes().empty() && test.race().lanes().front().stage == Stage::Quiet);
  // Somebody moves the mouse now and then.
  for (int i = 0; i < 12 && ended.isEmpty(); ++i) {
    QTest::mouseMove(test.window.get(), QPoint(200 + i, 200));
    QTest::qWait(180);
  }
  REQUIRE_SOON(!ended.isEmpty());
  REQUIRE(test.race().comparison() != nullptr);
  CHECK(test.race().comparison()->lanes.front().marks.repeated > 0);
  CHECK_FALSE(test.board().lanes().front().marks.isEmpty());
}

TEST_CASE("a race that cannot start says what to do") {
  SECTION("no data are open") {
    RaceTest test({"cpu:scalar"}, 0);
    test.press();
    CHECK_FALSE(test.race().busy());
    CHECK_THAT(test.said(), ContainsSubstring("no data are open") && ContainsSubstring("choose noise"));
  }
  SECTION("no filter is on") {
    RaceTest test;
    test.switchOff();
    test.press();
    CHECK_FALSE(test.race().busy());
    CHECK_THAT(test.said(), ContainsSubstring("filter"));
  }
  SECTION("nobody takes part") {
    RaceTest test({"none"});
    test.press();
    CHECK_FALSE(test.race().busy());
    CHECK_THAT(test.said(), ContainsSubstring("no contender is checked"));
  }
}

TEST_CASE("a workload of the ladders needs no open data") {
  RaceTest test({"cpu:scalar"}, 0);
  CompareSettings settings = test.model().settings<CompareSettings>();
  settings.job = "magic";
  settings.parameters["magic.order"] = "4";
  test.model().edit(settings);
  CHECK(test.find<QComboBox>("compareJob").currentText().contains("agic"_q));
  REQUIRE(test.raceToEnd());
  const auto comparison = test.race().comparison();
  REQUIRE(comparison != nullptr);
  INFO(comparison->lanes.front().reason());
  CHECK(comparison->lanes.front().hasFigures());
  CHECK(comparison->recipe.computes == "magic");
  CHECK(comparison->recipe.made.at("order") == 4);
  CHECK(comparison->recipe.data.from == compare::DataRecipe::From::Noise);
}

TEST_CASE("lanes, page and capsule are exported and read back") {
  RaceTest test;
  REQUIRE(test.raceToEnd());
  CHECK(QImage(toQt(test.exportAs("-lanes.png", "lanes.png").string())).size() == test.board().size() * 2);
  CHECK_THAT(readTextFile(test.exportAs("-lanes.svg", "lanes.svg")), ContainsSubstring("<svg"));
  const std::string csv = readTextFile(test.exportAs("-lanes.csv", "lanes.csv"));
  CHECK(std::ranges::count(csv, '\n') == 3);
  CHECK_THAT(csv, ContainsSubstring(",cpu:scalar,separable,"));
  const compare::Comparison capsule = compare::readCapsule(test.exportAs("-capsule.json", "mine.json"));
  CHECK(sameCase(capsule, *test.race().comparison()));
  REQUIRE(capsule.lanes.size() == 2);
  CHECK(capsule.lanes[0].totals == test.race().comparison()->lanes[0].totals);
  CHECK(compare::readCapsule(test.exportAs("-compare.html", "mine.html")).lanes.size() == 2);
}

TEST_CASE("capsules of others are gray lanes, whatever their engines are called") {
  RaceTest test({"cpu:scalar"});
  REQUIRE(test.raceToEnd());
  CapsuleShelf& shelf = test.room().comparePage().shelf();
  const QSignalSpy changed(&shelf, &CapsuleShelf::changed), failed(&shelf, &CapsuleShelf::failed);
  const auto open = [&](const std::filesystem::path& path) {
    const auto before = changed.size() + failed.size();
    shelf.open({toQt(path.string())});
    REQUIRE_SOON(changed.size() + failed.size() > before);
  };
  nlohmann::json capsule = foreignCapsule(*test.race().comparison());
  writeTextFile(test.folder / "theirs.json", capsule.dump());
  open(test.folder / "theirs.json");
  INFO(test.said());
  REQUIRE(failed.isEmpty());
  REQUIRE(test.board().lanes().size() == 2);
  CHECK(test.board().lanes()[1].foreign);
  CHECK(test.board().lanes()[1].quoted);
  CHECK_THAT(test.board().lanes()[1].name.toStdString(), ContainsSubstring("faraway: quantum:7"));
  SECTION("the same file again is one lane") {
    open(test.folder / "theirs.json");
    CHECK(test.board().lanes().size() == 2);
  }
  SECTION("they are removed") {
    auto& clear = test.find<QToolButton>("clearCapsules");
    CHECK(clear.isVisible());
    QTest::mouseClick(&clear, Qt::LeftButton);
    CHECK(test.board().lanes().size() == 1);
    CHECK_FALSE(clear.isVisible());
  }
  SECTION("one of other data is not drawn, and that is said") {
    capsule["recipe"]["data"]["fingerprint"] = "0123456789abcdef";
    writeTextFile(test.folder / "other.json", capsule.dump());
    open(test.folder / "other.json");
    CHECK(test.board().lanes().size() == 2);
    CHECK_THAT(test.board().accessibleDescription().toStdString(), ContainsSubstring("not drawn"));
  }
  SECTION("a damaged one is refused in a sentence") {
    capsule["lanes"] = 3;
    writeTextFile(test.folder / "damaged.json", capsule.dump());
    open(test.folder / "damaged.json");
    CHECK(failed.size() == 1);
    CHECK_THAT(test.said(), ContainsSubstring("lanes"));
    CHECK(test.board().lanes().size() == 2);
  }
  SECTION("those that are opened while others are read are all there, and a bad one leaves the rest") {
    writeTextFile(test.folder / "twice.json", R"({"schema": "stencilscope.compare/1", "recipe": 1, "recipe": 2})");
    for (const char* name : {"a.json", "twice.json", "b.json", "c.json"}) {
      if (name != std::string_view("twice.json")) writeTextFile(test.folder / name, capsule.dump());
      shelf.open({toQt((test.folder / name).string())});
    }
    REQUIRE_SOON(!shelf.busy());
    CHECK(shelf.capsules().size() == 4);
    REQUIRE(failed.size() == 1);
    CHECK_THAT(failed.front().front().toString().toStdString(), ContainsSubstring("\"recipe\" occurs twice"));
  }
  SECTION("those of a new race stay beside it") {
    REQUIRE(test.raceToEnd());
    CHECK(test.board().lanes().size() == 2);
  }
}

TEST_CASE("one click leads from the engines of another room to their race") {
  RaceTest test(std::vector<std::string>{});
  test.window->enterRoom("filter");
  QTest::mouseClick(&test.find<QCheckBox>("compare-cpu:scalar"), Qt::LeftButton, {}, QPoint(8, 8));
  const QSignalSpy ended(&test.race(), &RaceModel::ended);
  auto& button = test.find<QPushButton>("compareThese");
  CHECK(button.isVisible());
  QTest::mouseClick(&button, Qt::LeftButton);
  CHECK(test.window->room() == "compare"_q);
  CHECK_FALSE(button.isVisible());
  REQUIRE_SOON(!ended.isEmpty());
  REQUIRE(test.race().comparison() != nullptr);
  REQUIRE(test.race().comparison()->contenders.size() == 2);
  CHECK(test.race().comparison()->contenders[0].engine == test.window->live().engineId());
  CHECK(test.race().comparison()->contenders[1].engine == "cpu:scalar");
}

TEST_CASE("again on every change, while the room is open") {
  RaceTest test({"cpu:scalar"});
  REQUIRE(test.raceToEnd());
  const QSignalSpy started(&test.race(), &RaceModel::started);
  const auto change = [&](double sigma) {
    FilterBank bank = test.model().bank();
    bank.filters[0].parameters["sigma"] = Length{sigma, false};
    test.model().editBank(bank, "sigma"_q);
  };
  QTest::mouseClick(&test.find<QCheckBox>("compareAgain"), Qt::LeftButton, {}, QPoint(8, 8));
  REQUIRE(test.model().settings<CompareSettings>().again);
  change(1.5);
  REQUIRE_SOON(started.size() == 1 && !test.race().busy());
  CHECK_THAT(compare::titleOf(test.race().recipe()), ContainsSubstring("sigma=1.5"));
  // Elsewhere it waits until the room is entered.
  test.window->enterRoom("filter");
  change(2);
  REQUIRE(test.waitIdle());
  CHECK(started.size() == 1);
  test.window->enterRoom("compare");
  REQUIRE_SOON(started.size() == 2 && !test.race().busy());
  CHECK_THAT(compare::titleOf(test.race().recipe()), ContainsSubstring("sigma=2"));
}

TEST_CASE("data that are opened in the Compare room leave it open") {
  RaceTest test;
  REQUIRE(test.window->room() == "compare"_q);
  const QSignalSpy loaded(&test.window->loader(), &DataLoader::loaded);
  test.window->loader().openSample("gyroid", 16);
  REQUIRE_SOON(!loaded.isEmpty());
  CHECK(test.window->room() == "compare"_q);
  CHECK(test.window->windowTitle().startsWith("gyroid"_q));
}

TEST_CASE("the keyboard chooses contenders, races, cancels and reads the lanes") {
  RaceTest test({"cpu:scalar"});
  auto& list = test.find<QTreeWidget>("contenders");
  list.setFocus();
  list.setCurrentItem(list.topLevelItem(0));
  const auto before = test.model().settings<CompareSettings>().contenders;
  QTest::keyClick(&list, Qt::Key_Space);
  CHECK(test.model().settings<CompareSettings>().contenders != before);
  QTest::keyClick(&list, Qt::Key_Space);
  const QSignalSpy ended(&test.race(), &RaceModel::ended);
  QTest::keyClick(test.window.get(), Qt::Key_F5);
  REQUIRE(test.race().busy());
  REQUIRE_SOON(!ended.isEmpty());
  LaneBoard& board = test.board();
  board.setFocus();
  QTest::keyClick(&board, Qt::Key_Down);
  REQUIRE(board.chosen() == std::size_t{0});
  CHECK_THAT(board.accessibleDescription().toStdString(),
             ContainsSubstring("cpu:scalar") && ContainsSubstring("median") && ContainsSubstring("full volume"));
  for (const QWidget* stop : focusStops(&test.room().page())) {
    INFO(stop->objectName().toStdString() << " " << stop->metaObject()->className());
    const bool named = !stop->accessibleName().isEmpty() || qobject_cast<const QAbstractButton*>(stop) != nullptr;
    CHECK(named);
  }
}

TEST_CASE("every contender is a dot under its roofs, and settings before it are a trail") {
  RaceTest test({"cpu:scalar"});
  test.race().timing.measureCeilings = true;
  RooflineChart& roofline = test.find<RooflineChart>("roofline");
  CHECK(roofline.dots().empty());
  REQUIRE(test.raceToEnd());
  const auto measured = test.race().comparison()->lanes.front().measurement;
  REQUIRE(measured.ceilings.has_value());
  REQUIRE(roofline.dots().size() == 1);
  const RoofDot dot = roofline.dots().front();
  CHECK(dot.gflops == Approx(measured.gflops()));
  CHECK(dot.gflops / std::min(dot.roofs.gflops(dot.precision), dot.intensity * dot.roofs.gbs) ==
        Approx(*measured.share()));
  CHECK_THAT(roofline.wordsAt(roofline.place(dot)).toStdString(),
             ContainsSubstring("of the roof") && ContainsSubstring(verificationText(measured.verification)));
  test.setOption("sigma", Length{3, false});
  REQUIRE(test.raceToEnd());
  REQUIRE(roofline.trail().size() == 1);
  CHECK(roofline.trail().front().front().intensity == dot.intensity);
  CHECK(roofline.dots().front().intensity > dot.intensity);
  // More operations per byte lie further to the right.
  CHECK(roofline.place(roofline.dots().front()).x() > roofline.place(dot).x());
  CHECK(std::ranges::count(roofline.csv(), '\n') == 3);
}
