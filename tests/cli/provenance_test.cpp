// The record in outputs of how they were made, and `sscope run FILE`, which makes them again.

#include <filesystem>
#include <fstream>

#include "core/io/volume_io.h"
#include "core/volume/fingerprint.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

const std::string kFilter = "filter in.nrrd --filter gaussian:sigma=1.5,name=g --engine cpu:scalar";

struct ProvenanceScene : Scene {
  ProvenanceScene() : Scene(randomVolume({20, 18, 16, 1}, ElementType::u8, 7)) {}
  [[nodiscard]] json madeOf(const std::string& file) const {
    return report("info " + file).value("provenance", json());
  }
  // Runs the command and finds the bits of the file.
  void expectEqual(const std::string& line) const { CHECK(contains(ok(line).out, "equal bits")); }
  // Another value in the last byte of the file.
  void spoil(const std::string& file) const {
    std::fstream stream(path(file), std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(-1, std::ios::end);
    const char last = static_cast<char>(stream.get());
    stream.seekp(-1, std::ios::end);
    stream.put(static_cast<char>(last ^ 1));
  }
};

}  // namespace

TEST_CASE("a filtered file records how it was made, without names of folders, users and hosts") {
  const ProvenanceScene scene;
  const std::string absolute = "filter " + scene.path("in.nrrd") + kFilter.substr(kFilter.find(" --"));
  scene.ok(absolute + " --verify -o out.nrrd");
  const json made = scene.madeOf("out.nrrd");
  CHECK(made.at("schema") == "stencilscope.provenance/1");
  CHECK(made.at("version") == SSCOPE_VERSION);
  CHECK(made.at("command") == "filter");
  CHECK(made.at("options").at("bank").at("filters").at(0).at("name") == "g");
  CHECK(made.at("data").at("name") == "in.nrrd");
  CHECK(made.at("data").at("fingerprint") == fingerprintOf(scene.volume("in.nrrd"), {}));
  CHECK(made.at("engine") == "cpu:scalar");
  CHECK_FALSE(made.at("variant").get<std::string>().empty());
  CHECK(made.at("verified").at("compared") == 20 * 18 * 16);
  CHECK(made.at("fingerprint") == fingerprintOf(scene.volume(), {}));
  CHECK_FALSE(contains(scene.text("out.nrrd"), scene.folder().string()));
  const Outcome shown = scene.ok("info out.nrrd");
  for (const char* part : {"made by", "from        in.nrrd", "gaussian", "cpu:scalar, "})
    CHECK(contains(shown.out, part));
  // Equal commands give equal bytes.
  scene.ok(absolute + " --verify --threads 1 -o again.nrrd");
  CHECK(scene.text("again.nrrd") == scene.text("out.nrrd"));
}

TEST_CASE("run repeats what made a file and reports equal bits") {
  const ProvenanceScene scene;
  for (const std::string name : {"out.nrrd", "out.raw", "out.npz"}) {
    CAPTURE(name);
    scene.ok(kFilter + " -o " + name);
    CHECK(contains(scene.ok("run " + name + " -o again-" + name).out, "equal bits: 5760 elements of " + name));
    CHECK(scene.text("again-" + name) == scene.text(name));
    CHECK(scene.report("run " + name).at("repeated").at("equal") == true);
  }
  // A store, and what was made from one.
  scene.ok(kFilter + " -o store.ome.zarr");
  scene.expectEqual("run store.ome.zarr");
  scene.ok("filter store.ome.zarr --filter median:size=3 -o out.nrrd");
  CHECK(scene.madeOf("out.nrrd").at("data").at("name") == "store.ome.zarr");
  scene.expectEqual("run out.nrrd");
  // Several results, in files of their own and together; a program.
  for (const char* output : {"{}.nrrd", "out.nrrd"}) scene.ok(kFilter + " --filter median:size=3,name=m -o " + output);
  CHECK(scene.madeOf("m.nrrd").at("results") == json::array({"m"}));
  for (const std::string file : {"g.nrrd", "m.nrrd", "out.nrrd"}) scene.expectEqual("run " + file);
  scene.ok("filter in.nrrd --filter tv:weight=5 -o out.nrrd");
  scene.expectEqual("run out.nrrd");
  scene.ok("sample foam --size 12 -o foam.nrrd");
  scene.ok("run foam.nrrd");
}

