#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/base/paths.h"
#include "tests/cli/program.h"
#include "tests/cli/shell.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"

using namespace sscope;
using namespace sscope::test;

namespace {

// Exit status 1 and one line that names what failed.
void requireFailure(const Arguments& arguments, const std::string& named) {
  const Outcome outcome = run(arguments);
  INFO(outcome.err);
  CHECK(outcome.status == 1);
  CHECK(outcome.out.empty());
  CHECK(lineCount(outcome.err) == 1);
  CHECK(outcome.err.rfind("error: ", 0) == 0);
  CHECK(contains(outcome.err, named));
}

struct FailureScene {
  FailureScene() { writeNrrd(in, randomVolume({8, 8, 8, 1}, ElementType::f32, 1)); }
  [[nodiscard]] Arguments filter(const std::string& from, const std::string& to) const {
    return {"filter", from, "-o", to, "--filter", "box"};
  }
  TemporaryFolder folder;
  std::string in = folder / "in.nrrd", out = folder / "out.nrrd";
};

}  // namespace

TEST_CASE("a missing file is named") {
  const FailureScene scene;
  const std::string missing = scene.folder / "missing.nrrd";
  requireFailure(scene.filter(missing, scene.out), "missing.nrrd");
  requireFailure({"info", missing}, "missing.nrrd");
  requireFailure({"run", scene.folder / "missing.json"}, "missing.json");
  requireFailure({"bench", "filter", "--input", missing}, "missing.nrrd");
  requireFailure({"filter", scene.in, "-o", scene.out, "--bank", scene.folder / "missing.json"}, "missing.json");
  requireFailure({"filter", scene.in, "-o", scene.out, "--filter",
                  "custom:file=" + scene.folder.path().string() + "/missing.json"},
                 "missing.json");
  CHECK(filesIn(scene.folder.path()) == std::vector<std::string>{"in.nrrd"});
}

TEST_CASE("damaged files fail in one sentence and leave nothing") {
  const FailureScene scene;
  const std::string cut = scene.folder / "cut.nrrd", empty = scene.folder / "empty.nrrd",
                    wrong = scene.folder / "wrong.nrrd";
  std::filesystem::copy_file(scene.in, cut);
  std::filesystem::resize_file(cut, std::filesystem::file_size(cut) - 100);
  std::ofstream(empty).close();
  std::ofstream(wrong) << "this is no image at all";
  for (const std::string& file : {cut, empty, wrong}) {
    const std::string name = std::filesystem::path(file).filename();
    requireFailure(scene.filter(file, scene.out), name);
    requireFailure({"info", file}, name);
  }
  CHECK(!std::filesystem::exists(scene.out));
}

TEST_CASE("a size beyond all memory is refused before it is tried") {
  const FailureScene scene;
  const std::string huge = scene.folder / "huge.nrrd";
  std::ofstream(huge)
      << "NRRD0004\ntype: float\ndimension: 3\nsizes: 1000000 1000000 1000000\nencoding: raw\nendian: little\n\nabc";
  requireFailure(scene.filter(huge, scene.out), "huge.nrrd");
  requireFailure({"bench", "filter", "--shape", "1000000,1000000,1000000"}, "1000000x1000000x1000000");
  requireFailure({"bench", "filter", "--shape", "16777216,16777216"}, "MiB");
}

TEST_CASE("a result that cannot be written is refused before it is computed") {
  const FailureScene scene;
  requireFailure(scene.filter(scene.in, scene.folder / "none/out.nrrd"), "does not exist");
  requireFailure(scene.filter(scene.in, scene.folder.path()), "folder");
  requireFailure(scene.filter(scene.in, scene.folder / "out.xyz"), "out.xyz");
  requireFailure(scene.filter(scene.in, "/dev/null"), "/dev/null");
  requireFailure({"sample", "gyroid", "--size", "8", "-o", scene.folder / "none/out.nrrd"}, "does not exist");
  requireFailure({"sample", "gyroid", "--size", "8", "-o", scene.folder / "out.xyz"}, "out.xyz");
  CHECK(filesIn(scene.folder.path()) == std::vector<std::string>{"in.nrrd"});
}

TEST_CASE("custom taps that cannot be used are named with their file") {
  const FailureScene scene;
  const std::string taps = scene.folder / "taps.json";
  for (const char* text : {"{", "[]", "{}", R"({"size":[2],"taps":[1]})", R"({"size":[1],"taps":[1],"taps":[2]})"}) {
    writeTextFile(taps, text);
    requireFailure({"filter", scene.in, "-o", scene.out, "--filter", "custom:file=" + taps}, "cannot read " + taps);
  }
}

TEST_CASE("a read-only folder keeps what it has") {
  const FailureScene scene;
  if (::geteuid() == 0) SSCOPE_SKIP("root may write into every folder");
  ::chmod(scene.folder.path().c_str(), 0500);
  requireFailure(scene.filter(scene.in, scene.out), "not writable");
  ::chmod(scene.folder.path().c_str(), 0700);
}

