#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/setup/setup.h"
#include "core/base/paths.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/job/filter_job.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/largest.h"
#include "tests/support/programs.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;

namespace {

Geometry tilted() {
  Geometry geometry;
  geometry.spacing = {0.5, 1.25, 3};
  geometry.origin = {-10, 20.5, 7};
  geometry.direction = {0, -1, 0, 1, 0, 0, 0, 0, 1};
  return geometry;
}

struct FilterScene {
  explicit FilterScene(const VolumeShape& shape = {12, 9, 7, 1}, ElementType type = ElementType::f32) {
    Volume volume = randomVolume(shape, type, 5);
    volume.setGeometry(tilted());
    writeNrrd(in, volume);
  }
  Outcome filter(Arguments more, const std::string& output = {}) const {
    Arguments all{"filter", in, "-o", output.empty() ? out : output};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = run(all);
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    return outcome;
  }
  // The largest difference between a written volume and what the core path gives for this bank.
  [[nodiscard]] double difference(const Volume& written, const FilterBank& bank, std::size_t which = 0) const {
    const Workshop workshop = makeWorkshop();
    const Volume input = readVolume(in);
    FilterJob job;
    job.bank = bank;
    const FilterResult result = runFilter(workshop.engines, workshop.variants, job, input, {});
    const Volume& wanted = result.outputs.at(which);
    REQUIRE(written.shape() == wanted.shape());
    double largest = 0;
    for (std::int64_t z = 0; z < wanted.shape().nz; ++z)
      for (std::int64_t y = 0; y < wanted.shape().ny; ++y)
        for (std::int64_t x = 0; x < wanted.shape().nx; ++x)
          largest = test::larger(largest, std::abs(wanted.value(x, y, z) - written.value(x, y, z)));
    return largest;
  }
  TemporaryFolder folder;
  std::string in = folder / "in.nrrd", out = folder / "out.nrrd";
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

// Formats that hold a volume in one file of their own.
bool readable(const std::string& extension) {
  if (extension == ".nrrd") return true;
  if (!hasItk()) return false;
  return extension == ".mha" || extension == ".nii" || extension == ".vti" || extension == ".png";
}

}  // namespace

TEST_CASE("files that are written while others are computed are the same") {
  const FilterScene scene({256, 256, 160, 1}, ElementType::u8);  // two slabs
  const Arguments filters{"--filter", "gaussian:sigma=2", "--boundary", "wrap", "--threads", "2"};
  scene.filter(filters);
  const std::string whole = scene.folder / "whole.nrrd";
  scene.filter(joined(filters, {"--verify"}), whole);
  CHECK((contentButVerified(scene.out) == contentButVerified(whole)));

  const Arguments two = joined(filters, {"--filter", "sobel", "--json", "-"});
  const auto report = json::parse(scene.filter(two, scene.folder / "{}.nrrd").out);
  CHECK(report["outputs"].size() == 2);
  CHECK(report["tiles"].get<int>() > 1);
  const Volume written = readVolume(scene.folder / "gaussian.nrrd"), wanted = readVolume(whole);
  CHECK(std::ranges::equal(written.elements<float>(), wanted.elements<float>()));
}

TEST_CASE("an input that is cut off leaves no output") {
  const FilterScene scene({256, 256, 160, 1}, ElementType::u8);
  std::filesystem::resize_file(scene.in, std::filesystem::file_size(scene.in) - 1);
  expectRefusal({"filter", scene.in, "-o", scene.out, "--filter", "box"}, 1, "it is cut off");
  CHECK(filesIn(scene.folder.path()) == std::vector<std::string>{"in.nrrd"});
}

TEST_CASE("one filter writes one file with the geometry of its input") {
  const FilterScene scene;
  const Outcome outcome = scene.filter({"--filter", "gaussian:sigma=1.2"});
  CHECK(outcome.out.empty());
  CHECK(outcome.err.empty());  // it is not a terminal
  const Volume written = readVolume(scene.out);
  CHECK(written.type() == ElementType::f32);
  const Geometry wanted = tilted();
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(written.geometry().spacing[i] == Approx(wanted.spacing[i]));
    CHECK(written.geometry().origin[i] == Approx(wanted.origin[i]));
  }
  for (std::size_t i = 0; i < 9; ++i)
    CHECK(written.geometry().direction[i] == Approx(wanted.direction[i]).margin(1e-12));
  CHECK(scene.difference(written, bankOf({"gaussian:sigma=1.2"})) < 1e-6);
  CHECK(filesIn(scene.folder.path()) == std::vector<std::string>{"in.nrrd", "out.nrrd"});
}

TEST_CASE("a length in millimeters follows the spacing of each axis") {
  const FilterScene scene;
  scene.filter({"--filter", "gaussian:sigma=1.5mm"});
  CHECK(scene.difference(readVolume(scene.out), bankOf({"gaussian:sigma=1.5mm"})) < 1e-6);
}

