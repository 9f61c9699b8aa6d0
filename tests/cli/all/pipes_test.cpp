// Pipes, several inputs and compressed outputs, in every command for which they mean something.

#include <algorithm>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/paths.h"
#include "core/io/volume_io.h"
#include "tests/cli/program.h"
#include "tests/cli/shell.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
namespace fs = std::filesystem;

namespace {

struct PipeScene {
  PipeScene() {
    writeNrrd(in, randomVolume({8, 8, 8, 1}, ElementType::f32, 1));
    writeNrrd(second, randomVolume({8, 8, 8, 1}, ElementType::f32, 2));
  }
  [[nodiscard]] std::string error() const { return readTextFile(folder / "err"); }
  TemporaryFolder folder;
  std::string in = folder / "in.nrrd", second = folder / "second.nrrd", out = folder / "out.nrrd",
              err = " 2> " + (folder / "err").string();
};

// One sentence, and exit status 2.
void refusedPipe(const Arguments& arguments, const std::string& named) {
  const Outcome outcome = run(arguments);
  INFO(outcome.err);
  CHECK(outcome.status == 2);
  CHECK(lineCount(outcome.err) == 1);
  CHECK(contains(outcome.err, named));
}

bool sameVoxels(const fs::path& a, const fs::path& b) {
  const Volume one = readVolume(a), other = readVolume(b);
  return one.shape() == other.shape() && one.type() == other.type() &&
         std::equal(one.data(), one.data() + one.bytes(), other.data());
}

const std::vector<std::string> kTransforms{"dwt forward", "dwt inverse", "dwt denoise", "magic forward",
                                           "magic inverse"};

}  // namespace

TEST_CASE("transforms read and write pipes") {
  const PipeScene scene;
  for (const std::string& command : kTransforms) {
    CAPTURE(command);
    const std::string direct = scene.folder / "direct.nrrd";
    REQUIRE(shell("sscope " + command + " " + scene.in + " -o " + direct) == 0);
    REQUIRE(shell("cat " + scene.in + " | sscope " + command + " - -o - > " + scene.out + scene.err) == 0);
    CHECK(sameVoxels(scene.out, direct));
    CHECK(scene.error().empty());
  }
  REQUIRE(shell("sscope dwt forward - -o - --json " + (scene.folder / "r.json").string() + " < " + scene.in +
                " > /dev/null") == 0);
  const auto report = nlohmann::json::parse(readTextFile(scene.folder / "r.json"));
  CHECK(report["input"] == "-");
  CHECK(report["output"] == "-");
  CHECK(shell("sscope dwt forward " + scene.in + " -o - --json - > /dev/null" + scene.err) == 2);
  CHECK(contains(scene.error(), "two outputs"));
}

TEST_CASE("a report of a filter names pipes as they were given") {
  const PipeScene scene;
  REQUIRE(shell("sscope filter - -o - --filter box --json " + (scene.folder / "r.json").string() + " < " + scene.in +
                " > /dev/null") == 0);
  const auto report = nlohmann::json::parse(readTextFile(scene.folder / "r.json"));
  CHECK(report["input"] == "-");
  CHECK(report["outputs"] == nlohmann::json{"-"});
}

TEST_CASE("transforms take several inputs, and go on after one that fails") {
  const PipeScene scene;
  fs::create_directory(scene.folder / "out");
  for (const std::string direction : {"dwt", "magic"}) {
    const Outcome outcome = run({direction, "forward", scene.in, scene.folder / "none.nrrd", scene.second, "-o",
                                 scene.folder / ("out/{stem}-" + direction + ".nrrd")});
    CHECK(outcome.status == 1);
    CHECK(contains(outcome.err, "2 of 3 inputs done"));
  }
  CHECK(filesIn(scene.folder / "out") ==
        std::vector<std::string>{"in-dwt.nrrd", "in-magic.nrrd", "second-dwt.nrrd", "second-magic.nrrd"});
  refusedPipe({"dwt", "forward", scene.in, scene.second, "-o", scene.out}, "{stem}");
  refusedPipe({"magic", "forward", scene.in, scene.second, "-o", scene.folder / "{stem}-x.nrrd", "--json",
               scene.folder / "r.json"},
              "a report describes one input");
}

