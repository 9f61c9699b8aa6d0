// sscope compare: that it runs a race and what looks at it, and writes them. The race itself: tests/compare.

#include <filesystem>

#include "tests/cli/known_ceilings.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;

namespace {

const std::string kCompare = "compare --engine cpu:scalar,cpu:sse4 ";

struct CompareScene : Scene {
  CompareScene() : Scene(randomVolume({12, 12, 6, 1}, ElementType::u16, 1)) { useKnownCeilings(); }
};

}  // namespace

TEST_CASE("compare races engines, writes a page and a capsule, and the capsule runs again") {
  const CompareScene scene;
  const Outcome outcome = scene.ok(kCompare +
                                   "--shape 24,20,16 --filter gaussian:sigma=1 --filter sobel:axis=x "
                                   "--boundary mirror --capsule c.json --report c.html --threads 1");
  for (const char* part : {"cpu:scalar", "cpu:sse4", "1000 volumes", "gaussian:sigma=1, sobel:axis=x; boundary mirror"})
    CHECK(contains(outcome.out, part));
  const json document = scene.document("c.json");
  CHECK(document.at("schema") == "stencilscope.capsule/1");
  REQUIRE(document.at("lanes").size() == 2);
  for (const json& lane : document.at("lanes")) {
    CHECK(lane.at("row").at("verified") == true);
    CHECK(lane.at("row").at("reps").get<int>() >= 7);
    CHECK(lane.at("totals_s").size() == lane.at("row").at("samples_s").size());
    CHECK(lane.at("first").at("verification").at("verified") == true);
  }
  const std::string html = scene.text("c.html");
  CHECK(html.size() < 2000000);
  for (const char* part : {"<link", "src=", "url(", "@import"}) CHECK(!contains(html, part));
  // From the capsule and from the page, on one engine of it.
  for (const std::string from : {"c.json", "c.html"}) {
    const Outcome again = scene.ok("compare " + from + " --engine cpu:scalar --json again.json");
    const json other = scene.document("again.json");
    CHECK(other.at("recipe") == document.at("recipe"));
    CHECK(other.at("how") == document.at("how"));
    CHECK(other.at("lanes").size() == 1);
    CHECK(lineCount(again.out) > 5);
  }
  const Outcome both = scene.ok("compare c.json --report both.html --with c.html");
  CHECK(contains(both.out, "of the capsule within quartiles") != contains(both.out, "times as long, there"));
}

TEST_CASE("compare takes files, samples and workloads, and gives the numbers that bench counts") {
  const CompareScene scene;
  const std::string bank = " --param filters=2 --param size=3 --shape 16,12,8";
  const json lane = scene.report(kCompare + "--workload bank" + bank).at("lanes").at(0).at("row"),
             row = scene.report("bench bank --engine cpu:scalar" + bank).at("results").at(0);
  for (const char* key : {"workload", "variant", "engine", "shape", "params", "input", "precision", "ran", "threads",
                          "flops", "bytes", "caches", "rel_l2", "max_ulp", "compared", "coverage"})
    CHECK(lane.at(key) == row.at(key));
  CHECK(contains(scene.ok(kCompare + "in.nrrd --filter median:size=3 --output-type same --capsule f.json").out,
                 "12x12x6 u16 (in.nrrd)"));
  // The file has to be named again, and has to be the same.
  scene.write("other.nrrd", randomVolume({12, 12, 6, 1}, ElementType::u16, 2));
  scene.refuse(1, {{"compare f.json", "was made with the file in.nrrd, which it does not contain"},
                   {"compare f.json --data other.nrrd", "the voxels differ"}});
  scene.ok("compare f.json --data in.nrrd --engine cpu:scalar");
  CHECK_FALSE(scene.report(kCompare + "--sample gyroid --size 12 --quoted-only").at("lanes").at(0).contains("first"));
  // In the unit of the data, as filter does.
  Volume tiny = randomVolume({14, 12, 10, 1}, ElementType::f32, 3);
  for (float& value : tiny.elements<float>()) value *= 0x1p-80F;
  scene.write("tiny.nrrd", tiny);
  scene.ok("compare tiny.nrrd --engine cpu:scalar --filter gradient:sigma=1 --capsule t.json");
  CHECK(scene.document("t.json").at("/recipe/parameters/unit"_json_pointer).get<double>() < 0x1p-40);
  scene.ok("compare t.json --data tiny.nrrd");
}

TEST_CASE("compare lists absent engines with their reason") {
  const CompareScene scene;
  const json document = scene.report("compare --shape 12,12,12 --filter sobel:axis=x --engine all");
  CHECK(document.at("lanes").size() >= document.at("machine").at("devices").size());
  for (const json& lane : document.at("lanes")) {
    INFO(lane.dump());
    CHECK((lane.at("row").contains("skipped") || lane.at("row").at("verified") == true));
  }
}

