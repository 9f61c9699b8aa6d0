#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/paths.h"
#include "tests/cli/known_ceilings.h"
#include "tests/cli/program.h"
#include "tests/cli/shell.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;

namespace {

const Arguments kSmall{"compare", "--engine", "cpu:scalar,cpu:sse4"};

}  // namespace

TEST_CASE("compare races engines, writes a page and a capsule, and the capsule runs again") {
  useKnownCeilings();
  const TemporaryFolder folder;
  const std::string capsule = folder / "c.json", page = folder / "c.html";
  const Outcome outcome =
      run(joined(kSmall, {"--shape", "24,20,16", "--filter", "gaussian:sigma=1", "--filter", "sobel:axis=x",
                          "--boundary", "mirror", "--capsule", capsule, "--report", page, "--threads", "1"}));
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  for (const char* part : {"cpu:scalar", "cpu:sse4", "1000 volumes", "gaussian:sigma=1, sobel:axis=x; boundary mirror"})
    CHECK(contains(outcome.out, part));
  const json document = json::parse(readTextFile(capsule));
  CHECK(document.at("schema") == "stencilscope.capsule/1");
  REQUIRE(document.at("lanes").size() == 2);
  for (const json& lane : document.at("lanes")) {
    CHECK(lane.at("row").at("verified") == true);
    CHECK(lane.at("row").at("reps").get<int>() >= 7);
    CHECK(lane.at("totals_s").size() == lane.at("row").at("samples_s").size());
    CHECK(lane.at("first").at("verification").at("verified") == true);
  }
  const std::string html = readTextFile(page);
  CHECK(html.size() < 2000000);
  for (const char* part : {"<link", "src=", "url(", "@import"}) CHECK(!contains(html, part));

  // From the capsule and from the page, on one engine of it.
  for (const std::string& from : {capsule, page}) {
    const Outcome again = run({"compare", from, "--engine", "cpu:scalar", "--json", folder / "again.json"});
    INFO(again.err);
    REQUIRE(again.status == 0);
    const json other = json::parse(readTextFile(folder / "again.json"));
    CHECK(other.at("recipe") == document.at("recipe"));
    CHECK(other.at("how") == document.at("how"));
    CHECK(other.at("lanes").size() == 1);
    CHECK(lineCount(again.out) > 5);
  }
  const Outcome both = run({"compare", capsule, "--report", folder / "both.html", "--with", page});
  INFO(both.err);
  REQUIRE(both.status == 0);
  CHECK(contains(both.out, "of the capsule within quartiles") != contains(both.out, "times as long, there"));
}

TEST_CASE("compare computes in the unit of its data, as filter does") {
  useKnownCeilings();
  const TemporaryFolder folder;
  const std::string in = folder / "tiny.nrrd", capsule = folder / "c.json";
  Volume tiny = randomVolume({14, 12, 10, 1}, ElementType::f32, 3);
  for (float& value : tiny.elements<float>()) value *= 0x1p-80F;
  writeNrrd(in, tiny);
  const Outcome outcome =
      run({"compare", in, "--engine", "cpu:scalar", "--filter", "gradient:sigma=1", "--capsule", capsule});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const json recipe = json::parse(readTextFile(capsule)).at("recipe");
  CHECK(recipe.at("parameters").at("unit").get<double>() < 0x1p-40);
  REQUIRE(run({"compare", capsule, "--data", in}).status == 0);
}

