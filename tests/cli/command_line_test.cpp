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
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;

namespace {

// The bank that the line gives the program, as it reports it.
FilterBank bankThatRan(const Session& session, const Scene& scene) {
  const std::string line = filterCommand(session) + " --json report.json";
  INFO(line);
  REQUIRE(scene.shell(line).status == 0);
  const json report = parseJson(scene.text("report.json"));
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

Session sessionOn(const std::string& file) {
  Session session;
  session.data.path = file;
  return session;
}

Volume flat(std::int64_t nx = 9, std::int64_t ny = 8) { return randomVolume({nx, ny, 1, 1}, ElementType::f32, 1); }

}  // namespace

TEST_CASE("the copied command gives the program an equal bank", "[cli]") {
  const Scene scene{Scene::Empty()};
  const std::string file = "it's $HOME; `x` \"q\".nrrd";
  scene.write(file, flat());
  Session session = sessionOn(scene.path(file));
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
  CHECK(bankThatRan(session, scene) == stated(session.bank));
}

TEST_CASE("a copied command holds custom taps and templates", "[cli]") {
  const Scene scene(flat());
  Session session = sessionOn(scene.path("in.nrrd"));
  FilterRecipe recipe = named("custom:size=[3,2],taps=[1,-2.5,3e-7,0.1,0,1]", "custom");
  recipe.taps.anchor = {0, 1, 0};
  recipe.taps.weights[3] = 1.0 / 3;
  session.bank.filters = {recipe};
  CHECK(bankThatRan(session, scene) == stated(session.bank));
  for (const BankTemplate& made : bankTemplates()) {
    INFO(made.name);
    session.bank = appended(made.image, made.image);
    FilterBank again;
    const std::vector<std::string> arguments = filterArguments(session.bank);
    for (std::size_t i = 1; i < arguments.size(); i += 2) again.filters.push_back(parseFilterSpec(arguments[i]));
    CHECK(again == stated(session.bank));
  }
  session.bank = appended(bankTemplate("gradient").image, bankTemplate("vessels").image);
  CHECK(bankThatRan(session, scene) == stated(session.bank));
}

TEST_CASE("rows that are switched off are not copied", "[cli]") {
  const Scene scene(flat(5, 4));
  Session session = sessionOn(scene.path("in.nrrd"));
  session.bank.filters = {named("box", "a"), named("sobel", "b")};
  session.bank.filters[0].enabled = false;
  FilterBank rest = session.bank;
  rest.filters.erase(rest.filters.begin());
  CHECK(bankThatRan(session, scene) == stated(rest));
  CHECK(scene.files() == std::vector<std::string>{"in-b.nrrd", "in.nrrd", "report.json"});
}

TEST_CASE("the command makes a sample first", "[cli]") {
  const Scene scene{Scene::Empty()};
  Session session;
  session.data = {"", "foam", 8, 3};
  session.bank.filters = {named("box", "mean")};
  CHECK(bankThatRan(session, scene) == stated(session.bank));
  CHECK(scene.files() == std::vector<std::string>{"foam-mean.nrrd", "foam.nrrd", "report.json"});
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
  const Scene scene(flat(64, 48));
  const Outcome list = scene.ok("filter --list-templates");
  for (const BankTemplate& made : bankTemplates()) CHECK(contains(list.out, made.name + " "));
  scene.refuse(2, {{"filter in.nrrd -o b.nrrd --template gradeint", "use one of denoise, gabor"},
                   {"filter in.nrrd -o b.nrrd --template gabor --bank b.json", "excludes"}});
  scene.write("deep.nrrd", randomVolume({6, 5, 4, 1}, ElementType::f32, 1));
  const json image = scene.report(
      "filter in.nrrd -o {stem}-{}.nrrd --template gradient --filter formula:e=magnitude>1,name=edge --verify");
  CHECK(image.at("filters").size() == 5);
  CHECK(image.at("verification").at("verified") == true);
  CHECK(scene.has("in-edge.nrrd"));
  const json deep = scene.report("filter deep.nrrd -o {stem}-{}.nrrd --template gradient --boundary mirror");
  CHECK(deep.at("boundary") == "mirror");
  FilterBank volume = bankTemplate("gradient").volume;
  for (std::size_t i = 0; i < volume.filters.size(); ++i) CHECK(deep.at("filters")[i] == toJson(volume.filters[i]));
  // Several inputs, each in its own form.
  scene.ok("filter in.nrrd deep.nrrd -o m-{stem}-{}.nrrd --template hessian");
  CHECK_FALSE(scene.has("m-in-zz.nrrd"));
  CHECK(scene.has("m-deep-zz.nrrd"));
  // What depends on noise is taken from the file: even within -1..1, the standard deviation is 1 / sqrt(3).
  const double sigma =
      scene.report("filter in.nrrd -o {}.nrrd --template denoise").at("filters")[2].at("params").at("sigma");
  CHECK(sigma == Approx(0.575).margin(0.075));
}
