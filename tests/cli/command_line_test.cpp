// The line that does in a shell what a session does, run by a shell; and templates on the command line.
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/paths.h"
#include "core/filter/families/data_shares.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/job/command_line.h"
#include "core/filter/stencil.h"
#include "core/filter/templates/bank_template.h"
#include "tests/cli/program.h"
#include "tests/cli/shell.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

namespace {

// The bank that the line gives the program, as it reports it.
FilterBank bankThatRan(const Session& session, const TemporaryFolder& folder) {
  const std::string line = filterCommand(session) + " --json report.json";
  INFO(line);
  REQUIRE(shell("cd " + shellWord(folder.path().string()) + " && " + line) == 0);
  const json report = parseJson(readTextFile(folder / "report.json"));
  json bank{{"schema", "stencilscope.bank/1"}, {"filters", report.at("filters")}};
  for (const char* key : {"boundary", "constant", "output"})
    if (report.contains(key)) bank[key] = report.at(key);
  return bankFromJson(bank);
}

FilterRecipe named(const char* spec, const std::string& name) {
  FilterRecipe recipe = parseFilterSpec(spec);
  recipe.name = name;
  return recipe;
}

// A command gives what it would take from the data.
FilterBank stated(FilterBank bank) {
  for (FilterRecipe& recipe : bank.filters) recipe = withStatedShares(std::move(recipe));
  return bank;
}

Session sessionOn(const std::filesystem::path& file) {
  Session session;
  session.data.path = file.string();
  return session;
}

}  // namespace

TEST_CASE("the copied command gives the program an equal bank", "[cli]") {
  const TemporaryFolder folder;
  const auto file = folder / "it's $HOME; `x` \"q\".nrrd";
  writeNrrd(file, randomVolume({9, 8, 1, 1}, ElementType::f32, 1));
  Session session = sessionOn(file);
  session.bank.filters = {named("gaussian:sigma=0.7,intermediate=true", "smooth"),
                          named("sobel:axis=x,normalize=true,input=smooth,flip=true", "g x"),
                          named("sobel:axis=y,input=smooth", "gy,(1)"), named("formula:e=source", "it's \\ $5 *"),
                          named("guided:radius=1", "two inputs")};
  session.bank.filters[3].parameters["e"] = std::string("sqrt(\"g x\"^2 + max(\"gy,(1)\", 0)^2) * @k=0.5[0..2]");
  session.bank.filters[3].parameters["k"] = 1.25;
  session.bank.filters[4].inputs = {"gy,(1)", "source"};
  session.bank.boundary = Boundary::constant;
  session.bank.constant = -1.5e-3;
  session.bank.output = OutputType{ElementType::f64};
  session.engine = "cpu:scalar";
  CHECK(bankThatRan(session, folder) == stated(session.bank));
}

TEST_CASE("a copied command holds custom taps and templates", "[cli]") {
  const TemporaryFolder folder;
  writeNrrd(folder / "a.nrrd", randomVolume({9, 8, 1, 1}, ElementType::f32, 1));
  Session session = sessionOn(folder / "a.nrrd");
  FilterRecipe recipe = named("custom:size=[3,2],taps=[1,-2.5,3e-7,0.1,0,1]", "custom");
  recipe.taps.anchor = {0, 1, 0};
  recipe.taps.weights[3] = 1.0 / 3;
  session.bank.filters = {recipe};
  CHECK(bankThatRan(session, folder) == stated(session.bank));
  for (const BankTemplate& made : bankTemplates()) {
    INFO(made.name);
    session.bank = appended(made.image, made.image);
    FilterBank again;
    const std::vector<std::string> words = filterArguments(session.bank);
    for (std::size_t i = 1; i < words.size(); i += 2) again.filters.push_back(parseFilterSpec(words[i]));
    CHECK(again == stated(session.bank));
  }
  session.bank = appended(bankTemplate("gradient").image, bankTemplate("vessels").image);
  CHECK(bankThatRan(session, folder) == stated(session.bank));
}

TEST_CASE("rows that are switched off are not copied", "[cli]") {
  const TemporaryFolder folder;
  writeNrrd(folder / "a.nrrd", randomVolume({5, 4, 1, 1}, ElementType::u8, 1));
  Session session = sessionOn(folder / "a.nrrd");
  session.bank.filters = {named("box", "a"), named("sobel", "b")};
  session.bank.filters[0].enabled = false;
  FilterBank rest = session.bank;
  rest.filters.erase(rest.filters.begin());
  CHECK(bankThatRan(session, folder) == stated(rest));
  CHECK(filesIn(folder.path()) == std::vector<std::string>{"a-b.nrrd", "a.nrrd", "report.json"});
}