TEST_CASE("transforms and samples compress") {
  const PipeScene scene;
  Volume zeros({32, 32, 32, 1}, ElementType::f32);
  std::ranges::fill(zeros.elements<float>(), 0.0F);
  writeNrrd(scene.in, zeros);
  const auto size = [&](const char* name) { return fs::file_size(scene.folder / name); };
  for (const std::string& command : kTransforms) {
    CAPTURE(command);
    for (const std::string compress : {"", " --compress"})
      REQUIRE(shell("sscope " + command + " " + scene.in + " -o " +
                    (scene.folder / (compress.empty() ? "plain.nrrd" : "packed.nrrd")).string() + compress) == 0);
    CHECK(size("packed.nrrd") < size("plain.nrrd") / 2);
    CHECK(sameVoxels(scene.folder / "packed.nrrd", scene.folder / "plain.nrrd"));
  }
  REQUIRE(run({"sample", "gyroid", "--size", "16", "-o", scene.folder / "plain.nrrd"}).status == 0);
  REQUIRE(run({"sample", "gyroid", "--size", "16", "-o", scene.folder / "packed.nrrd", "--compress"}).status == 0);
  CHECK(size("packed.nrrd") < size("plain.nrrd"));
  CHECK(sameVoxels(scene.folder / "packed.nrrd", scene.folder / "plain.nrrd"));
  const Outcome detached = run({"magic", "forward", scene.in, "-o", scene.folder / "a.nhdr", "--compress"});
  CHECK(detached.status == 1);
  CHECK(contains(detached.err, "not compressed here"));
}

TEST_CASE("transforms keep what the file said") {
  const PipeScene scene;
  WriteOptions how;
  how.metadata.fields = {{"study", "seven"}};
  Volume volume = randomVolume({8, 8, 8, 1}, ElementType::f32, 1);
  Geometry geometry;
  geometry.spacing = {0.5, 1, 2};
  geometry.origin = {1, 2, 3};
  volume.setGeometry(geometry);
  const auto io = makeVolumeIo();
  io->write(scene.in, volume, how, {});
  for (const std::string& command : kTransforms) {
    CAPTURE(command);
    REQUIRE(shell("sscope " + command + " " + scene.in + " -o " + scene.out) == 0);
    const LoadedVolume back = io->read(scene.out, {});
    CHECK(std::ranges::count(back.info.metadata.fields, how.metadata.fields.front()) == 1);
    CHECK(back.volume.geometry().origin == geometry.origin);
  }
}

TEST_CASE("samples go into pipes and files of their name") {
  const PipeScene scene;
  REQUIRE(shell("sscope sample gyroid --size 8 -o - | sscope info - > " + scene.out) == 0);
  CHECK(contains(readTextFile(scene.out), "8 x 8 x 8"));
  REQUIRE(run({"sample", "gyroid", "--size", "8", "-o", scene.folder / "{stem}.nrrd"}).status == 0);
  CHECK(fs::exists(scene.folder / "gyroid.nrrd"));
  CHECK(shell("sscope sample gyroid --size 8 -o - --format nhdr" + scene.err + " | cat > /dev/null; exit 0") == 0);
  CHECK(contains(scene.error(), "needs two files"));
  refusedPipe({"sample", "gyroid", "--size", "8", "-o", scene.out, "--format", "nrrd"}, "--format");
}

TEST_CASE("a choice stands behind the standard input") {
  const PipeScene scene;
  REQUIRE(shell("sscope info -@c=0 < " + scene.in + " > " + scene.out + scene.err) == 0);
  CHECK(contains(readTextFile(scene.out), "8 x 8 x 8"));
  REQUIRE(shell("cat " + scene.in + " | sscope convert -@c=0 -o " + scene.out + scene.err) == 0);
  CHECK(sameVoxels(scene.out, scene.in));
  REQUIRE(shell("sscope filter --filter box:size=1 -o " + scene.out + " -@t=0,c=0 < " + scene.in + scene.err) == 0);
  CHECK(sameVoxels(scene.out, scene.in));
  CHECK(shell("sscope convert -@c=7 -o " + scene.out + " < " + scene.in + scene.err) == 2);
  CHECK(contains(scene.error(), "the standard input has no channel 7"));
  // {stem} of what has no name.
  REQUIRE(shell("sscope convert -@c=0 -o '" + (scene.folder / "{stem}.nrrd").string() + "' < " + scene.in) == 0);
  CHECK(fs::exists(scene.folder / "stdin-c0.nrrd"));
}

