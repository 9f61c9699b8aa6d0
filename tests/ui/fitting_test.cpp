// Filters that do not fit the data, or do nothing on them.

#include <QLabel>
#include <QListWidget>

#include "core/filter/families/recipe_text.h"
#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/text.h"
#include "ui/rooms/filter/filter_room.h"
#include "ui/views/volume_views.h"
#include "ui/window/bars.h"

using namespace sscope;
using namespace sscope::test;

namespace {

FilterRecipe deepTaps() {
  FilterRecipe recipe;
  recipe.name = "deep";
  recipe.family = "custom";
  recipe.taps.size = {1, 1, 3};
  recipe.taps.anchor = {0, 0, 1};
  recipe.taps.weights = {1, 2, 1};
  return recipe;
}

QString badge(TestWindow& test) {
  return test.window->roomOf<FilterRoom>().views().statusText(VolumeViews::View::Axial);
}

}  // namespace

TEST_CASE("one filter that does not fit an image does not stop the others") {
  TestWindow test;
  FilterBank bank;
  bank.filters = {deepTaps(), parseFilterSpec("gaussian:sigma=1")};
  Session session;
  session.bank = bank;
  session.view.shownFilter = "gaussian";
  test.model().replaceSession(session);
  REQUIRE(test.openSample("zone-plate", 64));
  CHECK(test.window->live().result()->names == std::vector<std::string>{"gaussian"});
  CHECK(badge(test) == QStringLiteral("full"));
  const std::string said = test.window->statusLine().text().toStdString();
  CHECK_THAT(said, Catch::Matchers::StartsWith("deep is left out: ") && Catch::Matchers::ContainsSubstring("along z") &&
                       Catch::Matchers::ContainsSubstring("ran on"));
  auto& list = test.find<QListWidget>("filters");
  CHECK_FALSE(list.item(0)->icon().isNull());
  CHECK_THAT(list.item(0)->toolTip().toStdString(), Catch::Matchers::ContainsSubstring("along z"));
  CHECK(list.item(1)->icon().isNull());
  CHECK_THAT(test.find<QLabel>("bankRemarks").text().toStdString(), Catch::Matchers::StartsWith("deep is left out"));

  // Going to it by key shows that it has no result; going back shows the other's again.
  list.setFocus();
  QTest::keyClick(&list, Qt::Key_Home);
  CHECK(test.model().view().shownFilter == "deep");
  CHECK(badge(test) == QStringLiteral("left out"));
  QTest::keyClick(&list, Qt::Key_Down);
  CHECK(badge(test) == QStringLiteral("full"));

  // Another name for the one that runs, while the other is left out.
  FilterBank named = test.model().bank();
  named.filters[1].name = "smooth";
  test.model().editBank(named, QStringLiteral("name"));
  REQUIRE(test.window->live().result() != nullptr);
  CHECK(test.window->live().result()->names == std::vector<std::string>{"smooth"});

  named.filters.erase(named.filters.begin());
  test.model().editBank(named, QStringLiteral("remove"));
  REQUIRE(test.waitIdle());
  CHECK(test.find<QLabel>("bankRemarks").isHidden());
  CHECK_THAT(test.window->statusLine().text().toStdString(), Catch::Matchers::StartsWith("ran on"));
}

TEST_CASE("a length far below the grid is told where it is set") {
  TestWindow test;
  test.setBank({"dog:sigma=0.07mm", "gaussian:sigma=1"});
  REQUIRE(test.openSample("gyroid", 16));
  const std::string remark = test.find<QLabel>("bankRemarks").text().toStdString();
  CHECK_THAT(remark, Catch::Matchers::ContainsSubstring("dog gives zero everywhere") &&
                         Catch::Matchers::ContainsSubstring("voxel"));
  CHECK_FALSE(test.find<QListWidget>("filters").item(0)->icon().isNull());
  FilterBank bank = test.model().bank();
  bank.filters[0].parameters["sigma"] = Length{1, false};
  test.model().editBank(bank, QStringLiteral("longer"));
  CHECK(test.find<QLabel>("bankRemarks").isHidden());
  CHECK(test.find<QListWidget>("filters").item(0)->icon().isNull());
}

TEST_CASE("a filter of several steps tells how far the last one went") {
  TestWindow test;
  test.setBank({"peronamalik:steps=3", "gaussian:sigma=1"});
  REQUIRE(test.openSample("gyroid", 16));
  auto& remarks = test.find<QLabel>("bankRemarks");
  auto& list = test.find<QListWidget>("filters");
  REQUIRE(test.window->live().result() != nullptr);
  const std::vector<StepNorms> norms = test.window->live().result()->lastSteps;
  REQUIRE(norms.size() == 2);
  const double change = norms[0].relative().value_or(0);
  CHECK(change > 0);
  CHECK(change < 0.5);
  const std::string said = "peronamalik: in the last run its last step changed it by ";
  CHECK_THAT(remarks.text().toStdString(), Catch::Matchers::StartsWith(said + numberText(change, 2).toStdString()));
  CHECK_FALSE(remarks.isHidden());
  CHECK_THAT(list.item(0)->toolTip().toStdString(), Catch::Matchers::ContainsSubstring(said));
  CHECK_FALSE(list.item(1)->toolTip().contains(QStringLiteral("last step")));
  // Another number of steps, another number; none without the row.
  const QString before = remarks.text();
  FilterBank bank = test.model().bank();
  bank.filters[0].parameters["steps"] = std::int64_t{12};
  test.model().editBank(bank, QStringLiteral("steps"));
  REQUIRE(test.waitIdle());
  CHECK(remarks.text() != before);
  bank.filters.erase(bank.filters.begin());
  test.model().editBank(bank, QStringLiteral("remove"));
  REQUIRE(test.waitIdle());
  CHECK(remarks.isHidden());
}

TEST_CASE("badges tell of a result only where one is shown") {
  TestWindow test;
  test.setBank({"gaussian:sigma=1"});
  REQUIRE(test.openSample("gyroid", 32));
  CHECK(badge(test) == QStringLiteral("full"));
  test.window->roomOf<FilterRoom>().views().setFocus();
  QTest::keyClick(test.window.get(), Qt::Key_Space);  // the source
  REQUIRE(test.model().view().show == "source");
  CHECK(badge(test).isEmpty());
  QTest::keyClick(test.window.get(), Qt::Key_Space);
  CHECK(badge(test) == QStringLiteral("full"));
  FilterBank bank = test.model().bank();
  bank.filters[0].enabled = false;
  const QSignalSpy nothing(&test.window->live(), &LiveController::nothingToRun);
  test.model().editBank(bank, QStringLiteral("off"));
  REQUIRE(wait([&] { return !nothing.isEmpty(); }));
  CHECK(badge(test).isEmpty());
}