TEST_CASE("a length far below the grid is told on standard error") {
  const FilterScene scene;
  const Outcome outcome = scene.filter({"--filter", "dog:sigma=0.02mm", "--filter", "gaussian:sigma=1"});
  CHECK_THAT(outcome.err, Catch::Matchers::ContainsSubstring("note: the filter dog gives zero everywhere") &&
                              Catch::Matchers::ContainsSubstring("voxels"));
  CHECK(scene.filter({"--filter", "dog:sigma=1"}).err.find("note:") == std::string::npos);
}

TEST_CASE("a filter that does not fit the data is refused by its name") {
  const FilterScene scene({12, 9, 1, 1});
  const Outcome outcome =
      run({"filter", scene.in, "-o", scene.out, "--filter", "gaussian:sigma=1", "--filter", "sobel:axis=z"});
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Catch::Matchers::ContainsSubstring("the filter sobel: axis=z needs a volume"));
}

TEST_CASE("boundary and constant reach the engine") {
  const FilterScene scene;
  scene.filter({"--filter", "box:size=5", "--boundary", "constant", "--constant", "100", "--threads", "1"});
  FilterBank bank = bankOf({"box:size=5"});
  bank.boundary = Boundary::constant;
  bank.constant = 100;
  CHECK(scene.difference(readVolume(scene.out), bank) < 1e-4);
  bank.constant = 0;
  CHECK(scene.difference(readVolume(scene.out), bank) > 1);
}

TEST_CASE("{} becomes the filter's name") {
  const FilterScene scene;
  scene.filter({"--filter", "gaussian", "--filter", "gaussian:sigma=2", "--filter", "sobel:name=edge"},
               scene.folder / "r-{}.nrrd");
  CHECK(filesIn(scene.folder.path()) ==
        std::vector<std::string>{"in.nrrd", "r-edge.nrrd", "r-gaussian-2.nrrd", "r-gaussian.nrrd"});
  CHECK(scene.difference(readVolume(scene.folder / "r-gaussian-2.nrrd"), bankOf({"gaussian", "gaussian:sigma=2"}), 1) <
        1e-6);
}

TEST_CASE("a filter's name does not lead out of the folder") {
  const FilterScene scene;
  writeTextFile(scene.folder / "bank.json",
                R"({"schema":"stencilscope.bank/1","filters":[{"name":"../evil","type":"box"}]})");
  scene.filter({"--bank", scene.folder / "bank.json"}, scene.folder / "r-{}.nrrd");
  CHECK(std::filesystem::exists(scene.folder / "r-.._evil.nrrd"));
}

TEST_CASE("several filters become the components of one file") {
  const FilterScene scene;
  const Outcome outcome =
      scene.filter({"--filter", "gaussian", "--filter", "sobel:axis=y", "--filter", "box", "--verify", "--json", "-"});
  CHECK(json::parse(outcome.out).at("verification").at("verified") == true);
  const Volume written = readVolume(scene.out);
  REQUIRE(written.shape().components == 3);
  CHECK(written.geometry().spacing[2] == Approx(3));
  Volume second({12, 9, 7, 1}, ElementType::f32);
  for (std::size_t i = 0; i < second.elements<float>().size(); ++i)
    second.elements<float>()[i] = std::as_const(written).elements<float>()[3 * i + 1];
  CHECK(scene.difference(second, bankOf({"gaussian", "sobel:axis=y", "box"}), 1) < 1e-6);
}

TEST_CASE("16-bit results are rounded and saturated, and that is counted") {
  const FilterScene scene({10, 10, 10, 1}, ElementType::u16);
  const Outcome outcome = scene.filter({"--filter", "laplacian", "--output-type", "same", "--json", "-", "--verify"});
  const json report = json::parse(outcome.out);
  const Volume written = readVolume(scene.out);
  REQUIRE(written.type() == ElementType::u16);
  std::int64_t zeros = 0;
  for (const std::uint16_t element : std::as_const(written).elements<std::uint16_t>()) zeros += element == 0 ? 1 : 0;
  REQUIRE(report.at("saturated").size() == 1);
  // A laplacian of noise is negative about as often as not; 0 itself is rare.
  CHECK(report.at("saturated")[0].get<std::int64_t>() > 300);
  CHECK(report.at("saturated")[0].get<std::int64_t>() >= zeros - 5);
  CHECK(report.at("verification").at("verified") == true);
}

TEST_CASE("the report says what ran where") {
  const FilterScene scene;
  const Outcome outcome = scene.filter({"--filter", "gaussian", "--engine", "cpu:scalar", "--variant", "dense",
                                        "--threads", "1", "--json", scene.folder / "report.json"});
  CHECK(outcome.out.empty());
  const json report = json::parse(readTextFile(scene.folder / "report.json"));
  CHECK(report.at("schema") == "stencilscope.filter/1");
  CHECK(report.at("engine") == "cpu:scalar");
  CHECK(report.at("variant") == "dense");
  CHECK(report.at("threads") == 1);
  CHECK(report.at("outputs") == json::array({scene.out}));
  CHECK(report.at("phases").at("total_s").get<double>() > 0);
  CHECK(report.at("flops").get<double>() > 0);
}

