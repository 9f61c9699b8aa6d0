// Pipes, several inputs and compressed outputs, in every command for which they mean something.

#include <algorithm>
#include <filesystem>

#include "core/io/volume_io.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
namespace fs = std::filesystem;

namespace {

struct PipeScene : Scene {
  PipeScene() { write("second.nrrd", randomVolume({8, 8, 8, 1}, ElementType::f32, 2)); }
  void same(const std::string& a, const std::string& b) const {
    CHECK(volume(a).type() == volume(b).type());
    CHECK(largestDifference(volume(a), volume(b)) == 0);
  }
  // Through a shell, without a message.
  void pass(const std::string& command) const {
    const Outcome outcome = shell(command);
    CAPTURE(command, outcome.err);
    REQUIRE(outcome.status == 0);
    CHECK(outcome.err.empty());
  }
};

const std::vector<std::string> kTransforms{"dwt forward", "dwt inverse", "dwt denoise", "magic forward",
                                           "magic inverse"};

}  // namespace

TEST_CASE("commands read and write pipes") {
  const PipeScene scene;
  for (const std::string& command : kTransforms) {
    scene.ok(command + " in.nrrd -o direct.nrrd");
    scene.pass("cat in.nrrd | sscope " + command + " - -o - > out.nrrd");
    scene.same("out.nrrd", "direct.nrrd");
  }
  scene.pass("cat in.nrrd | sscope convert - -o - | sscope filter - -o out.nrrd --filter box:size=1");
  scene.same("out.nrrd", "in.nrrd");
  // A choice behind the standard input, and {stem} of what has no name.
  scene.pass("sscope info -@c=0 < in.nrrd | grep '8 x 8 x 8' > found");
  scene.pass("cat in.nrrd | sscope convert -@c=0 -o '{stem}.nrrd'");
  scene.same("stdin-c0.nrrd", "in.nrrd");
  scene.pass("sscope filter --filter box:size=1 -o out.nrrd -@t=0,c=0 < in.nrrd");
  scene.same("out.nrrd", "in.nrrd");
  // Reports name pipes as they were given.
  for (const std::string command : {"dwt forward - -o -", "filter - -o - --filter box"}) {
    scene.pass("sscope " + command + " --json r.json < in.nrrd > /dev/null");
    const nlohmann::json report = scene.document("r.json");
    CHECK(report["input"] == "-");
    CHECK((report.contains("outputs") ? report["outputs"][0] : report["output"]) == "-");
  }
}

TEST_CASE("transforms take several inputs, and go on after one that fails") {
  const PipeScene scene;
  fs::create_directory(scene.path("out"));
  for (const std::string direction : {"dwt", "magic"}) {
    const Outcome outcome =
        scene.run(direction + " forward in.nrrd none.nrrd second.nrrd -o out/{stem}-" + direction + ".nrrd");
    CHECK(outcome.status == 1);
    CHECK(contains(outcome.err, "2 of 3 inputs done"));
  }
  CHECK(filesIn(scene.path("out")) ==
        std::vector<std::string>{"in-dwt.nrrd", "in-magic.nrrd", "second-dwt.nrrd", "second-magic.nrrd"});
  scene.refuse(2,
               {{"dwt forward in.nrrd second.nrrd -o out.nrrd", "{stem}"},
                {"magic forward in.nrrd second.nrrd -o {stem}-x.nrrd --json r.json", "a report describes one input"}});
}

TEST_CASE("every command that writes a volume compresses it") {
  const PipeScene scene;
  Volume zeros({32, 32, 32, 1}, ElementType::f32);
  std::ranges::fill(zeros.elements<float>(), 0.0F);
  scene.write("in.nrrd", zeros);
  std::vector<std::string> commands{"sample gyroid --size 16"};
  for (const std::string& transform : kTransforms) commands.push_back(transform + " in.nrrd");
  for (const std::string& command : commands) {
    CAPTURE(command);
    scene.ok(command + " -o plain.nrrd");
    scene.ok(command + " -o packed.nrrd --compress");
    const std::size_t part = command.starts_with("sample") ? 1 : 2;
    CHECK(fs::file_size(scene.path("packed.nrrd")) < fs::file_size(scene.path("plain.nrrd")) / part);
    scene.same("packed.nrrd", "plain.nrrd");
  }
  scene.refuse("magic forward in.nrrd -o a.nhdr --compress", 1, "not compressed here");
}

