// sscope convert --run-converter: files of microscopes' makers, by a program that is not Bio-Formats' but named so.

#include <signal.h>

#include <filesystem>

#include "core/base/paths.h"
#include "core/io/volume_io.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/environment.h"
#include "tests/support/processes.h"
#include "tests/support/programs.h"

using namespace sscope;
using namespace sscope::test;
namespace fs = std::filesystem;

namespace {

struct ForeignScene {
  ForeignScene() {
    for (const char* each : {"bin", "data"}) fs::create_directory(folder / each);
    writeTextFile(in, "ZISRAWFILE and what only others read");
    Metadata metadata;
    metadata.channels = {"DAPI", "GFP"};
    if (hasItk()) makeVolumeIo()->write(folder / "sample.ome.tif", volume, {.metadata = metadata}, {});
  }
  // Its script, after which $last is the name of the output.
  void install(const std::string& script) const {
    const fs::path program = folder / "bin/bfconvert";
    writeTextFile(program, "#!/bin/sh\nhere='" + folder.path().string() + "'\nfor last; do :; done\n" + script);
    fs::permissions(program, fs::perms::owner_all);
  }
  [[nodiscard]] Arguments convert() const { return {"convert", in, "-o", out, "--run-converter"}; }
  void expectNothingElse() const {
    CHECK(filesIn(folder / "data") == std::vector<std::string>{fs::path(in).filename().string()});
  }

  TemporaryFolder folder;
  std::string in = folder / "data/-bigtiff 100%s.czi", out = folder / "data/-x 100%n.nrrd";
  Volume volume = randomVolume({6, 5, 4, 2}, ElementType::u16, 3);
  Variable path{"PATH", (folder / "bin").string() + ":/usr/bin:/bin"};
};

}  // namespace

TEST_CASE("a maker's file is converted where the user says so, whatever the names are") {
  if (!hasItk()) SSCOPE_SKIP("this build reads no TIFF");
  const ForeignScene scene;
  scene.install(
      "printf '%s\\n' \"$@\" > \"$here/arguments\"\nprintf '\\tConverted 1/2 planes (50%%)\\n'\n"
      "cp \"$here/sample.ome.tif\" \"$last\"\n");
  const Outcome outcome = run(scene.convert());
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(readTextFile(scene.folder / "arguments") == "-no-upgrade\n-noflat\n" + scene.in + "\nmade.ome.tif\n");
  CHECK(contains(outcome.err, "was converted by " + (scene.folder / "bin/bfconvert").string()));
  const LoadedVolume after = makeVolumeIo()->read(scene.out, {});
  CHECK(after.info.metadata.channels == std::vector<std::string>{"DAPI", "GFP"});
  CHECK(after.volume.value(5, 4, 3, 1) == scene.volume.value(5, 4, 3, 1));
  CHECK(contains(readTextFile(scene.out), "-bigtiff 100%s.czi"));  // what it was made of
  CHECK(filesIn(scene.folder / "data").size() == 2);
  REQUIRE(run({"convert", scene.in + "@c=1", "-o", scene.folder / "data/x.ome.tif", "--run-converter"}).status == 0);
  CHECK(makeVolumeIo()->read(scene.folder / "data/x.ome.tif", {}).volume.value(5, 4, 3) ==
        scene.volume.value(5, 4, 3, 1));
  // The errors of reading name the file, and not the one in its place.
  writeTextFile(scene.folder / "sample.ome.tif", "II*");
  const Outcome damaged = run(scene.convert());
  CHECK(damaged.status == 1);
  CHECK(contains(damaged.err, "cannot read the OME-TIFF that bfconvert made of " + scene.in));
  CHECK_FALSE(contains(damaged.err, "made.ome.tif"));
  CHECK(filesIn(scene.folder / "data").size() == 3);
}

TEST_CASE("nothing runs that nobody asked for or that is not there") {
  const ForeignScene scene;
  scene.install("touch \"$here/ran\"\n");
  expectRefusal({"convert", scene.in, "-o", scene.out}, 1, "--run-converter");
  expectRefusal({"info", scene.in}, 1, "`bfconvert -bigtiff 100%s.czi -bigtiff 100%s.ome.tif`");
  fs::remove(scene.folder / "bin/bfconvert");
  expectRefusal(scene.convert(), 1, "bfconvert is not installed");
  scene.expectNothingElse();
  CHECK_FALSE(fs::exists(scene.folder / "ran"));
}

TEST_CASE("a converter that fails says why, and leaves what was there") {
  const ForeignScene scene;
  scene.install(
      "echo half > \"$last\"\necho 'Exception: unknown compression 31' >&2\nprintf '\\tat loci.X\\n' >&2\nexit 3\n");
  writeTextFile(scene.out, "before");
  expectRefusal(scene.convert(), 1, "bfconvert ended with status 3; it printed: Exception: unknown compression 31\n");
  CHECK(readTextFile(scene.out) == "before");
  fs::remove(scene.out);
  scene.install("exit 0\n");
  expectRefusal(scene.convert(), 1, "bfconvert made no file");
  scene.install("kill -9 $$\n");
  expectRefusal(scene.convert(), 1, "bfconvert was ended by signal 9");
  scene.expectNothingElse();
}

TEST_CASE("Ctrl-C ends the converter and what it started, and leaves no file") {
  const ForeignScene scene;
  scene.install("echo half > \"$last\"\nsleep 600 &\necho $! > \"$here/child\"\n: > \"$here/begun\"\nwait\n");
  Running running(scene.convert());
  running.waitUntilThere(scene.folder / "begun");
  running.signal(SIGINT);
  const Outcome outcome = running.finish();
  CHECK(outcome.status == 128 + SIGINT);
  CHECK(outcome.err == "error: canceled\n");
  scene.expectNothingElse();
  const pid_t child = std::stoi(readTextFile(scene.folder / "child"));
  CHECK(eventually([&] { return commandLineOf(child).empty(); }));
}