TEST_CASE("where even root cannot write, the file is named") {
  const FailureScene scene;
  requireFailure(scene.filter(scene.in, "/proc/sscope-out.nrrd"), "/proc/sscope-out.nrrd");
}

TEST_CASE("what stood at the output stays when the input is bad") {
  const FailureScene scene;
  writeTextFile(scene.out, "precious");
  requireFailure(scene.filter(scene.folder / "missing.nrrd", scene.out), "missing.nrrd");
  CHECK(readTextFile(scene.out) == "precious");
}

TEST_CASE("what is larger than files may be is refused, and nothing stays") {
  const FailureScene scene;
  const std::string err = scene.folder / "err";
  std::vector<std::string> names{"a.nrrd", "a.nhdr", "a.json"};
  if (hasItk()) names.insert(names.end(), {"a.mha", "a.mhd", "a.nii", "a.nii.gz", "a.tif", "a.vti", "a.vtk", "a.h5"});
  const auto refusedBeyond = [&](const std::string& command, const std::string& named) {
    CAPTURE(command);
    CHECK(shell("ulimit -f 8; sscope " + command + " 2> " + err) == 1);
    CHECK(lineCount(readTextFile(err)) == 1);
    CHECK(contains(readTextFile(err), named));
    std::filesystem::remove(err);
    CHECK(filesIn(scene.folder.path()) == std::vector<std::string>{"in.nrrd"});
  };
  for (const std::string& name : names)
    refusedBeyond("sample foam --size 64 -o " + (scene.folder / name).string(), name);
  refusedBeyond("lattice generate --dims 4,4,4,4 --sweeps 1 -o " + (scene.folder / "a.nersc").string(), "a.nersc");
  writeNrrd(scene.in, randomVolume({32, 32, 32, 1}, ElementType::f32, 1));
  refusedBeyond("info " + scene.in, "ulimit -f");
}

TEST_CASE("too few files that may be open are told as such") {
  const FailureScene scene;
  const std::string err = scene.folder / "err";
  CHECK(shell("(ulimit -n 9; exec sscope info " + scene.in + ") 2> " + err) == 1);
  CHECK(contains(readTextFile(err), "ulimit -n"));
}

TEST_CASE("an absent engine is told with its reason") {
  const FailureScene scene;
  const std::string devices = run({"devices"}).out;
  const std::size_t at = devices.find("  absent: ");
  if (at == std::string::npos) SSCOPE_SKIP("every engine is present on this machine");
  const std::size_t start = devices.rfind('\n', at) + 1;
  const std::string id = devices.substr(start, devices.find(' ', start) - start);
  Arguments arguments = scene.filter(scene.in, scene.out);
  arguments.insert(arguments.end(), {"--engine", id});
  requireFailure(arguments, "the engine " + id + " is absent");
}

TEST_CASE("damaged banks and sessions name the file and the place") {
  const FailureScene scene;
  const std::string bank = scene.folder / "bank.json", session = scene.folder / "session.json";
  const auto requireBadBank = [&](const std::string& text, const std::string& place) {
    writeTextFile(bank, text);
    requireFailure({"filter", scene.in, "-o", scene.out, "--bank", bank}, "bank.json");
    requireFailure({"filter", scene.in, "-o", scene.out, "--bank", bank}, place);
  };
  requireBadBank("{", "JSON");
  requireBadBank("[]", "object");
  requireBadBank(R"({"schema":"stencilscope.bank/1","filters":[{"type":"nothing"}]})", "nothing");
  requireBadBank(R"({"schema":"stencilscope.bank/1","filters":[{"type":"gaussian","params":{"sigma":-1}}]})", "sigma");
  requireBadBank(R"({"schema":"stencilscope.bank/2","filters":[]})", "schema");
  requireBadBank(R"({"schema":"stencilscope.bank/1","filters":[{"type":"box","params":{"size":3,"size":5}}]})",
                 "\"size\" occurs twice");
  requireBadBank(R"({"schema":"stencilscope.bank/1","boundry":"wrap","filters":[{"type":"box"}]})",
                 "a bank has no \"boundry\"");
  requireBadBank(R"({"schema":"stencilscope.bank/1","filters":[{"type":"box","size":[3,3,3]}]})",
                 "a filter box has no \"size\"");
  writeTextFile(session, "{}");
  requireFailure({"run", session}, "session.json");
  writeTextFile(session, R"({"schema":"stencilscope.session/1","threads":1,"threads":2})");
  requireFailure({"run", session}, "session.json: \"threads\" occurs twice");
  writeTextFile(
      session,
      R"({"schema":"stencilscope.session/1","bank":{"schema":"stencilscope.bank/1","filters":[{"type":"box"}]}})");
  requireFailure({"run", session}, "no data");
}
