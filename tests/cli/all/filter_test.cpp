// sscope filter: files, names, geometry, banks and reports.

#include <algorithm>
#include <filesystem>

#include "app/setup/setup.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/job/filter_job.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

Volume tilted(const VolumeShape& shape, ElementType type) {
  Volume volume = randomVolume(shape, type, 5);
  volume.setGeometry({{0.5, 1.25, 3}, {-10, 20.5, 7}, {0, -1, 0, 1, 0, 0, 0, 0, 1}, "mm"});
  return volume;
}

struct FilterScene : Scene {
  explicit FilterScene(const VolumeShape& shape = {12, 9, 7, 1}, ElementType type = ElementType::f32)
      : Scene(tilted(shape, type)) {}
  // The largest difference between a written volume and what the core computes for this bank.
  [[nodiscard]] double difference(const Volume& written, const FilterBank& bank, std::size_t which = 0) const {
    const Workshop workshop = makeWorkshop();
    FilterJob job;
    job.bank = bank;
    const FilterResult result = runFilter(workshop.engines, workshop.variants, job, volume("in.nrrd"), {});
    return largestDifference(result.outputs.at(which), written);
  }
};

FilterBank bankOf(std::initializer_list<const char*> specs) {
  FilterBank bank;
  for (const char* spec : specs) {
    FilterRecipe recipe = parseFilterSpec(spec);
    recipe.name = uniqueName(bank, recipe.name);
    bank.filters.push_back(std::move(recipe));
  }
  return bank;
}

}  // namespace

TEST_CASE("files that are written while others are computed are the same") {
  const FilterScene scene({256, 256, 160, 1}, ElementType::u8);  // two slabs
  const std::string filter = "filter in.nrrd --filter gaussian:sigma=2 --boundary wrap --threads 2";
  scene.ok(filter + " -o out.nrrd");
  scene.ok(filter + " -o whole.nrrd --verify");
  CHECK((contentButVerified(scene.path("out.nrrd")) == contentButVerified(scene.path("whole.nrrd"))));
  const json report = scene.report(filter + " --filter sobel -o {}.nrrd");
  CHECK(report["outputs"].size() == 2);
  CHECK(report["tiles"].get<int>() > 1);
  CHECK(largestDifference(scene.volume("gaussian.nrrd"), scene.volume("whole.nrrd")) == 0);
  // An input that is cut off leaves no output.
  fs::resize_file(scene.path("in.nrrd"), fs::file_size(scene.path("in.nrrd")) - 1);
  scene.refuse("filter in.nrrd -o new.nrrd --filter box", 1, "it is cut off");
}

TEST_CASE("one filter writes one file with the geometry of its input") {
  const FilterScene scene;
  const Outcome outcome = scene.ok("filter in.nrrd -o out.nrrd --filter gaussian:sigma=1.2");
  CHECK((outcome.out.empty() && outcome.err.empty()));  // it is not a terminal
  const Volume written = scene.volume();
  CHECK(written.type() == ElementType::f32);
  const Geometry wanted = scene.volume("in.nrrd").geometry(), geometry = written.geometry();
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(geometry.spacing[i] == Approx(wanted.spacing[i]));
    CHECK(geometry.origin[i] == Approx(wanted.origin[i]));
  }
  for (std::size_t i = 0; i < 9; ++i) CHECK(geometry.direction[i] == Approx(wanted.direction[i]).margin(1e-12));
  CHECK(scene.difference(written, bankOf({"gaussian:sigma=1.2"})) < 1e-6);
  CHECK(scene.files() == std::vector<std::string>{"in.nrrd", "out.nrrd"});
  // A length in millimeters follows the spacing of each axis.
  scene.ok("filter in.nrrd -o out.nrrd --filter gaussian:sigma=1.5mm");
  CHECK(scene.difference(scene.volume(), bankOf({"gaussian:sigma=1.5mm"})) < 1e-6);
}

TEST_CASE("filter notes a length far below the grid, and refuses a filter that does not fit the data") {
  const FilterScene scene({12, 9, 1, 1});
  const std::string err = scene.ok("filter in.nrrd -o out.nrrd --filter dog:sigma=0.02mm --filter gaussian").err;
  CHECK(contains(err, "note: the filter dog gives zero everywhere"));
  CHECK(contains(err, "voxels"));
  CHECK(!contains(scene.ok("filter in.nrrd -o out.nrrd --filter dog:sigma=1").err, "note:"));
  scene.refuse("filter in.nrrd -o out.nrrd --filter gaussian --filter sobel:axis=z", 2,
               "the filter sobel: axis=z needs a volume");
}