TEST_CASE("the record of a part of a file describes the whole") {
  const ProvenanceScene scene;
  scene.ok("sample zone-plate --size 600 -o g.ome.zarr");
  const std::string part = "describes the whole file, and this is a part of it";
  for (const std::string choice : {"@level=1", "@t=0", ""}) {
    const Outcome shown = scene.ok("info g.ome.zarr" + choice);
    CAPTURE(choice, shown.out);
    CHECK(contains(shown.out, part) == !choice.empty());
    CHECK_FALSE(contains(shown.out, "its voxels changed"));
  }
}

TEST_CASE("results of several filters in one file do not keep points in time and names, and a note lists them") {
  const ProvenanceScene scene;
  Metadata metadata;
  metadata.frames = 2;
  metadata.frameSeconds = 0.5;
  metadata.channels = {"a", "b"};
  makeVolumeIo()->write(scene.path("in.nrrd"), randomVolume({8, 7, 6, 4}, ElementType::u8, 7), {.metadata = metadata},
                        {});
  const std::string both = kFilter + " --filter box:size=3,name=b -o ";
  CHECK(contains(scene.ok(both + "out.nrrd").err,
                 "do not keep the 2 points in time and the names of channels; put {} in its name"));
  CHECK_FALSE(contains(scene.ok(both + "{}.nrrd").err, "do not keep"));
  CHECK(makeVolumeIo()->probe(scene.path("b.nrrd"), {}).metadata.frames == 2);
  // Of one file its format names what is dropped.
  if (hasItk())
    CHECK(contains(
        scene.ok(kFilter + " -o g.vtk").err,
        "VTK legacy files have no place for the 2 points in time and the names of channels, which are dropped"));
  CHECK(contains(scene.ok("convert in.nrrd -o g.npy").err, "the time between points in time"));
}

TEST_CASE("run finds a voxel that was changed, and data that are others") {
  const ProvenanceScene scene;
  scene.refuse("run in.nrrd", 1, "does not record how it was made");
  scene.ok(kFilter + " -o out.nrrd");
  fs::copy_file(scene.path("out.nrrd"), scene.path("spoiled.nrrd"));
  scene.spoil("spoiled.nrrd");
  scene.refuse("run spoiled.nrrd -o none.nrrd", 1, "1 of 5760 elements differ, at most by");
  CHECK(contains(scene.ok("info spoiled.nrrd").out, "its voxels changed after"));
  CHECK_FALSE(contains(scene.ok("info out.nrrd").out, "its voxels changed after"));
  fs::copy_file(scene.path("in.nrrd"), scene.path("kept.nrrd"));
  scene.spoil("in.nrrd");
  scene.refuse("run out.nrrd", 1, "the data are not the input of");
  scene.ok("run out.nrrd --data kept.nrrd");
  fs::remove(scene.path("in.nrrd"));
  scene.refuse("run out.nrrd", 1, "give its new location with --data FILE");
  fs::rename(scene.path("kept.nrrd"), scene.path("in.nrrd"));
  std::string bytes = scene.text("out.nrrd");
  bytes.replace(bytes.find("cpu:scalar"), 10, "cpu:absent");
  scene.write("out.nrrd", bytes);
  scene.refuse("run out.nrrd", 1, "use --engine ID to repeat it on another one");
  scene.ok("run out.nrrd --engine cpu:scalar");
}