TEST_CASE("a bank file is run with its own settings, which options override") {
  const FilterScene scene;
  const std::string file = scene.folder / "bank.json";
  FilterBank bank = bankOf({"gaussian:sigma=1.5", "scharr"});
  bank.boundary = Boundary::wrap;
  writeTextFile(file, toJson(bank).dump());
  scene.filter({"--bank", file}, scene.folder / "{}.nrrd");
  CHECK(scene.difference(readVolume(scene.folder / "scharr.nrrd"), bank, 1) < 1e-5);
  scene.filter({"--bank", file, "--boundary", "mirror"}, scene.folder / "{}.nrrd");
  CHECK(scene.difference(readVolume(scene.folder / "scharr.nrrd"), bank, 1) > 1e-3);
  bank.boundary = Boundary::mirror;
  CHECK(scene.difference(readVolume(scene.folder / "scharr.nrrd"), bank, 1) < 1e-5);
}

TEST_CASE("custom taps come from a file") {
  const FilterScene scene;
  writeTextFile(scene.folder / "taps.json", R"({"size":[3,1,1],"taps":[0,0,1]})");
  scene.filter({"--filter", "custom:file=" + (scene.folder / "taps.json").string()});
  const Volume in = readVolume(scene.in), out = readVolume(scene.out);
  CHECK(out.value(0, 4, 4) == in.value(1, 4, 4));
}

TEST_CASE("a report does not replace what is read") {
  const FilterScene scene;
  const std::string before = readTextFile(scene.in);
  const Arguments report{"--json", scene.in};
  for (const Arguments& command : {Arguments{"filter", scene.in, "--filter", "box", "-o", scene.out},
                                   Arguments{"dwt", "forward", scene.in, "-o", scene.out},
                                   Arguments{"magic", "forward", scene.in, "-o", scene.out}}) {
    Arguments arguments = command;
    arguments.insert(arguments.end(), report.begin(), report.end());
    const Outcome outcome = run(arguments);
    INFO(outcome.err);
    CHECK(outcome.status == 2);
    CHECK(contains(outcome.err, "which is read"));
  }
  CHECK(readTextFile(scene.in) == before);
  CHECK(filesIn(scene.folder.path()) == std::vector<std::string>{"in.nrrd"});
}

TEST_CASE("a PNG image is filtered to a PNG image") {
  if (!hasItk()) SSCOPE_SKIP("PNG needs ITK");
  const TemporaryFolder folder;
  const std::string in = folder / "in.png", out = folder / "out.png";
  REQUIRE(run({"sample", "zone-plate", "--size", "64", "-o", folder / "f.nrrd"}).status == 0);
  REQUIRE(run({"filter", folder / "f.nrrd", "-o", in, "--filter", "box:size=1", "--output-type", "u8"}).status == 0);
  const Outcome outcome = run({"filter", in, "-o", out, "--filter", "gaussian:sigma=1.5", "--output-type", "same"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  const Volume written = readVolume(out);
  CHECK(written.type() == ElementType::u8);
  CHECK(written.shape() == VolumeShape{64, 64, 1, 1});
}

TEST_CASE("real volumes are filtered with their geometry") {
  const auto data = sharedData();
  if (!data) SSCOPE_SKIP("there is no ../shared/data");
  const TemporaryFolder folder;
  int filtered = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*data / "volumes" / "good")) {
    if (!entry.is_regular_file() || entry.file_size() > (2 << 20)) continue;
    if (!readable(entry.path().extension())) continue;
    const Outcome outcome = run({"filter", entry.path(), "-o", folder / "out.nrrd", "--filter", "gaussian:sigma=1"});
    INFO(entry.path() << ": " << outcome.err);
    CHECK(outcome.status == 0);
    const Geometry before = readVolume(entry.path()).geometry(), after = readVolume(folder / "out.nrrd").geometry();
    for (std::size_t i = 0; i < 3; ++i) CHECK(after.spacing[i] == Approx(before.spacing[i]));
    ++filtered;
  }
  if (filtered == 0) SSCOPE_SKIP("no small file among the real volumes");
}

TEST_CASE("a result that rounding decides is not called wrong") {
  const TemporaryFolder folder;
  const std::string flat = folder / "flat.nrrd", out = folder / "out.nrrd";
  Volume volume({9, 7, 5, 1}, ElementType::f32);
  std::ranges::fill(volume.elements<float>(), 3.0F);
  writeNrrd(flat, volume);
  // So large a number has lost its place among the waves.
  for (const char* other : {"box:name=b", "formula:e=tan(source*3e19),name=b"}) {
    const Outcome outcome = run({"filter", flat, "-o", folder / "{}.nrrd", "--filter",
                                 "formula:e=tan(source*1e20),name=lost", "--filter", other, "--verify"});
    CHECK(outcome.status != 0);
    CHECK_THAT(outcome.err, Catch::Matchers::ContainsSubstring("cannot be compared: of lost, rounding decides"));
    CHECK(outcome.err.find("vendor") == std::string::npos);
  }
  CHECK(run({"filter", flat, "-o", out, "--filter", "formula:e=tan(source*1e20)"}).status == 0);
  // A slope of zero has the direction 0, which is judged.
  CHECK(run({"filter", flat, "-o", out, "--filter", "direction", "--verify"}).status == 0);
}
