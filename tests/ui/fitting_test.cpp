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

QString badge(TestWindow& test) { return test.views().statusText(VolumeViews::View::Axial); }

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
  CHECK(badge(test) == "full"_q);
  const std::string said = test.status();
  CHECK_THAT(said, StartsWith("deep is left out: ") && ContainsSubstring("along z") && ContainsSubstring("ran on"));
  auto& list = test.find<QListWidget>("filters");
  CHECK_FALSE(list.item(0)->icon().isNull());
  CHECK_THAT(list.item(0)->toolTip().toStdString(), ContainsSubstring("along z"));
  CHECK(list.item(1)->icon().isNull());
  CHECK_THAT(test.find<QLabel>("bankRemarks").text().toStdString(), StartsWith("deep is left out"));

  // Going to it by key shows that it has no result; going back shows the other's again.
  list.setFocus();
  QTest::keyClick(&list, Qt::Key_Home);
  CHECK(test.model().view().shownFilter == "deep");
  CHECK(badge(test) == "left out"_q);
  QTest::keyClick(&list, Qt::Key_Down);
  CHECK(badge(test) == "full"_q);

  // Another name for the one that runs, while the other is left out.
  FilterBank named = test.model().bank();
  named.filters[1].name = "smooth";
  test.model().editBank(named, "name"_q);
  REQUIRE(test.window->live().result() != nullptr);
  CHECK(test.window->live().result()->names == std::vector<std::string>{"smooth"});

  named.filters.erase(named.filters.begin());
  test.model().editBank(named, "remove"_q);
  REQUIRE(test.waitIdle());
  CHECK(test.find<QLabel>("bankRemarks").isHidden());
  CHECK_THAT(test.status(), StartsWith("ran on"));
}

TEST_CASE("a length far below the grid is told where it is set") {
  TestWindow test({"dog:sigma=0.07mm", "gaussian:sigma=1"}, "gyroid", 16);
  const std::string remark = test.find<QLabel>("bankRemarks").text().toStdString();
  CHECK_THAT(remark, ContainsSubstring("dog gives zero everywhere") && ContainsSubstring("voxel"));
  CHECK_FALSE(test.find<QListWidget>("filters").item(0)->icon().isNull());
  test.setOption("sigma", Length{1, false});
  CHECK(test.find<QLabel>("bankRemarks").isHidden());
  CHECK(test.find<QListWidget>("filters").item(0)->icon().isNull());
}

TEST_CASE("a filter of several steps tells how far the last one went") {
  TestWindow test({"peronamalik:steps=3", "gaussian:sigma=1"}, "gyroid", 16);
  auto& remarks = test.find<QLabel>("bankRemarks");
  auto& list = test.find<QListWidget>("filters");
  REQUIRE(test.window->live().result() != nullptr);
  const std::vector<StepNorms> norms = test.window->live().result()->lastSteps;
  REQUIRE(norms.size() == 2);
  const double change = norms[0].relative().value_or(0);
  CHECK(change > 0);
  CHECK(change < 0.5);
  const std::string said = "peronamalik: its last step changed it by ";
  CHECK_THAT(remarks.text().toStdString(), StartsWith(said + numberText(change, 2).toStdString()));
  CHECK_FALSE(remarks.isHidden());
  CHECK_THAT(list.item(0)->toolTip().toStdString(), ContainsSubstring(said));
  CHECK_FALSE(list.item(1)->toolTip().contains("last step"_q));
  // Another number of steps, another number; none without the row.
  const QString before = remarks.text();
  test.setOption("steps", std::int64_t{12});
  REQUIRE(test.waitIdle());
  FilterBank bank = test.model().bank();
  CHECK(remarks.text() != before);
  bank.filters.erase(bank.filters.begin());
  test.model().editBank(bank, "remove"_q);
  REQUIRE(test.waitIdle());
  CHECK(remarks.isHidden());
}

TEST_CASE("badges tell of a result only where one is shown") {
  TestWindow test({"gaussian:sigma=1"}, "gyroid", 32);
  CHECK(badge(test) == "full"_q);
  test.views().setFocus();
  QTest::keyClick(test.window.get(), Qt::Key_Space);  // the source
  REQUIRE(test.model().view().show == "source");
  CHECK(badge(test).isEmpty());
  QTest::keyClick(test.window.get(), Qt::Key_Space);
  CHECK(badge(test) == "full"_q);
  const QSignalSpy nothing(&test.window->live(), &LiveController::nothingToRun);
  test.switchOff();
  REQUIRE_SOON(!nothing.isEmpty());
  CHECK(badge(test).isEmpty());
}