TEST_CASE("what goes through a pipe is nobody else's to read meanwhile") {
  const PipeScene scene;
  REQUIRE(run({"sample", "foam", "--size", "64", "-o", scene.in}).status == 0);
  fs::create_directory(scene.folder / "tmp");
  // More than a pipe holds: while its first byte is looked at, the file behind it is still there.
  REQUIRE(shell("umask 0; export TMPDIR=" + (scene.folder / "tmp").string() + "; sscope convert " + scene.in +
                " -o - | { head -c 1 > /dev/null; stat -c %a $TMPDIR/.part*; cat > /dev/null; } > " + scene.out) == 0);
  CHECK(readTextFile(scene.out) == "600\n");
  CHECK(fs::is_empty(scene.folder / "tmp"));
}

TEST_CASE("pipes that cannot be are refused in one sentence") {
  const PipeScene scene;
  const std::string session = scene.folder / "s.json";
  refusedPipe({"run", session, "-o", "-"}, "cannot write a volume there");
  refusedPipe({"run", session, "--data", "-"}, "does not read the standard input");
  refusedPipe({"bench", "filter", "--input", "-"}, "does not read the standard input");
  refusedPipe({"lattice", "info", "-"}, "does not read the standard input");
  refusedPipe({"lattice", "generate", "--dims", "4,4,4,4", "-o", "-"}, "cannot be written to the standard output");
  refusedPipe({"lattice", "field", scene.in, "-o", "-"}, "cannot write a volume to the standard output");
  for (const std::string& command : {"convert " + scene.in, std::string("sample foam --size 8")}) {
    CHECK(shell("sscope " + command + " -o - --format xyz > /dev/null" + scene.err) == 2);
    CHECK(contains(scene.error(), "there is no format xyz to write"));
    CHECK(lineCount(scene.error()) == 1);
  }
  CHECK(shell("sscope convert - -o " + scene.out + " <&-" + scene.err) == 1);
  CHECK(contains(scene.error(), "cannot read the standard input"));
  CHECK(shell("TMPDIR=/none sscope convert - -o " + scene.out + " < " + scene.in + scene.err) == 1);
  CHECK(contains(scene.error(), "set TMPDIR"));
  CHECK(lineCount(scene.error()) == 1);
}

TEST_CASE("a reader that has enough ends the writer with a sentence") {
  const PipeScene scene;
  REQUIRE(shell("sscope sample gyroid --size 64 -o " + scene.out) == 0);
  CHECK(shell("TMPDIR=" + scene.folder.path().string() + " sscope convert " + scene.out + " -o -" + scene.err +
              " | head -c 10 > /dev/null; exit 0") == 0);
  CHECK(contains(scene.error(), "cannot write to the standard output"));
  for (const std::string& name : filesIn(scene.folder.path())) CHECK_FALSE(name.starts_with(".part-"));
}

TEST_CASE("a pipe of no known format is refused by its first bytes") {
  const PipeScene scene;
  const std::string left = scene.folder / "left";
  // What feeds the pipe tells how it ended: 0 if somebody read all of it.
  const auto feed = [&](const std::string& bytes) {
    return shell("{ " + bytes + " 2> /dev/null; echo $? > " + left + "; } | TMPDIR=" + scene.folder.path().string() +
                 " sscope info -" + scene.err);
  };
  for (const std::string bytes :
       {"head -c 50000000 /dev/zero", "sh -c 'printf \"\\037\\213\"; head -c 50000000 /dev/zero'"}) {
    CAPTURE(bytes);
    CHECK(feed(bytes) == 1);
    CHECK(contains(scene.error(), "cannot read the standard input: it is "));
    CHECK(lineCount(scene.error()) == 1);
    CHECK(readTextFile(left) != "0\n");
  }
  CHECK(filesIn(scene.folder.path()) == std::vector<std::string>{"err", "in.nrrd", "left", "second.nrrd"});
}
