#include "core/compare/capsule.h"

#include <filesystem>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/compare/compare_page.h"
#include "tests/compare/comparison_scene.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::test;
using namespace sscope::compare;
using nlohmann::json;

namespace {

// The error's kind and sentence; fails the test where there is none.
std::string refusalOf(const std::string& text, ErrorKind kind = ErrorKind::BadData) {
  try {
    static_cast<void>(parseCapsule(text, "c.json"));
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    const std::string words = error.what();
    CHECK(words.starts_with("cannot read the capsule c.json: "));
    CHECK(words.find('\n') == std::string::npos);
    return words;
  }
  FAIL_CHECK("it was read: " << text.substr(0, 200));
  return {};
}

// Every place of a document, as pointers.
void collect(const json& value, const json::json_pointer& at, std::vector<json::json_pointer>& places) {
  if (!at.empty()) places.push_back(at);
  if (value.is_object())
    for (const auto& [name, member] : value.items()) collect(member, at / name, places);
  if (value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i) collect(value[i], at / i, places);
}

}  // namespace

TEST_CASE("a capsule reads back as it was written") {
  Comparison written = threeLanes();
  written.contenders[1].values = {{"unroll", std::int64_t{8}}, {"fused", true}, {"method", std::string("walk")}};
  written.lanes[1].marks = {2, 1.5, 0.25, 3, 150};
  written.lanes[1].measurement.batch = 4;
  written.recipe.data.seed = 0xFFFFFFFFFFFFFFFFU;
  const json document = capsuleOf(written);
  const Comparison read = parseCapsule(document.dump(), "c.json");
  CHECK(capsuleOf(read) == document);
  CHECK(read.contenders == written.contenders);
  CHECK(read.recipe.data == written.recipe.data);
  CHECK(read.lanes[0].totals == written.lanes[0].totals);
  CHECK(read.lanes[0].measurement.samples == written.lanes[0].measurement.samples);
  CHECK(read.lanes[1].marks.repeated == 3);
  CHECK(read.lanes[1].marks.kept == 150);
  CHECK_THAT(read.lanes[1].disturbances().front(), ContainsSubstring("2 of 150 repetitions"));
  CHECK(read.lanes[1].disturbances() == written.lanes[1].disturbances());
  CHECK(read.lanes[2].reason() == "libcuda.so.1 not found");
  CHECK(toText(read) == toText(written));
  CHECK(read.lanes[0].measurement.share() == written.lanes[0].measurement.share());
}

// Written on a machine with an NVIDIA H100 by `sscope compare --filter gaussian:sigma=2 --shape 256,256,256`; its name
// is changed.
TEST_CASE("a capsule of another machine is drawn beside a comparison of this one") {
  const Comparison there = readCapsule(sourceFolder() / "tests/compare/capsules/h100.json");
  REQUIRE(there.lanes.size() == 3);
  CHECK(there.lanes[0].measurement.engine == "cuda:0");
  CHECK(there.lanes[0].measurement.verification.verified);
  CHECK(notPortable(there.recipe).empty());
  const Comparison here = threeLanes();
  const std::string text = toText(here, {&there, 1}), page = toPage(here, {&there, 1});
  for (const std::string& shown : {text, page})
    for (const char* part : {"gpu-host: cuda:0 auto", "gpu-host: cpu:avx512 auto", "opencl:0 separable"})
      CHECK_THAT(shown, ContainsSubstring(part));
  CHECK_THAT(toText(there), ContainsSubstring("cuda:0 auto is the fastest"));
}

TEST_CASE("a page holds its capsule, whatever words are in it") {
  Comparison written = threeLanes();
  written.lanes[0].why = "</script><!-- <script> & \xC3\xA4";
  written.machine.host = "<b>host</b>";
  const std::string page = toPage(written);
  CHECK(page.find("<b>host") == std::string::npos);
  REQUIRE(isCapsule(page));
  const Comparison read = parseCapsule(page, "page.html");
  CHECK(read.lanes[0].why == written.lanes[0].why);
  CHECK(read.machine.host == written.machine.host);
  CHECK(capsuleOf(read) == capsuleOf(written));
}

TEST_CASE_METHOD(InFolder, "foreign, broken, newer and huge capsules are refused in one sentence") {
  const json good = capsuleOf(threeLanes());
  CHECK_THAT(refusalOf(""), ContainsSubstring("no JSON"));
  CHECK_THAT(refusalOf(good.dump().substr(0, good.dump().size() / 2)), ContainsSubstring("no JSON"));
  CHECK_THAT(refusalOf("[1, 2]"), ContainsSubstring("must be an object"));
  CHECK_THAT(refusalOf(R"({"schema":"stencilscope.bench/1"})"), ContainsSubstring("must be stencilscope.capsule/1"));
  CHECK_THAT(refusalOf(R"({"schema":"stencilscope.capsule/x"})"), ContainsSubstring("must be stencilscope.capsule/1"));
  CHECK_THAT(refusalOf(R"({"schema":"stencilscope.capsule/2","version":"9.1"})", ErrorKind::Unsupported),
             ContainsSubstring("newer version of Stencilscope, 9.1; update this one"));
  CHECK_THAT(refusalOf(std::string(100000, '[') + std::string(100000, ']')), ContainsSubstring("nested levels"));
  CHECK_THAT(refusalOf(R"({"schema":"stencilscope.capsule/1","schema":"stencilscope.capsule/1"})"),
             ContainsSubstring("occurs twice"));

  const std::filesystem::path huge = folder.path() / "huge.json";
  writeTextFile(huge, std::string(kLargestCapsule + 1, ' '));
  CHECK_THROWS_AS(readCapsule(huge), Error);
  CHECK_THROWS_AS(readCapsule(folder.path() / "none.json"), Error);
}

