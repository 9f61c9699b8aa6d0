#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/recipe.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using nlohmann::json;

TEST_CASE("filter specs are read and written") {
  const FilterRecipe recipe = parseFilterSpec("gaussian:sigma=0.8mm,order_x=1,flip=true");
  CHECK(recipe.family == "gaussian");
  CHECK(std::get<Length>(recipe.parameters.at("sigma")) == Length{0.8, true});
  CHECK(std::get<std::int64_t>(recipe.parameters.at("order_x")) == 1);
  CHECK(recipe.flip);
  CHECK(formatFilterSpec(recipe) == "gaussian:order_x=1,sigma=0.8mm,flip=true");
  CHECK(parseFilterSpec("sobel").parameters.empty());
}

TEST_CASE("wrong filter specs say what is wrong and what to do") {
  CHECK_THROWS_WITH(parseFilterSpec("gausian:sigma=1"),
                    ContainsSubstring("gausian") && ContainsSubstring("use one of gaussian"));
  CHECK_THROWS_WITH(parseFilterSpec("gaussian:sgima=1"),
                    ContainsSubstring("the filter gaussian has no parameter sgima; use one of sigma, "));
  CHECK_THROWS_WITH(parseFilterSpec("gaussian:sigma=-1"), ContainsSubstring("sigma=-1"));
  CHECK_THROWS_WITH(parseFilterSpec("gaussian:sigma=nan"), ContainsSubstring("sigma=nan"));
  CHECK_THROWS_WITH(parseFilterSpec("gaussian:sigma=1e400"), ContainsSubstring("sigma"));
  CHECK_THROWS_WITH(parseFilterSpec("gaussian:sigma"), ContainsSubstring("key=value"));
  CHECK_THROWS_WITH(parseFilterSpec("sobel:axis=w"), ContainsSubstring("axis=w") && ContainsSubstring("x y z"));
  CHECK_THROWS_WITH(parseFilterSpec("custom"), ContainsSubstring("file"));
  CHECK_THROWS_WITH(parseFilterSpec("custom:file=/nowhere/taps.json"), ContainsSubstring("no such file"));
  CHECK_THROWS_AS(parseFilterSpec(""), Error);
  CHECK_THROWS_WITH(parseFilterSpec("frangi:alpha=0"), ContainsSubstring("from 1e-05 to 10"));
  CHECK_THROWS_WITH(makePart(parseFilterSpec("frangi:sigma=4,scales=2"), {}),
                    ContainsSubstring("sigma=4, is larger than the largest, to=3"));
  CHECK_THROWS_WITH(makePart(parseFilterSpec("sato:sigma=4mm,to=1.5,scales=2"), {3, {2, 2, 2}}),
                    ContainsSubstring("sigma=4mm") && ContainsSubstring("to=1.5"));
  CHECK_NOTHROW(makePart(parseFilterSpec("frangi:sigma=4"), {}));  // of one scale
  CHECK_NOTHROW(makePart(parseFilterSpec("frangi:sigma=3,scales=2"), {}));
}

TEST_CASE("names of filters are seen as they are") {
  for (const char* hidden : {"a\u202egpj", "a\nb", "a\x1b[31m", "\u2066a"}) {
    INFO(hidden);
    CHECK_THROWS_WITH(parseFilterSpec("box:name=" + std::string(hidden)), ContainsSubstring("direction marks"));
    // Documents that hold one open all the same, and rows that read it follow.
    const nlohmann::json row{{"type", "box"}, {"name", hidden}}, reader{{"type", "sobel"}, {"input", hidden}};
    const FilterBank bank = bankFromJson({{"schema", "stencilscope.bank/1"}, {"filters", {row, reader}}});
    const std::string& name = bank.filters[0].name;
    CHECK(name != hidden);
    CHECK(parseFilterSpec("box:name=\"" + name + "\"").name == name);
    CHECK(bank.filters[1].inputs == std::vector{name});
  }
  CHECK(parseFilterSpec("box:name=gr\u00fc\u00df \u65e5\u672c").name == "gr\u00fc\u00df \u65e5\u672c");
}