TEST_CASE("boundary, constant and custom taps reach the engine") {
  const FilterScene scene;
  scene.ok("filter in.nrrd -o out.nrrd --filter box:size=5 --boundary constant --constant 100 --threads 1");
  FilterBank bank = bankOf({"box:size=5"});
  bank.boundary = Boundary::constant;
  bank.constant = 100;
  CHECK(scene.difference(scene.volume(), bank) < 1e-4);
  bank.constant = 0;
  CHECK(scene.difference(scene.volume(), bank) > 1);
  scene.write("taps.json", R"({"size":[3,1,1],"taps":[0,0,1]})");
  scene.ok("filter in.nrrd -o out.nrrd --filter custom:file=taps.json");
  CHECK(scene.volume().value(0, 4, 4) == scene.volume("in.nrrd").value(1, 4, 4));
}

TEST_CASE("{} becomes the filter's name, which does not lead out of the folder") {
  const FilterScene scene;
  scene.ok("filter in.nrrd -o r-{}.nrrd --filter gaussian --filter gaussian:sigma=2 --filter sobel:name=edge");
  CHECK(scene.difference(scene.volume("r-gaussian-2.nrrd"), bankOf({"gaussian", "gaussian:sigma=2"}), 1) < 1e-6);
  scene.write("bank.json", R"({"schema":"stencilscope.bank/1","filters":[{"name":"../evil","type":"box"}]})");
  scene.ok("filter in.nrrd --bank bank.json -o r-{}.nrrd");
  CHECK(scene.files() == std::vector<std::string>{"bank.json", "in.nrrd", "r-.._evil.nrrd", "r-edge.nrrd",
                                                  "r-gaussian-2.nrrd", "r-gaussian.nrrd"});
}

TEST_CASE("several filters become the components of one file") {
  const FilterScene scene;
  const json report =
      scene.report("filter in.nrrd -o out.nrrd --filter gaussian --filter sobel:axis=y --filter box --verify");
  CHECK(report.at("verification").at("verified") == true);
  const Volume written = scene.volume();
  REQUIRE(written.shape().components == 3);
  CHECK(written.geometry().spacing[2] == Approx(3));
  Volume second({12, 9, 7, 1}, ElementType::f32);
  for (std::size_t i = 0; i < second.elements<float>().size(); ++i)
    second.elements<float>()[i] = written.elements<float>()[3 * i + 1];
  CHECK(scene.difference(second, bankOf({"gaussian", "sobel:axis=y", "box"}), 1) < 1e-6);
}

TEST_CASE("16-bit results are rounded and saturated, and that is counted") {
  const FilterScene scene({10, 10, 10, 1}, ElementType::u16);
  const json report = scene.report("filter in.nrrd -o out.nrrd --filter laplacian --output-type same --verify");
  const Volume written = scene.volume();
  REQUIRE(written.type() == ElementType::u16);
  const auto zeros = std::ranges::count(written.elements<std::uint16_t>(), std::uint16_t{0});
  REQUIRE(report.at("saturated").size() == 1);
  // A laplacian of noise is negative about as often as not; 0 itself is rare.
  CHECK(report.at("saturated")[0].get<std::int64_t>() > 300);
  CHECK(report.at("saturated")[0].get<std::int64_t>() >= zeros - 5);
  CHECK(report.at("verification").at("verified") == true);
}

TEST_CASE("the report of a filter names what ran where") {
  const FilterScene scene;
  CHECK(scene
            .ok("filter in.nrrd -o out.nrrd --filter gaussian --engine cpu:scalar --variant dense --threads 1 "
                "--json report.json")
            .out.empty());
  const json report = scene.document("report.json"), exact{{"schema", "stencilscope.filter/1"},
                                                           {"engine", "cpu:scalar"},
                                                           {"variant", "dense"},
                                                           {"threads", 1},
                                                           {"outputs", {"out.nrrd"}}};
  for (const auto& [key, value] : exact.items()) CHECK(report.at(key) == value);
  CHECK(report.at("phases").at("total_s").get<double>() > 0);
  CHECK(report.at("flops").get<double>() > 0);
}