TEST_CASE("a capsule with something else in any place is refused or reads, and never breaks anything") {
  const json good = capsuleOf(threeLanes());
  std::vector<json::json_pointer> places;
  collect(good, json::json_pointer(), places);
  CHECK(places.size() > 200);
  std::size_t refused = 0, read = 0;
  for (const json::json_pointer& place : places)
    for (const json& other : {json(nullptr), json("text"), json(-1), json(1e300), json(true), json::array(),
                              json::object(), json::array({json::object()})}) {
      json changed = good;
      changed[place] = other;
      try {
        const Comparison comparison = parseCapsule(changed.dump(), "c.json");
        static_cast<void>(toText(comparison));
        static_cast<void>(toPage(comparison));
        ++read;
      } catch (const Error& error) {
        INFO(place.to_string() << " = " << other.dump() << ": " << error.what());
        CHECK(std::string(error.what()).find('\n') == std::string::npos);
        ++refused;
      }
    }
  CHECK(refused > places.size());
  CHECK(read > 0);
}

TEST_CASE("times of a result that was not verified are refused") {
  json document = capsuleOf(threeLanes());
  document["lanes"][0]["row"]["verified"] = false;
  CHECK_THAT(refusalOf(document.dump()), ContainsSubstring("was not verified"));
  document["lanes"][0]["row"]["verified"] = true;
  CHECK_NOTHROW(parseCapsule(document.dump(), "c.json"));
  document["lanes"][0]["row"]["compared"] = 0;
  CHECK_THAT(refusalOf(document.dump()), ContainsSubstring("nothing was compared"));
}

TEST_CASE("a lane of another engine than its contender is refused") {
  json document = capsuleOf(threeLanes());
  document["contenders"][0]["engine"] = "quantum:0";
  CHECK_THAT(refusalOf(document.dump()), ContainsSubstring("contenders' engines"));
}

TEST_CASE("a recipe makes its computation again, and says where another one would be made") {
  CaseRecipe recipe = threeLanes().recipe;
  recipe.data.spec = {ElementType::u16, {12, 10, 8, 1}};
  const Case made = withData(makeCase(recipe, nullptr), {});
  const Volume& input = *made.input;
  const auto& workload = made.workload;
  recipe = completed(made, {});
  CHECK(recipe.workload == "filter");
  CHECK(titleOf(recipe) == "filters: gaussian:sigma=1.5; boundary nearest; 12x10x8 u16 (noise, seed 1)");
  CHECK_NOTHROW(requireSame(recipe.data, noiseOf(recipe.data, {}), {}));
  CHECK_NOTHROW(requireSame(recipe, *workload));

  DataRecipe otherSeed = recipe.data;
  otherSeed.seed = 2;
  CHECK_THROWS_AS(requireSame(recipe.data, noiseOf(otherSeed, {}), {}), Error);
  DataRecipe otherShape = recipe.data;
  otherShape.spec.extent[0] = 13;
  CHECK_THROWS_AS(requireSame(recipe.data, noiseOf(otherShape, {}), {}), Error);
  Volume spaced = noiseOf(recipe.data, {});
  Geometry geometry;
  geometry.spacing[1] = 2;
  spaced.setGeometry(geometry);
  CHECK_THROWS_AS(requireSame(recipe.data, spaced, {}), Error);
  CaseRecipe wider = recipe;
  wider.parameters = bankOf("gaussian:sigma=3");
  CHECK_THROWS_AS(requireSame(recipe, *makeWorkload(wider, input.spec(), input.geometry())), Error);

  CaseRecipe ladder;
  ladder.computes = "bank";
  ladder.parameters = {{"filters", 2}, {"size", 3}};
  CHECK(makeWorkload(ladder, {ElementType::u8, {8, 8, 8, 1}}, {})->name() == "bank");
  CHECK_THAT(titleOf(makeCase(ladder, std::make_shared<const Volume>(VolumeShape{8, 8, 8, 1}, ElementType::u8))),
             ContainsSubstring("bank: boundary=") && ContainsSubstring(" size=3; 8x8x8 u8 (noise, seed 1)"));
  CHECK(valuesOf(ladder).at("size") == OptionValue(std::int64_t{3}));
  // An outline has a title without its workload.
  ladder.data = caseKind("bank").noise(ladder.parameters, {});
  CHECK_THAT(titleOf(ladder), ContainsSubstring("filters=2 size=3"));
  ladder.parameters = {{"no such", 2}};
  CHECK_THROWS_AS(makeWorkload(ladder, {ElementType::u8, {8, 8, 8, 1}}, {}), Error);
  ladder.computes = "no such";
  CHECK(optionsOf(ladder).empty());
  CHECK_THROWS_AS(makeWorkload(ladder, {ElementType::u8, {8, 8, 8, 1}}, {}), Error);
}