TEST_CASE("run names the spacing of data whose voxels are the same") {
  const ProvenanceScene scene;
  const auto spaced = [&](double step) {
    Volume volume = randomVolume({20, 18, 16, 1}, ElementType::u8, 7);
    Geometry geometry;
    geometry.spacing = {step, step, step};
    volume.setGeometry(geometry);
    scene.write("in.nrrd", volume);
  };
  spaced(1);
  scene.ok("filter in.nrrd -o out.nrrd --filter gaussian:sigma=1.5mm");
  scene.ok("run out.nrrd");
  spaced(2);
  scene.refuse("run out.nrrd", 1, "the spacing of the data is 2,2,2mm now and was 1,1,1mm when it was made");
}

TEST_CASE("convert keeps how the same voxels were made, and records what it changed") {
  const ProvenanceScene scene;
  scene.ok(kFilter + " -o out.nrrd");
  const json made = scene.madeOf("out.nrrd");
  scene.ok("convert out.nrrd -o copy.raw");
  CHECK(scene.madeOf("copy.raw") == made);
  scene.ok("run copy.raw");
  scene.ok("convert out.nrrd -o part.nrrd --crop 2:9,:,: --type u8");
  const json converted = scene.madeOf("part.nrrd");
  CHECK(converted.at("command") == "convert");
  CHECK(converted.at("options") == json({{"crop", "2:9,:,:"}, {"type", "u8"}}));
  CHECK(converted.at("data").at("name") == "out.nrrd");
  CHECK(converted.at("data").at("provenance") == made);
  scene.refuse("run part.nrrd", 1, "type: sscope convert out.nrrd -o OUT --crop 2:9,:,: --type u8");
  // The results of the results name both.
  scene.ok("filter out.nrrd --filter median:size=3 -o part.nrrd");
  CHECK(scene.madeOf("part.nrrd").at("data").at("provenance") == made);
}

TEST_CASE("data that are read from a pipe have no name") {
  const ProvenanceScene scene;
  scene.ok("convert in.nrrd -o out.nrrd --type f32");
  CHECK(scene.madeOf("out.nrrd").at("data").at("name") == "in.nrrd");
  REQUIRE(scene.shell("sscope filter - --filter box -o out.nrrd < in.nrrd").status == 0);
  CHECK_FALSE(scene.madeOf("out.nrrd").at("data").contains("name"));
  CHECK(scene.madeOf("out.nrrd").at("data").contains("fingerprint"));
  scene.refuse("run out.nrrd", 1, "name it with --data FILE");
  scene.ok("run out.nrrd --data in.nrrd");
}

TEST_CASE("a file without the names of its results is not repeated, and its command is not offered") {
  const ProvenanceScene scene;
  scene.ok(kFilter + " -o plain.raw");
  json text = scene.document("plain.json");
  text["provenance"].erase("results");
  scene.write("plain.json", text.dump());
  const Outcome refused = scene.run("run plain.raw");
  CHECK(refused.status != 0);
  CHECK(contains(refused.err, "which results"));
  text["provenance"]["command"] = "dwt forward; touch x #";
  scene.write("plain.json", text.dump());
  CHECK_FALSE(contains(scene.run("run plain.raw").err, "type: sscope"));
}

TEST_CASE("a store is replaced, and not with other files in it beside its image") {
  const ProvenanceScene scene;
  for (int i = 0; i < 2; ++i) scene.ok("convert in.nrrd -o s.zarr");
  scene.write("s.zarr/notes.txt", "mine");
  scene.refuse("convert in.nrrd -o s.zarr", 1, "notes.txt");
  fs::remove(scene.path("s.zarr/notes.txt"));
  // Data in the store, wherever in it, are not read and removed.
  fs::copy_file(scene.path("in.nrrd"), scene.path("s.zarr/0/in.nrrd"));
  scene.refuse("convert s.zarr/0/in.nrrd -o s.zarr", 2, "a folder that holds");
}