TEST_CASE("compare takes files, samples and workloads, and gives the numbers that bench counts") {
  useKnownCeilings();
  const TemporaryFolder folder;
  const Outcome magic = run(joined(kSmall, {"--workload", "bank", "--param", "filters=2", "--param", "size=3",
                                            "--shape", "16,12,8", "--json", "-"}));
  INFO(magic.err);
  REQUIRE(magic.status == 0);
  const json lane = json::parse(magic.out).at("lanes").at(0).at("row");
  const json row = reportOf({"bench", "bank", "--engine", "cpu:scalar", "--param", "filters=2", "--param", "size=3",
                             "--shape", "16,12,8"})
                       .at("results")
                       .at(0);
  for (const char* key : {"workload", "variant", "engine", "shape", "params", "input", "precision", "ran", "threads",
                          "flops", "bytes", "caches", "rel_l2", "max_ulp", "compared", "coverage"})
    CHECK(lane.at(key) == row.at(key));

  writeNrrd(folder / "in.nrrd", randomVolume({12, 12, 6, 1}, ElementType::u16, 1));
  const Outcome file = run(joined(kSmall, {folder / "in.nrrd", "--filter", "median:size=3", "--output-type", "same",
                                           "--capsule", folder / "f.json"}));
  INFO(file.err);
  REQUIRE(file.status == 0);
  CHECK(contains(file.out, "12x12x6 u16 (in.nrrd)"));
  // The file has to be named again, and has to be the same.
  expectRefusal({"compare", folder / "f.json"}, 1, "was made with the file in.nrrd, which it does not contain");
  writeNrrd(folder / "other.nrrd", randomVolume({12, 12, 6, 1}, ElementType::u16, 2));
  expectRefusal({"compare", folder / "f.json", "--data", folder / "other.nrrd"}, 1, "the voxels differ");
  CHECK(run({"compare", folder / "f.json", "--data", folder / "in.nrrd", "--engine", "cpu:scalar"}).status == 0);
  const Outcome sample = run(joined(kSmall, {"--sample", "gyroid", "--size", "12", "--quoted-only", "--json", "-"}));
  INFO(sample.err);
  REQUIRE(sample.status == 0);
  CHECK_FALSE(json::parse(sample.out).at("lanes").at(0).contains("first"));
}

TEST_CASE("compare lists absent engines with their reason") {
  useKnownCeilings();
  const json document = reportOf({"compare", "--shape", "12,12,12", "--filter", "sobel:axis=x", "--engine", "all"});
  CHECK(document.at("lanes").size() >= document.at("machine").at("devices").size());
  for (const json& lane : document.at("lanes")) {
    INFO(lane.dump());
    CHECK((lane.at("row").contains("skipped") || lane.at("row").at("verified") == true));
  }
}

TEST_CASE("compare refuses what does not fit together") {
  useKnownCeilings();
  const TemporaryFolder folder;
  writeTextFile(folder.path() / "broken.json", R"({"schema":"stencilscope.capsule/1","version":"0.1.0"})");
  expectRefusal({"compare", folder / "broken.json"}, 1, "cannot read the capsule");
  writeTextFile(folder.path() / "newer.json", R"({"schema":"stencilscope.capsule/7","version":"3.0"})");
  expectRefusal({"compare", folder / "newer.json"}, 1, "newer version of Stencilscope, 3.0; update this one");
  writeTextFile(folder.path() / "page.html", "<html></html>");
  expectRefusal({"compare", folder / "page.html"}, 1, "contains no capsule");
  REQUIRE(run(joined(kSmall, {"--shape", "8,8,8", "--capsule", folder / "c.json"})).status == 0);
  writeTextFile(folder.path() / "cut.json", readTextFile(folder / "c.json").substr(0, 500));
  expectRefusal({"compare", folder / "cut.json"}, 1, "it is not valid JSON");
  expectRefusal({"compare", folder / "c.json", "--filter", "sobel"}, 2, "a capsule already names");
  expectRefusal({"compare", folder / "c.json", "--seed", "3"}, 2, "a capsule already names");
  expectRefusal({"compare", folder / "c.json", "--data", folder / "c.json"}, 2,
                "the data of this capsule are generated");
  expectRefusal({"compare", folder / "c.json", "--capsule", folder / "c.json"}, 2, "c.json");
  expectRefusal({"compare", "--data", folder / "x.nrrd"}, 2, "--data applies to a capsule only");
  expectRefusal({"compare", "--workload", "nothing"}, 2, "there is no workload nothing");
  expectRefusal({"compare", "--workload", "bank", "--filter", "sobel"}, 2,
                "compare takes either filters or a --workload");
  expectRefusal({"compare", "--engine", "cpu:none"}, 2, "there is no engine cpu:none");
  expectRefusal({"compare", "--param", "size=3"}, 2, "--param applies to a --workload only");
  expectRefusal({"compare", "--report", folder / "none/x.html"}, 1, "none");
}