TEST_CASE("transforms keep the notes and the place of the file") {
  const PipeScene scene;
  WriteOptions how;
  how.metadata.fields = {{"study", "seven"}};
  Volume volume = randomVolume({8, 8, 8, 1}, ElementType::f32, 1);
  Geometry geometry;
  geometry.spacing = {0.5, 1, 2};
  geometry.origin = {1, 2, 3};
  volume.setGeometry(geometry);
  makeVolumeIo()->write(scene.path("in.nrrd"), volume, how, {});
  for (const std::string& command : kTransforms) {
    CAPTURE(command);
    scene.ok(command + " in.nrrd -o out.nrrd");
    const LoadedVolume back = makeVolumeIo()->read(scene.path("out.nrrd"), {});
    CHECK(std::ranges::count(back.info.metadata.fields, how.metadata.fields.front()) == 1);
    CHECK(back.volume.geometry().origin == geometry.origin);
  }
}

TEST_CASE("samples go into pipes and files of their name") {
  const PipeScene scene;
  scene.pass("sscope sample gyroid --size 8 -o - | sscope info - | grep '8 x 8 x 8' > found");
  scene.ok("sample gyroid --size 8 -o {stem}.nrrd");
  CHECK(scene.has("gyroid.nrrd"));
}

TEST_CASE("a file on its way through a pipe is readable by its user only") {
  const PipeScene scene;
  scene.ok("sample foam --size 64 -o in.nrrd");
  fs::create_directory(scene.path("tmp"));
  // More than a pipe holds: while its first byte is read, the file behind it is still there.
  scene.pass(
      "umask 0; export TMPDIR=$PWD/tmp; sscope convert in.nrrd -o - | "
      "{ head -c 1 > /dev/null; stat -c %a $TMPDIR/.part*; cat > /dev/null; } > mode");
  CHECK(scene.text("mode") == "600\n");
  CHECK(fs::is_empty(scene.path("tmp")));
}

TEST_CASE("pipes that cannot be read or written are refused in one sentence") {
  const PipeScene scene;
  scene.refuse(2, {{"run s.json -o -", "cannot write a volume there"},
                   {"run s.json --data -", "does not read the standard input"},
                   {"bench filter --input -", "does not read the standard input"},
                   {"lattice info -", "does not read the standard input"},
                   {"lattice generate --dims 4,4,4,4 -o -", "cannot be written to the standard output"},
                   {"lattice field in.nrrd -o -", "cannot write a volume to the standard output"},
                   {"sample gyroid --size 8 -o out.nrrd --format nrrd", "--format"}});
  const struct {
    const char* command;
    int status;
    const char* part;
  } rows[] = {{"sscope convert in.nrrd -o - --format xyz > /dev/null", 2, "there is no format xyz to write"},
              {"sscope sample foam --size 8 -o - --format xyz > /dev/null", 2, "there is no format xyz to write"},
              {"sscope convert -@c=7 -o out.nrrd < in.nrrd", 2, "the standard input has no channel 7"},
              {"sscope convert - -o out.nrrd <&-", 1, "cannot read the standard input"},
              {"sscope convert - -o out.nrrd < /dev/null", 1, "the standard input is empty"},
              {"echo nonsense | sscope convert - -o out.nrrd", 1, "cannot read the standard input"},
              {"TMPDIR=/none sscope convert - -o out.nrrd < in.nrrd", 1, "set TMPDIR"},
              {"sscope convert in.nrrd -o - --format json | cat; exit 1", 1, "needs two files"},
              {"sscope sample gyroid --size 8 -o - --format nhdr | cat; exit 1", 1, "needs two files"}};
  for (const auto& row : rows) {
    CAPTURE(row.command);
    expectRefusal(scene.shell(row.command), row.status, row.part);
  }
  CHECK(scene.files() == std::vector<std::string>{"in.nrrd", "second.nrrd"});
}

TEST_CASE("a reader that has enough ends the writer with a sentence") {
  const PipeScene scene;
  scene.ok("sample gyroid --size 64 -o out.nrrd");
  const Outcome outcome = scene.shell("TMPDIR=$PWD sscope convert out.nrrd -o - | head -c 10 > /dev/null; exit 0");
  CHECK(contains(outcome.err, "cannot write to the standard output"));
  CHECK(scene.files() == std::vector<std::string>{"in.nrrd", "out.nrrd", "second.nrrd"});
}

TEST_CASE("a pipe of no known format is refused by its first bytes") {
  const PipeScene scene;
  for (const std::string bytes :
       {"head -c 50000000 /dev/zero", "sh -c 'printf \"\\037\\213\"; head -c 50000000 /dev/zero'"}) {
    CAPTURE(bytes);
    // What feeds the pipe notes how it ended: 0 if another program read all of it.
    expectRefusal(scene.shell("{ " + bytes + " 2> /dev/null; echo $? > left; } | TMPDIR=$PWD sscope info -"), 1,
                  "cannot read the standard input: it is ");
    CHECK(scene.text("left") != "0\n");
  }
  CHECK(scene.files() == std::vector<std::string>{"in.nrrd", "left", "second.nrrd"});
}
