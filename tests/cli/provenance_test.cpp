// What outputs say of how they were made, and `sscope run FILE`, which makes them again.

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/base/paths.h"
#include "core/io/volume_io.h"
#include "core/volume/fingerprint.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"

using namespace sscope;
using namespace sscope::test;

namespace {

namespace fs = std::filesystem;

struct Scene {
  Scene() {
    writeNrrd(in, randomVolume({20, 18, 16, 1}, ElementType::u8, 7));
    filtered = {"filter", in, "--filter", "gaussian:sigma=1.5,name=g", "--engine", "cpu:scalar"};
  }
  TemporaryFolder folder;
  std::string in = folder / "in.nrrd", out = folder / "out.nrrd";
  Arguments filtered;
};

nlohmann::json madeOf(const std::string& file) {
  const Outcome outcome = run({"info", file, "--json"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return nlohmann::json::parse(outcome.out).value("provenance", nlohmann::json());
}

// Another value in the last byte of the file.
void spoil(const std::string& file) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekg(-1, std::ios::end);
  const char last = static_cast<char>(stream.get());
  stream.seekp(-1, std::ios::end);
  stream.put(static_cast<char>(last ^ 1));
}

}  // namespace

TEST_CASE("a filtered file says how it was made, without names of folders, users and hosts") {
  const Scene scene;
  REQUIRE(run(joined(scene.filtered, {"-o", scene.out, "--verify"})).status == 0);
  const nlohmann::json made = madeOf(scene.out);
  CHECK(made.at("schema") == "stencilscope.provenance/1");
  CHECK(made.at("version") == SSCOPE_VERSION);
  CHECK(made.at("command") == "filter");
  CHECK(made.at("options").at("bank").at("filters").at(0).at("name") == "g");
  CHECK(made.at("data").at("name") == "in.nrrd");
  CHECK(made.at("data").at("fingerprint") == fingerprintOf(readVolume(scene.in), {}));
  CHECK(made.at("engine") == "cpu:scalar");
  CHECK_FALSE(made.at("variant").get<std::string>().empty());
  CHECK(made.at("verified").at("compared") == 20 * 18 * 16);
  CHECK(made.at("fingerprint") == fingerprintOf(readVolume(scene.out), {}));
  const std::string bytes = contentOf(scene.out);
  CHECK_FALSE(contains(bytes, scene.folder.path().string()));
  const Outcome shown = run({"info", scene.out});
  for (const char* part : {"made by", "from        in.nrrd", "gaussian", "cpu:scalar, "})
    CHECK(contains(shown.out, part));
  // Equal commands give equal bytes.
  REQUIRE(run(joined(scene.filtered, {"-o", scene.folder / "again.nrrd", "--verify", "--threads", "1"})).status == 0);
  CHECK(contentOf(scene.folder / "again.nrrd") == bytes);
}

TEST_CASE("run repeats what made a file and reports equal bits") {
  const Scene scene;
  for (const std::string name : {"out.nrrd", "out.raw", "out.npz"}) {
    CAPTURE(name);
    const std::string out = scene.folder / name;
    REQUIRE(run(joined(scene.filtered, {"-o", out})).status == 0);
    const std::string before = contentOf(out);
    const Outcome again = run({"run", out, "-o", scene.folder / ("again-" + name)});
    INFO(again.err);
    CHECK(again.status == 0);
    CHECK(contains(again.out, "equal bits: 5760 elements of " + out));
    CHECK(contentOf(scene.folder / ("again-" + name)) == before);
    CHECK(reportOf({"run", out}).at("repeated").at("equal") == true);
  }
}

TEST_CASE("run repeats a store, and what was made from one") {
  const Scene scene;
  const std::string store = scene.folder / "store.ome.zarr";
  REQUIRE(run(joined(scene.filtered, {"-o", store})).status == 0);
  CHECK(contains(run({"run", store}).out, "equal bits: 5760 elements of " + store));
  REQUIRE(run({"filter", store, "--filter", "median:size=3", "-o", scene.out}).status == 0);
  CHECK(madeOf(scene.out).at("data").at("name") == "store.ome.zarr");
  CHECK(contains(run({"run", scene.out}).out, "equal bits"));
}

TEST_CASE("run repeats several results, in files of their own and together") {
  const Scene scene;
  const Arguments both = joined(scene.filtered, {"--filter", "median:size=3,name=m"});
  REQUIRE(run(joined(both, {"-o", scene.folder / "{}.nrrd"})).status == 0);
  REQUIRE(run(joined(both, {"-o", scene.out})).status == 0);
  CHECK(madeOf(scene.folder / "m.nrrd").at("results") == nlohmann::json::array({"m"}));
  for (const std::string file : {"g.nrrd", "m.nrrd", "out.nrrd"}) {
    const Outcome again = run({"run", scene.folder / file});
    INFO(again.err);
    CHECK(again.status == 0);
    CHECK(contains(again.out, "equal bits"));
  }
}

TEST_CASE("what a part of a file says of how it was made is said to be of the whole") {
  const Scene scene;
  REQUIRE(run({"sample", "zone-plate", "--size", "600", "-o", scene.folder / "g.ome.zarr"}).status == 0);
  const std::string part = "describes the whole file, and this is a part of it";
  for (const std::string choice : {"@level=1", "@t=0"}) {
    const Outcome shown = run({"info", scene.folder / ("g.ome.zarr" + choice)});
    INFO(shown.out << shown.err);
    CHECK(contains(shown.out, part));
    CHECK_FALSE(contains(shown.out, "its voxels changed"));
  }
  CHECK_FALSE(contains(run({"info", scene.folder / "g.ome.zarr"}).out, part));
}

TEST_CASE("results of several filters in one file say that points in time and names are not kept") {
  const Scene scene;
  const Volume volume = randomVolume({8, 7, 6, 4}, ElementType::u8, 7);
  Metadata metadata;
  metadata.frames = 2;
  metadata.frameSeconds = 0.5;
  metadata.channels = {"a", "b"};
  makeVolumeIo()->write(scene.in, volume, {.metadata = metadata}, {});
  const std::string note = "do not keep the 2 points in time and the names of channels; put {} in its name";
  const Arguments both = joined(scene.filtered, {"--filter", "box:size=3,name=b"});
  const Outcome together = run(joined(both, {"-o", scene.out}));
  CHECK(together.status == 0);
  CHECK(contains(together.err, note));
  CHECK_FALSE(contains(run(joined(both, {"-o", scene.folder / "{}.nrrd"})).err, "do not keep"));
  CHECK(makeVolumeIo()->probe(scene.folder / "b.nrrd", {}).metadata.frames == 2);
  // Of one file its format says what is dropped.
  if (test::hasItk())
    CHECK(contains(
        run(joined(scene.filtered, {"-o", scene.folder / "g.vtk"})).err,
        "VTK legacy files have no place for the 2 points in time and the names of channels, which are dropped"));
  CHECK(contains(run({"convert", scene.in, "-o", scene.folder / "g.npy"}).err, "the time between points in time"));
}

TEST_CASE("run finds a voxel that was changed, and data that are others") {
  const Scene scene;
  REQUIRE(run(joined(scene.filtered, {"-o", scene.out})).status == 0);
  fs::copy_file(scene.out, scene.folder / "spoiled.nrrd");
  spoil(scene.folder / "spoiled.nrrd");
  expectRefusal({"run", scene.folder / "spoiled.nrrd", "-o", scene.folder / "none.nrrd"}, 1,
                "1 of 5760 elements differ, at most by");
  CHECK_FALSE(fs::exists(scene.folder / "none.nrrd"));
  CHECK(contains(run({"info", scene.folder / "spoiled.nrrd"}).out, "its voxels changed after"));
  CHECK_FALSE(contains(run({"info", scene.out}).out, "its voxels changed after"));
  fs::copy_file(scene.in, scene.folder / "kept.nrrd");
  spoil(scene.in);
  expectRefusal({"run", scene.out}, 1, "the data are not the input of");
  CHECK(run({"run", scene.out, "--data", scene.folder / "kept.nrrd"}).status == 0);
  fs::remove(scene.in);
  expectRefusal({"run", scene.out}, 1, "give its new location with --data FILE");
}

TEST_CASE("run says where data of the same voxels have another spacing") {
  const Scene scene;
  const Volume volume = randomVolume({20, 18, 16, 1}, ElementType::u8, 7);
  const auto spaced = [&](double step) {
    Volume other = volume.clone();
    Geometry geometry;
    geometry.spacing = {step, step, step};
    other.setGeometry(geometry);
    writeNrrd(scene.in, other);
  };
  spaced(1);
  REQUIRE(run({"filter", scene.in, "-o", scene.out, "--filter", "gaussian:sigma=1.5mm"}).status == 0);
  CHECK(run({"run", scene.out}).status == 0);
  spaced(2);
  expectRefusal({"run", scene.out}, 1, "the spacing of the data is 2,2,2mm now and was 1,1,1mm when it was made");
}

TEST_CASE("run says what it cannot repeat") {
  const Scene scene;
  expectRefusal({"run", scene.in}, 1, "does not record how it was made");
  REQUIRE(run({"sample", "foam", "--size", "12", "-o", scene.folder / "foam.nrrd"}).status == 0);
  CHECK(run({"run", scene.folder / "foam.nrrd"}).status == 0);
  spoil(scene.folder / "foam.nrrd");
  expectRefusal({"run", scene.folder / "foam.nrrd"}, 1, "1 of 1728 elements differ");
  REQUIRE(run(joined(scene.filtered, {"-o", scene.out})).status == 0);
  std::string bytes = contentOf(scene.out);
  bytes.replace(bytes.find("cpu:scalar"), 10, "cpu:absent");
  std::ofstream(scene.out, std::ios::binary) << bytes;
  expectRefusal({"run", scene.out}, 1, "use --engine ID to repeat it on another one");
  CHECK(run({"run", scene.out, "--engine", "cpu:scalar"}).status == 0);
}

TEST_CASE("convert keeps how the same voxels were made, and says what it changed") {
  const Scene scene;
  REQUIRE(run(joined(scene.filtered, {"-o", scene.out})).status == 0);
  const nlohmann::json made = madeOf(scene.out);
  REQUIRE(run({"convert", scene.out, "-o", scene.folder / "copy.raw"}).status == 0);
  CHECK(madeOf(scene.folder / "copy.raw") == made);
  CHECK(run({"run", scene.folder / "copy.raw"}).status == 0);
  const std::string part = scene.folder / "part.nrrd";
  REQUIRE(run({"convert", scene.out, "-o", part, "--crop", "2:9,:,:", "--type", "u8"}).status == 0);
  const nlohmann::json converted = madeOf(part);
  CHECK(converted.at("command") == "convert");
  CHECK(converted.at("options") == nlohmann::json({{"crop", "2:9,:,:"}, {"type", "u8"}}));
  CHECK(converted.at("data").at("name") == "out.nrrd");
  CHECK(converted.at("data").at("provenance") == made);
  expectRefusal({"run", part}, 1, "type: sscope convert out.nrrd -o OUT --crop 2:9,:,: --type u8");
  // The results of the results name both.
  REQUIRE(run({"filter", scene.out, "--filter", "median:size=3", "-o", part}).status == 0);
  CHECK(madeOf(part).at("data").at("provenance") == made);
}

TEST_CASE("data that are read from a pipe have no name") {
  const Scene scene;
  REQUIRE(run({"convert", scene.in, "-o", scene.out, "--type", "f32"}).status == 0);
  CHECK(madeOf(scene.out).at("data").at("name") == "in.nrrd");
  const std::string line = programUnderTest() + " filter - --filter box -o " + scene.out + " < " + scene.in;
  REQUIRE(runOther("/bin/sh", {"-c", line}).status == 0);
  CHECK_FALSE(madeOf(scene.out).at("data").contains("name"));
  CHECK(madeOf(scene.out).at("data").contains("fingerprint"));
  expectRefusal({"run", scene.out}, 1, "name it with --data FILE");
  CHECK(run({"run", scene.out, "--data", scene.in}).status == 0);
}

TEST_CASE("programs are repeated, and a file that does not say what it holds is not") {
  const Scene scene;
  REQUIRE(run({"filter", scene.in, "--filter", "tv:weight=5", "-o", scene.out}).status == 0);
  const Outcome again = run({"run", scene.out});
  INFO(again.err);
  CHECK(again.status == 0);
  CHECK(contains(again.out, "equal bits"));

  const std::string plain = scene.folder / "plain.raw", about = scene.folder / "plain.json";
  REQUIRE(run(joined(scene.filtered, {"-o", plain})).status == 0);
  nlohmann::json text = nlohmann::json::parse(contentOf(about));
  text["provenance"].erase("results");
  std::ofstream(about) << text;
  const Outcome refused = run({"run", plain});
  CHECK(refused.status != 0);
  CHECK(contains(refused.err, "which results"));

  // Nothing that a file says is offered as a command.
  text["provenance"]["command"] = "dwt forward; touch x #";
  std::ofstream(about) << text;
  CHECK_FALSE(contains(run({"run", plain}).err, "type: sscope"));
}

TEST_CASE("a store is replaced, and not with what lies in it beside its image") {
  const Scene scene;
  const fs::path store = fs::path(scene.folder / "s.zarr");
  const auto convert = [&](const std::string& in) { return run({"convert", in, "-o", store.string()}); };
  REQUIRE(convert(scene.in).status == 0);
  CHECK(convert(scene.in).status == 0);
  const std::string notes = (store / "notes.txt").string();
  std::ofstream(notes) << "mine";
  Outcome refused = convert(scene.in);
  CHECK(refused.status != 0);
  CHECK(contains(refused.err, "notes.txt"));
  CHECK(contentOf(notes) == "mine");
  fs::remove(notes);
  // Data in the store, wherever in it, are not read and removed.
  const std::string inside = (store / "0" / "in.nrrd").string();
  fs::copy_file(scene.in, inside);
  refused = convert(inside);
  CHECK(refused.status != 0);
  CHECK(contains(refused.err, "a folder that holds"));
  CHECK(fs::exists(inside));
}
