// Scaling reports in the Ladders room.

#include <QLabel>
#include <algorithm>
#include <fstream>

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/ui/test_window.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/rooms/ladder/figure_board.h"
#include "ui/rooms/ladder/ladder_page.h"
#include "ui/rooms/ladder/ladder_room.h"
#include "ui/rooms/ladder/ladder_setup.h"
#include "ui/rooms/ladder/scaling_shelf.h"

using namespace sscope;
using namespace sscope::test;
using Catch::Matchers::ContainsSubstring;

namespace {

nlohmann::json reportOf(const std::string& workload) {
  nlohmann::json report{{"schema", "stencilscope.scaling/1"},
                        {"date", "2026-03-01T12:00:00Z"},
                        {"machine", {{"cpu", "a processor"}}},
                        {"machines", {"one", "one"}},
                        {"workload", workload},
                        {"title", workload + ", 64x64x64"},
                        {"scaling", "strong"},
                        {"points", nlohmann::json::array()}};
  for (const int ranks : {1, 2})
    report["points"].push_back({{"ranks", ranks},
                                {"engine", "cpu:avx2"},
                                {"variant", "tuned"},
                                {"threads_per_rank", 1},
                                {"median_s", 0.2 / ranks},
                                {"quartiles_s", {0.19 / ranks, 0.21 / ranks}},
                                {"operations", 1e9},
                                {"compared", 1000}});
  report["model"] = {{"points", {{{"ranks", 8}, {"model_s", 0.03}}}}};
  return report;
}

std::vector<std::string> figureIds(LadderPage& page) {
  std::vector<std::string> ids;
  for (const FigureChart* chart : page.board().charts()) ids.push_back(chart->figure().id);
  return ids;
}

bool has(const std::vector<std::string>& ids, const char* id) { return std::ranges::find(ids, id) != ids.end(); }

}  // namespace

TEST_CASE("reports that are opened while others are read are all there, and a bad one leaves the rest") {
  TestWindow test;
  const TemporaryFolder folder;
  for (const char* workload : {"magic", "dirac", "cr"})
    std::ofstream(folder / (std::string(workload) + ".json")) << reportOf(workload);
  std::ofstream(folder / "bad.json") << R"({"schema": "stencilscope.scaling/1", "title": "a", "title": "b"})";
  ScalingShelf& shelf = test.window->roomOf<LadderRoom>().ladderPage().scalings();
  const QSignalSpy failed(&shelf, &ScalingShelf::failed);
  for (const char* name : {"magic.json", "bad.json", "dirac.json", "cr.json"})
    shelf.open({toQt((folder / name).string())});
  REQUIRE(wait([&] { return !shelf.busy(); }));
  std::vector<std::string> names;
  for (const reach::ScalingRecord& record : shelf.records()) names.push_back(record.workload);
  CHECK(names == std::vector<std::string>{"magic", "dirac", "cr"});
  REQUIRE(failed.size() == 1);
  CHECK_THAT(failed.front().front().toString().toStdString(), ContainsSubstring("\"title\" stands there twice"));
}

TEST_CASE("a scaling report opens in the Ladders room and is drawn beside the paper's numbers") {
  TestWindow test;
  const TemporaryFolder folder;
  std::ofstream(folder / "magic.json") << reportOf("magic");
  test.window->loader().open(toQt((folder / "magic.json").string()));
  REQUIRE(wait([&] { return test.window->room() == QStringLiteral("ladders"); }));
  LadderPage& page = test.window->roomOf<LadderRoom>().ladderPage();
  REQUIRE(wait([&] { return has(figureIds(page), "magic-ranks"); }));
  CHECK(page.setup().choice().workload == "magic");
  const FigureChart& chart = *page.board().charts().front();
  CHECK_THAT(chart.csv(), ContainsSubstring(",measured,cpu:avx2,tuned,") && ContainsSubstring(",model,cpu:avx2,") &&
                              ContainsSubstring("BigDFT on NVIDIA,published,"));
  CHECK(page.findChild<QLabel*>(QStringLiteral("scalingNames"))->text().contains(QStringLiteral("magic")));
  // Of another ladder there is nothing.
  page.choose("soup");
  CHECK(figureIds(page).empty());
  page.choose("magic");
  page.scalings().clear();
  CHECK(figureIds(page).empty());
}

TEST_CASE("a scaling report that cannot be drawn is told, and what was open stays") {
  TestWindow test;
  const TemporaryFolder folder;
  test.window->enterRoom(QStringLiteral("ladders"));
  LadderPage& page = test.window->roomOf<LadderRoom>().ladderPage();
  std::ofstream(folder / "good.json") << reportOf("cr");
  page.scalings().open({toQt((folder / "good.json").string())});
  REQUIRE(wait([&] { return has(figureIds(page), "cr-ranks"); }));
  const auto refuse = [&](const nlohmann::json& bad, const char* words) {
    std::ofstream(folder / "bad.json") << bad;
    const QSignalSpy failed(&page.scalings(), &ScalingShelf::failed);
    page.scalings().open({toQt((folder / "bad.json").string())});
    REQUIRE(wait([&] { return !failed.isEmpty(); }));
    bool told = false;
    for (const Notice* notice : page.findChildren<Notice*>())
      told |= notice->isVisible() && notice->message().contains(QLatin1String(words));
    CHECK(told);
    CHECK(page.scalings().records().size() == 1);
  };
  nlohmann::json damaged = reportOf("cr");
  damaged["points"][0]["median_s"] = "soon";
  refuse(damaged, "median_s");
  refuse(reportOf("filter"), "no ladder");
  CHECK(has(figureIds(page), "cr-ranks"));
}