TEST_CASE("a bank file is run with its own settings, which options override") {
  const FilterScene scene;
  FilterBank bank = bankOf({"gaussian:sigma=1.5", "scharr"});
  bank.boundary = Boundary::wrap;
  scene.write("bank.json", toJson(bank).dump());
  scene.ok("filter in.nrrd --bank bank.json -o {}.nrrd");
  CHECK(scene.difference(scene.volume("scharr.nrrd"), bank, 1) < 1e-5);
  scene.ok("filter in.nrrd --bank bank.json -o {}.nrrd --boundary mirror");
  CHECK(scene.difference(scene.volume("scharr.nrrd"), bank, 1) > 1e-3);
  bank.boundary = Boundary::mirror;
  CHECK(scene.difference(scene.volume("scharr.nrrd"), bank, 1) < 1e-5);
}

TEST_CASE("a PNG image is filtered to a PNG image") {
  if (!hasItk()) SSCOPE_SKIP("PNG needs ITK");
  const Scene scene;
  scene.ok("sample zone-plate --size 64 -o f.nrrd");
  scene.ok("filter f.nrrd -o in.png --filter box:size=1 --output-type u8");
  scene.ok("filter in.png -o out.png --filter gaussian:sigma=1.5 --output-type same");
  CHECK(scene.volume("out.png").type() == ElementType::u8);
  CHECK(scene.volume("out.png").shape() == VolumeShape{64, 64, 1, 1});
}

TEST_CASE("real volumes are filtered with their geometry") {
  const auto data = sharedData();
  if (!data) SSCOPE_SKIP("there is no ../shared/data");
  const Scene scene;
  int filtered = 0;
  for (const auto& entry : fs::recursive_directory_iterator(*data / "volumes" / "good")) {
    if (!entry.is_regular_file() || entry.file_size() > (2 << 20)) continue;
    const std::string extension = entry.path().extension(), many = ".mha .nii .vti .png";
    // Formats that hold a volume in one file of their own.
    if (extension != ".nrrd" && (!hasItk() || extension.empty() || !contains(many, extension))) continue;
    scene.ok("filter '" + entry.path().string() + "' -o out.nrrd --filter gaussian:sigma=1");
    const Geometry before = readVolume(entry.path()).geometry(), after = scene.volume().geometry();
    for (std::size_t i = 0; i < 3; ++i) CHECK(after.spacing[i] == Approx(before.spacing[i]));
    ++filtered;
  }
  if (filtered == 0) SSCOPE_SKIP("no small file among the real volumes");
}

TEST_CASE("a result that rounding decides is not called wrong, and huge data are judged") {
  Volume data({9, 7, 5, 1}, ElementType::f32);
  std::ranges::fill(data.elements<float>(), 3.0F);
  const Scene scene(data);
  // So large a number has lost its place among the waves.
  const std::string lost = "formula:e=tan(source*1e20)";
  for (const std::string other : {"box:name=b", "formula:e=tan(source*3e19),name=b"}) {
    const Outcome outcome =
        scene.run("filter in.nrrd -o {}.nrrd --filter " + lost + ",name=lost --filter " + other + " --verify");
    CHECK(outcome.status != 0);
    CHECK(contains(outcome.err, "cannot be compared: of lost, rounding decides"));
    CHECK(!contains(outcome.err, "vendor"));
  }
  scene.ok("filter in.nrrd -o out.nrrd --filter " + lost);
  scene.ok("filter in.nrrd -o out.nrrd --filter direction --verify");  // a slope of zero has the direction 0
  Volume noise = randomVolume({20, 16, 6, 1}, ElementType::f64, 2);
  scene.write("noise.nrrd", noise);
  for (double& value : noise.elements<double>()) value *= 1e200;
  scene.write("huge.nrrd", noise);
  for (const std::string engine : {"cpu:scalar", "cpu:sse4"}) {
    const std::string how = " -o new.nrrd --output-type f64 --verify --engine " + engine + " --filter ";
    scene.refuse("filter noise.nrrd" + how + "formula:e=tan((source+2)*1e20)", 2,
                 "rounding decides every element, so that none can be judged");
    CHECK(scene.ok("filter huge.nrrd" + how + "hilbert").err.empty());
    fs::remove(scene.path("new.nrrd"));
  }
}