TEST_CASE_METHOD(test::InFolder, "custom taps come from a file") {
  const auto path = folder / "taps.json";
  writeTextFile(path, R"({"size":[2,2],"taps":[1,2,3,4]})");
  const FilterRecipe recipe = parseFilterSpec("custom:file=" + path.string());
  CHECK(recipe.taps.size == std::array<std::int64_t, 3>{2, 2, 1});
  CHECK(recipe.taps.anchor == std::array<std::int64_t, 3>{1, 1, 0});
  CHECK(recipe.taps.weights == std::vector<double>{1, 2, 3, 4});
  writeTextFile(path, R"({"size":[2,2],"taps":[1,2,3]})");
  CHECK_THROWS_WITH(parseFilterSpec("custom:file=" + path.string()), ContainsSubstring("4 numbers"));
  for (const char* wrong : {"{", R"({"size":[1],"taps":[1e999]})"}) {
    writeTextFile(path, wrong);
    CHECK_THROWS_AS(parseFilterSpec("custom:file=" + path.string()), Error);
    CHECK_THROWS_WITH(parseFilterSpec("custom:file=" + path.string()), ContainsSubstring("not JSON"));
  }
}

TEST_CASE("custom taps stand in the spec itself") {
  const FilterRecipe recipe = parseFilterSpec("custom:size=[3,1],taps=[1,0.5,-2],name=mine");
  CHECK(recipe.taps == DenseTaps{{3, 1, 1}, {1, 0, 0}, {1, 0.5, -2}});
  CHECK(recipe.name == "mine");
  CHECK(parseFilterSpec("custom:size=[2],anchor=[0],taps=[1,2]").taps.anchor[0] == 0);
  CHECK(parseFilterSpec(formatFilterSpec(recipe)).taps == recipe.taps);
  CHECK(wholeFilterSpec(recipe) == "custom:size=[3,1,1],anchor=[1,0,0],taps=[1.0,0.5,-2.0],name=mine");
  CHECK_THROWS_WITH(parseFilterSpec("custom:size=[3],taps=[1,2]"), ContainsSubstring("taps must hold 3 numbers"));
  CHECK_THROWS_WITH(parseFilterSpec("custom:taps=[1,2]"), ContainsSubstring("need \"size\""));
  CHECK_THROWS_WITH(parseFilterSpec("custom:size=3,taps=[1,2,3]"),
                    ContainsSubstring("size of custom taps is not a list"));
  CHECK_THROWS_WITH(parseFilterSpec("custom:size=[1],taps=[nan]"), ContainsSubstring("not a list"));
  CHECK_THROWS_WITH(parseFilterSpec("box:taps=[1]"), ContainsSubstring("no parameter taps"));
}

TEST_CASE("names of other characters stand in quotes") {
  FilterRecipe recipe = parseFilterSpec("guided:name=\"a,b\",inputs=\"x;y\";source");
  CHECK(recipe.name == "a,b");
  CHECK(recipe.inputs == std::vector<std::string>{"x;y", "source"});
  CHECK(parseFilterSpec(wholeFilterSpec(recipe)) == recipe);
  CHECK(parseFilterSpec("box:input=\"p(q\"").inputs == std::vector<std::string>{"p(q"});
  CHECK(wholeFilterSpec(parseFilterSpec("box:name=gx 2")) == "box:name=gx 2");
  recipe.name = "a\"b";
  CHECK(parseFilterSpec(wholeFilterSpec(recipe)) == recipe);
  recipe.name = "a\",b";
  CHECK_THROWS_WITH(wholeFilterSpec(recipe), ContainsSubstring("cannot be written"));
}

TEST_CASE("the bank of the contract is read") {
  const auto bank =
      bankFromJson(json::parse(R"({"schema":"stencilscope.bank/1","boundary":"nearest","output":"f32","filters":[
    {"name":"g","type":"gaussian","params":{"sigma":1.5}},
    {"name":"c","type":"custom","size":[1,1,3],"taps":[1,2,3]}]})"));
  REQUIRE(bank.filters.size() == 2);
  CHECK(bank.filters[0].name == "g");
  CHECK(bank.filters[1].taps.size[2] == 3);
  CHECK(bankFromJson(toJson(bank)) == bank);
}