TEST_CASE("compare looks at whole results and at probes") {
  useKnownCeilings();
  const TemporaryFolder folder;
  const std::string file = folder / "c.json", page = folder / "c.html";
  const Outcome outcome = run(joined(kSmall, {"--shape", "20,18,12", "--filter", "median:size=3", "--agreement",
                                              "cpu:scalar", "--contract", "--json", file, "--report", page}));
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(contains(outcome.out, "agreement with cpu:scalar"));
  CHECK(contains(outcome.out, "4320/4320"));
  const json document = json::parse(readTextFile(file));
  const json& lanes = document.at("agreement").at("lanes");
  REQUIRE(lanes.size() == 1);
  CHECK(lanes[0].at("outputs").at(0).at("equal") == 4320);
  REQUIRE(document.at("contract").at("lanes").size() == 2);
  for (const json& lane : document.at("contract").at("lanes")) {
    CHECK(lane.at("kept") == true);
    CHECK(lane.at("probes").size() == 12);
    CHECK(contains(lane.at("probes").at(10).at("without"), "not linear"));
  }
  CHECK(contains(readTextFile(page), "<h2>Contract</h2>"));
  CHECK(run({"compare", file, "--engine", "cpu:scalar"}).status == 0);

  const Outcome unknown = run(joined(kSmall, {"--shape", "8,8", "--agreement", "cpu:none"}));
  CHECK(unknown.status == 2);
  CHECK(contains(unknown.err, "no contender is called cpu:none"));
  const Outcome none = run(joined(kSmall, {"--shape", "8,8", "--agreement", ""}));
  CHECK(none.status == 2);
  CHECK(contains(none.err, "--agreement names no contender"));
}

TEST_CASE("compare probes the adjoint of linear filters") {
  useKnownCeilings();
  const Outcome outcome =
      run(joined(kSmall, {"--shape", "20,18,12", "--filter", "sobel", "--boundary", "wrap", "--contract"}));
  INFO(outcome.err << outcome.out);
  REQUIRE(outcome.status == 0);
  CHECK(contains(outcome.out, "adjoint"));
  CHECK_FALSE(contains(outcome.out, "means nothing"));
  CHECK_FALSE(contains(outcome.out, "WRONG"));
}

TEST_CASE("compare explains every contender") {
  useKnownCeilings();
  const TemporaryFolder folder;
  const std::string page = folder / "c.html";
  const Outcome outcome =
      run(joined(kSmall, {"--shape", "20,18,12", "--filter", "gaussian:sigma=1", "--explain", "--report", page}));
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  for (const char* topic : {"why", "plan", "predicted", "input on host: 0.0173 MB"})
    CHECK(contains(outcome.out, topic));
  CHECK(contains(readTextFile(page), "<h2>Explanations</h2>"));
}

TEST_CASE("compare maps which engine wins where") {
  useKnownCeilings();
  const TemporaryFolder folder;
  const std::string file = folder / "c.json";
  const Outcome outcome = run(joined(kSmall, {"--shape", "16,16,16", "--filter", "gaussian:sigma=1", "--edges", "8,12",
                                              "--vary", "sigma=0.5,1", "--json", file}));
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(contains(outcome.out, "sigma=0.5"));
  const json map = json::parse(readTextFile(file)).at("break_even");
  REQUIRE(map.at("cells").size() == 4);
  for (const json& cell : map.at("cells")) {
    CHECK(cell.at("measured") == true);
    for (const json& time : cell.at("times")) CHECK(time.at("total_s").get<double>() > 0);
  }
  for (const char* wrong : {"sigma", "sigma=", "sigma=1,,2", "sigma=1,", "sigma=x", "none=1", "sigma=1,2,1"}) {
    const Outcome refused = run(joined(kSmall, {"--shape", "8,8", "--filter", "gaussian", "--vary", wrong}));
    INFO(wrong);
    CHECK(refused.status == 2);
    CHECK(lineCount(refused.err) == 1);
  }
  const Outcome twice = run(joined(kSmall, {"--shape", "8,8", "--filter", "gaussian", "--edges", "8,16,8"}));
  CHECK(twice.status == 2);
  CHECK(contains(twice.err, "the map has edge 8 twice"));
  CHECK(twice.out.empty());
}

TEST_CASE("compare keeps what it timed where a look fails, and refuses unknown options before") {
  useKnownCeilings();
  const TemporaryFolder folder;
  const std::string file = folder / "c.json";
  const Outcome absent = run({"compare", "--engine", "cpu:scalar,cuda:0", "--shape", "8,8,8", "--filter", "gaussian",
                              "--agreement", "cuda:0", "--json", file});
  if (absent.status != 0) {  // there is no such device here
    CHECK(contains(absent.err, "cuda:0"));
    CHECK(contains(absent.out, "cpu:scalar"));
    CHECK(json::parse(readTextFile(file)).at("lanes").size() == 2);
  }
  const Outcome unknown = run(joined(kSmall, {"--workload", "magic", "--shape", "16,16,16", "--vary", "ordr=4,8"}));
  CHECK(unknown.status == 2);
  CHECK(contains(unknown.err, "ordr"));
  CHECK(unknown.out.empty());
}