TEST_CASE("compare refuses what does not fit together") {
  const CompareScene scene;
  scene.ok(kCompare + "--shape 8,8,8 --capsule c.json");
  scene.write("broken.json", R"({"schema":"stencilscope.capsule/1","version":"0.1.0"})");
  scene.write("newer.json", R"({"schema":"stencilscope.capsule/7","version":"3.0"})");
  scene.write("page.html", "<html></html>");
  scene.write("cut.json", scene.text("c.json").substr(0, 500));
  scene.refuse(1, {{"compare broken.json", "cannot read the capsule"},
                   {"compare newer.json", "newer version of Stencilscope, 3.0; update this one"},
                   {"compare page.html", "contains no capsule"},
                   {"compare cut.json", "it is not valid JSON"},
                   {"compare --report none/x.html", "none"}});
  const std::string small = kCompare + "--shape 8,8 ", vary = small + "--filter gaussian --vary ";
  scene.refuse(2, {{"compare c.json --filter sobel", "a capsule already names"},
                   {"compare c.json --seed 3", "a capsule already names"},
                   {"compare c.json --data c.json", "the data of this capsule are generated"},
                   {"compare --data x.nrrd", "--data applies to a capsule only"},
                   {"compare --workload nothing", "there is no workload nothing"},
                   {"compare --workload bank --filter sobel", "compare takes either filters or a --workload"},
                   {"compare --engine cpu:none", "there is no engine cpu:none"},
                   {"compare --param size=3", "--param applies to a --workload only"},
                   {small + "--agreement cpu:none", "no contender is called cpu:none"},
                   {small + "--agreement ''", "--agreement names no contender"},
                   {kCompare + "--workload magic --shape 16,16,16 --vary ordr=4,8", "ordr"},
                   {small + "--filter gaussian --edges 8,16,8", "the map has edge 8 twice"}});
  for (const std::string wrong : {"sigma", "sigma=", "sigma=1,,2", "sigma=1,", "sigma=x", "none=1", "sigma=1,2,1"})
    scene.refuse(vary + wrong, 2, "");
}

TEST_CASE("compare looks at whole results and at probes, explains every contender, and maps which engine wins where") {
  const CompareScene scene;
  const Outcome looked = scene.ok(kCompare +
                                  "--shape 20,18,12 --filter median:size=3 --agreement cpu:scalar "
                                  "--contract --explain --json c.json --report c.html");
  for (const char* part : {"agreement with cpu:scalar", "4320/4320", "why", "plan", "predicted"})
    CHECK(contains(looked.out, part));
  const json document = scene.document("c.json");
  CHECK(document.at("/agreement/lanes/0/outputs/0/equal"_json_pointer) == 4320);
  REQUIRE(document.at("contract").at("lanes").size() == 2);
  for (const json& lane : document.at("contract").at("lanes")) {
    CHECK(lane.at("kept") == true);
    CHECK(lane.at("probes").size() == 12);
    CHECK(contains(lane.at("probes").at(10).at("without"), "not linear"));
  }
  for (const char* title : {"<h2>Contract</h2>", "<h2>Explanations</h2>"}) CHECK(contains(scene.text("c.html"), title));
  scene.ok("compare c.json --engine cpu:scalar");
  // The adjoint of linear filters is probed.
  const std::string linear = scene.ok(kCompare + "--shape 20,18,12 --filter sobel --boundary wrap --contract").out;
  CHECK(contains(linear, "adjoint"));
  CHECK_FALSE(contains(linear, "means nothing"));
  CHECK_FALSE(contains(linear, "WRONG"));
  const Outcome mapped =
      scene.ok(kCompare + "--shape 16,16,16 --filter gaussian:sigma=1 --edges 8,12 --vary sigma=0.5,1 --json m.json");
  CHECK(contains(mapped.out, "sigma=0.5"));
  const json cells = scene.document("m.json").at("break_even").at("cells");
  REQUIRE(cells.size() == 4);
  for (const json& cell : cells) {
    CHECK(cell.at("measured") == true);
    for (const json& time : cell.at("times")) CHECK(time.at("total_s").get<double>() > 0);
  }
}

TEST_CASE("compare keeps what it timed where a look fails") {
  const CompareScene scene;
  const Outcome absent =
      scene.run("compare --engine cpu:scalar,cuda:0 --shape 8,8,8 --filter gaussian --agreement cuda:0 --json c.json");
  if (absent.status == 0) SSCOPE_SKIP("this machine has such a device");
  CHECK(contains(absent.err, "cuda:0"));
  CHECK(contains(absent.out, "cpu:scalar"));
  CHECK(scene.document("c.json").at("lanes").size() == 2);
}