TEST_CASE("damaged banks are refused with the place") {
  const auto refuse = [](const char* text, const char* part) {
    CHECK_THROWS_WITH(bankFromJson(json::parse(text)), ContainsSubstring(part));
  };
  refuse("[]", "object");
  refuse(R"({"schema":"x"})", "schema");
  refuse(R"({"schema":"stencilscope.bank/1"})", "filters");
  refuse(R"({"schema":"stencilscope.bank/1","filters":[{}]})", "type");
  refuse(R"({"schema":"stencilscope.bank/1","boundary":"edge","filters":[]})", "boundary");
  refuse(R"({"schema":"stencilscope.bank/1","output":"u7","filters":[]})", "output");
  refuse(R"({"schema":"stencilscope.bank/1","filters":[{"type":"gaussian","params":{"sigma":"big"}}]})", "sigma");
  refuse(R"({"schema":"stencilscope.bank/1","filters":[{"type":"custom","size":[1000000,1000000,1000000],"taps":[]}]})",
         "sizes");
  refuse(R"({"schema":"stencilscope.bank/1","filters":[{"type":"custom","size":[1],"taps":[null]}]})", "finite");
}

TEST_CASE("a family's name that is none is told in one line") {
  try {
    static_cast<void>(recipeFromJson({{"type", "gauss\nian" + std::string(1000, 'x')}}));
    FAIL("it was taken");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
    CHECK(std::string(error.what()).size() < 1100);  // the name in part, and all families
  }
}

TEST_CASE("names within a bank are unique") {
  const auto bank = bankFromJson(json::parse(
      R"({"schema":"stencilscope.bank/1","filters":[{"type":"box"},{"type":"box"},{"type":"box","name":"box 2"}]})"));
  CHECK(bank.filters[0].name == "box");
  CHECK(bank.filters[1].name == "box 2");
  CHECK(bank.filters[2].name == "box 3");
}

TEST_CASE("duplicates of duplicates are counted on") {
  FilterNames names;
  std::vector<std::string> given;
  for (const char* wanted :
       {"gaussian", "gaussian", "gaussian 2", "gaussian 3", "gaussian-2", "gaussian-2", "a-b", "a-b", "-2", "-2"})
    given.push_back(names.take(wanted));
  CHECK(given == std::vector<std::string>{"gaussian", "gaussian 2", "gaussian 3", "gaussian 4", "gaussian-2",
                                          "gaussian 5", "a-b", "a-b 2", "-2", "-2 2"});
}

TEST_CASE("ten thousand filters of one name are named") {
  // Looking for each name among all before it would take minutes.
  json filters = json::array();
  for (int i = 0; i < 10000; ++i) filters.push_back({{"type", "box"}});
  const auto bank = bankFromJson({{"schema", "stencilscope.bank/1"}, {"filters", filters}});
  CHECK(bank.filters[1].name == "box 2");
  CHECK(bank.filters.back().name == "box 10000");
}

TEST_CASE("the results of a bank are its enabled rows that are not intermediate, in their order") {
  FilterBank bank;
  for (const char* spec : {"box:name=b,intermediate=true", "sobel:name=s", "median:name=m", "gaussian:name=g"})
    bank.filters.push_back(parseFilterSpec(spec));
  bank.filters[2].enabled = false;
  CHECK(bank.resultNames() == std::vector<std::string>{"s", "g"});
  CHECK(bank.results().size() == 2);
  CHECK(bank.enabled().size() == 3);
}

TEST_CASE("each option of each family survives text and JSON") {
  for (const FilterFamily& family : filterFamilies())
    for (const Option& option : family.options) {
      CHECK(parseOption(option, formatOption(option.fallback)) == option.fallback);
      CHECK(optionFromJson(option, optionToJson(option.fallback)) == option.fallback);
      CHECK_FALSE(option.help.empty());
      CHECK_FALSE(option.label.empty());
    }
}
