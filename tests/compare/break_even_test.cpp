#include "core/compare/break_even.h"

#include "core/base/error.h"
#include "tests/compare/race_scene.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
using namespace sscope::compare;

namespace {

CellTime timed(double predicted, double kernel, double total) { return {predicted, kernel, total, {}}; }

// A box filter of one voxel, which the scene's engines compute: they copy.
BreakEvenWish wishOf(const RaceScene& scene) {
  BreakEvenWish wish;
  wish.recipe.computes = "filters";
  wish.recipe.parameters = {{"schema", "stencilscope.bank/1"},
                            {"boundary", "nearest"},
                            {"filters", {{{"name", "box"}, {"type", "box"}, {"params", {{"size", 1}}}}}}};
  wish.recipe.data.spec = {ElementType::f32, {9, 7, 10, 1}};
  wish.contenders = scene.wish.contenders;
  wish.how = scene.wish.how;
  return wish;
}

}  // namespace

TEST_CASE("the winner of a cell is the fastest, by its factor to the next one") {
  BreakEvenCell cell{32, 0, {timed(2, 5, 0), timed(0, 4, 9), timed(6, 12, 3)}};
  CHECK(winnerOf(cell, CellTimes::Predicted)->contender == 0);
  CHECK(winnerOf(cell, CellTimes::Predicted)->factor == 3);
  CHECK_FALSE(winnerOf(cell, CellTimes::Predicted)->measured);
  CHECK(winnerOf(cell, CellTimes::Kernel)->contender == 1);
  CHECK(winnerOf(cell, CellTimes::Kernel)->factor == 1.25);
  CHECK(winnerOf(cell, CellTimes::Total)->contender == 2);
  CHECK(winnerOf(cell, CellTimes::Total)->measured);
  cell.times = {timed(0, 0, 0), timed(0, 7, 0)};
  CHECK_FALSE(winnerOf(cell, CellTimes::Total));
  CHECK(winnerOf(cell, CellTimes::Kernel)->factor == 1);
}

TEST_CASE("the model's error is that of what was both predicted and measured") {
  BreakEvenMap map;
  map.cells = {{16, 0, {timed(1, 2, 3), timed(4, 1, 3)}}, {32, 0, {timed(3, 3, 3), timed(0, 9, 9)}}, {64, 0, {{}, {}}}};
  const ModelError error = modelError(map);
  CHECK(error.count == 3);
  CHECK(error.typical == 2);
  CHECK(error.largest == 4);
  CHECK(error.winners == 2);
  CHECK(error.sameWinner == 1);
  CHECK(modelError({}).count == 0);
}

TEST_CASE("a map has a race in every cell, and reasons where there is none") {
  RaceScene scene(Contenders{{"opencl:1", ""}, {"opencl:0", ""}, {"cuda:0", ""}});
  BreakEvenWish wish = wishOf(scene);
  wish.axes = {{6, 4}, "size", {1, 3, -5}};
  std::size_t told = 0, measured = 0;
  const auto watch = [&](const BreakEvenMap& map) {
    ++told;
    const auto now = static_cast<std::size_t>(std::ranges::count_if(map.cells, &BreakEvenCell::measured));
    CHECK(now >= measured);
    measured = now;
  };
  const BreakEvenMap map = breakEven({scene.engines, scene.variants, scene.gate}, wish, watch, {}, {});
  CHECK(told == 7);  // the model, and six cells
  REQUIRE(map.cells.size() == 6);
  for (std::size_t i = 0; i < 2; ++i) {
    const BreakEvenCell& cell = map.cells[i];
    CHECK(cell.edge == (i == 0 ? 6 : 4));
    CHECK(cell.value == 1);
    CHECK(cell.measured);
    CHECK(winnerOf(cell, CellTimes::Kernel)->contender == 1);
    CHECK(winnerOf(cell, CellTimes::Kernel)->factor == 2);
    CHECK_THAT(cell.times[2].reason, ContainsSubstring("libcuda.so.1 not found"));
  }
  for (std::size_t i = 2; i < 4; ++i) {  // copies are no means of 27 voxels: nothing wrong is quoted
    CHECK_FALSE(map.cells[i].measured);
    CHECK_FALSE(map.cells[i].times[0].reason.empty());
    CHECK_FALSE(winnerOf(map.cells[i], CellTimes::Kernel));
  }
  CHECK_FALSE(map.cells[4].reason.empty());
  const std::string text = toText(map);
  CHECK_THAT(text, ContainsSubstring("size=1"));
  CHECK_THAT(text, ContainsSubstring("opencl:0 2.00"));
  CHECK_THAT(toHtml(map), ContainsSubstring("opencl:0 2.00"));
  CHECK(toJson(map).at("cells").size() == 6);
  CHECK(toJson(map).at("cells")[0].at("times")[1].at("kernel_s") == 0.25);
}