TEST_CASE("the command makes a sample first", "[cli]") {
  const TemporaryFolder folder;
  Session session;
  session.data = {"", "foam", 8, 3};
  session.bank.filters = {named("box", "mean")};
  CHECK(bankThatRan(session, folder) == stated(session.bank));
  CHECK(filesIn(folder.path()) == std::vector<std::string>{"foam-mean.nrrd", "foam.nrrd", "report.json"});
  session.data = {};
  CHECK(filterCommand(session) == "sscope filter IN -o '{stem}-{}.nrrd' --filter box:name=mean");
}

TEST_CASE("what cannot be a command is one sentence", "[cli]") {
  Session session;
  CHECK_THROWS_WITH(filterCommand(session), ContainsSubstring("no filter that is switched on"));
  session.bank.filters = {named("box", "a\"b,c")};
  CHECK_THROWS_WITH(filterCommand(session), ContainsSubstring("a\"b,c") && ContainsSubstring("--bank"));
  session.bank.filters = {named("custom:size=[1],taps=[1]", "large")};
  session.bank.filters[0].taps = boxOfTaps({31, 31, 31});
  for (double& tap : session.bank.filters[0].taps.weights) tap = 1.0 / 29791;
  CHECK_THROWS_WITH(filterCommand(session), ContainsSubstring("large has too many taps"));
}

TEST_CASE("templates are listed, chosen by name and made for the data", "[cli]") {
  const Outcome list = run({"filter", "--list-templates"});
  CHECK(list.status == 0);
  for (const BankTemplate& made : bankTemplates()) CHECK(contains(list.out, made.name + " "));
  expectRefusal({"filter", "a.nrrd", "-o", "b.nrrd", "--template", "gradeint"}, 2, "use one of denoise, gabor");
  expectRefusal({"filter", "a.nrrd", "-o", "b.nrrd", "--template", "gabor", "--bank", "b.json"}, 2, "excludes");
  const TemporaryFolder folder;
  const auto path = [&](const char* name) { return (folder / name).string(); };
  writeNrrd(folder / "image.nrrd", randomVolume({9, 8, 1, 1}, ElementType::f32, 1));
  writeNrrd(folder / "volume.nrrd", randomVolume({6, 5, 4, 1}, ElementType::f32, 1));
  const json flat = reportOf({"filter", path("image.nrrd"), "-o", path("{stem}-{}.nrrd"), "--template", "gradient",
                              "--filter", "formula:e=magnitude>1,name=edge", "--verify"});
  CHECK(flat.at("filters").size() == 5);
  CHECK(flat.at("verification").at("verified") == true);
  CHECK(std::filesystem::exists(folder / "image-edge.nrrd"));
  const json deep = reportOf(
      {"filter", path("volume.nrrd"), "-o", path("{stem}-{}.nrrd"), "--template", "gradient", "--boundary", "mirror"});
  CHECK(deep.at("boundary") == "mirror");
  FilterBank volume = bankTemplate("gradient").volume;
  for (std::size_t i = 0; i < volume.filters.size(); ++i) CHECK(deep.at("filters")[i] == toJson(volume.filters[i]));
  // Several inputs, each in its own form.
  const Outcome both =
      run({"filter", path("image.nrrd"), path("volume.nrrd"), "-o", path("m-{stem}-{}.nrrd"), "--template", "hessian"});
  CHECK(both.status == 0);
  CHECK_FALSE(std::filesystem::exists(folder / "m-image-zz.nrrd"));
  CHECK(std::filesystem::exists(folder / "m-volume-zz.nrrd"));
}

TEST_CASE("a template sets what depends on noise from the file", "[cli]") {
  const TemporaryFolder folder;
  Volume noise = randomVolume({64, 48, 1, 1}, ElementType::f32, 2);  // even within -1..1
  writeNrrd(folder / "a.nrrd", noise);
  const json report =
      reportOf({"filter", (folder / "a.nrrd").string(), "-o", (folder / "{}.nrrd").string(), "--template", "denoise"});
  // Its standard deviation is 1 / sqrt(3).
  const double sigma = report.at("filters")[2].at("params").at("sigma");
  CHECK(sigma > 0.5);
  CHECK(sigma < 0.65);
}