TEST_CASE("maps of axes that mean nothing are refused") {
  RaceScene scene(Contenders{{"opencl:0", ""}});
  const RaceTrack track{scene.engines, scene.variants, scene.gate};
  BreakEvenWish wish = wishOf(scene);
  CHECK_THROWS_AS(breakEven(track, wish, {}, {}, {}), Error);
  wish.axes = {{4}, "size", {}};
  CHECK_THROWS_AS(breakEven(track, wish, {}, {}, {}), Error);
  wish.axes = {{4}, "sigma", {1}};
  CHECK_THROWS_AS(withParameter(wish.recipe, "sigma", 1), Error);
  CHECK(withParameter(wish.recipe, "size", 3).parameters["filters"][0]["params"]["size"] == 3);
}

TEST_CASE("the model alone measures nothing, and the events of a map's races are told") {
  RaceScene scene(Contenders{{"opencl:0", ""}, {"opencl:1", ""}});
  BreakEvenWish wish = wishOf(scene);
  wish.axes = {{6, 4}, "", {}};
  std::size_t quiet = 0;
  const auto count = [&](const RaceEvent& event) { quiet += std::holds_alternative<QuietPhase>(event) ? 1 : 0; };
  const RaceTrack track{scene.engines, scene.variants, scene.gate};
  CHECK(breakEven(track, wish, {}, count, {}).cells[0].measured);
  CHECK(quiet == 4);  // begun and ended in both cells
  wish.measure = false;
  const BreakEvenMap model = breakEven(track, wish, {}, count, {});
  CHECK(quiet == 4);
  REQUIRE(model.cells.size() == 2);
  CHECK_FALSE(model.cells[0].measured);
}

TEST_CASE("numbers of an axis are read, or refused by the one that is none") {
  CHECK(numbersFrom("1, 2.5,4") == std::vector<double>{1, 2.5, 4});
  CHECK(edgesFrom("32 ,64") == std::vector<std::int64_t>{32, 64});
  CHECK(axisText({0.5, 3}) == "0.5, 3");
  for (const char* wrong : {"", "1,", ",1", "1,,2", "x", "1 2", "nan", "1e999"}) {
    INFO(wrong);
    CHECK_THROWS_AS(numbersFrom(wrong), Error);
  }
  for (const char* wrong : {"0", "-3", "1.5", "99999"}) CHECK_THROWS_WITH(edgesFrom(wrong), ContainsSubstring("edge"));
  std::string many = "1";
  for (std::size_t i = 0; i < kMostOnAxis; ++i) many += ",1";
  CHECK_THROWS_WITH(numbersFrom(many), ContainsSubstring("at most 32"));
}

TEST_CASE("what can vary is what the filters that are on have, and how many they are") {
  CaseRecipe recipe;
  recipe.computes = "filters";
  recipe.parameters = {{"schema", "stencilscope.bank/1"},
                       {"filters",
                        {{{"name", "a"}, {"type", "gaussian"}, {"params", {{"sigma", 2.0}}}},
                         {{"name", "b"}, {"type", "box"}, {"enabled", false}, {"params", {{"size", 5}}}},
                         {{"name", "c"}, {"type", "box"}, {"params", {{"size", 3}}}}}}};
  recipe.data.spec = {ElementType::f32, {8, 8, 8, 1}};
  CHECK(variedParameters(recipe) == std::vector<std::string>{"sigma", "size", kFilterCount});
  CHECK(proposedValues(recipe, "sigma") == std::vector<double>{1, 2, 4, 8});
  CHECK(proposedValues(recipe, "size") == std::vector<double>{3, 5, 9, 17});
  CHECK(proposedValues(recipe, "none").empty());
  const auto filters = [&](double count) { return withParameter(recipe, kFilterCount, count).parameters["filters"]; };
  CHECK(filters(1).size() == 1);
  REQUIRE(filters(5).size() == 5);
  CHECK(filters(5)[1]["name"] == "c");
  CHECK(filters(5)[2]["name"] == "a-2");
  CHECK(filters(5)[4]["name"] == "a-3");
  CHECK_THROWS_WITH(filters(1.5), ContainsSubstring("whole"));
  CHECK_THROWS_AS(filters(0), Error);
  CHECK(makeWorkload(withParameter(recipe, kFilterCount, 4), recipe.data.spec, {})->outputs().size() == 4);
  CaseRecipe magic;
  magic.computes = "magic";
  magic.parameters = nlohmann::json::object();
  const std::vector<std::string> names = variedParameters(magic);
  CHECK(std::ranges::find(names, "order") != names.end());
  CHECK(std::ranges::find(names, "seed") == names.end());
}
