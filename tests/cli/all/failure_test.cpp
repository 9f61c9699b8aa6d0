// What cannot be read, written or computed ends with status 1 and one line that names it, and leaves no file.

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"

using namespace sscope;
using namespace sscope::test;
namespace fs = std::filesystem;

TEST_CASE("files that are missing, damaged or too large for memory are named") {
  const Scene scene;
  scene.refuse(1, {{"filter missing.nrrd -o out.nrrd --filter box", "missing.nrrd"},
                   {"info missing.nrrd", "missing.nrrd"},
                   {"run missing.json", "missing.json"},
                   {"bench filter --input missing.nrrd", "missing.nrrd"},
                   {"filter in.nrrd -o out.nrrd --bank missing.json", "missing.json"},
                   {"filter in.nrrd -o out.nrrd --filter custom:file=missing.json", "missing.json"},
                   {"bench filter --shape 1000000,1000000,1000000", "1000000x1000000x1000000"},
                   {"bench filter --shape 16777216,16777216", "MiB"}});
  scene.write("cut.nrrd", scene.text("in.nrrd").substr(0, 2000));
  scene.write("empty.nrrd", "");
  scene.write("wrong.nrrd", "this is no image at all");
  scene.write("huge.nrrd",
              "NRRD0004\ntype: float\ndimension: 3\nsizes: 1000000 1000000 1000000\nencoding: raw\n"
              "endian: little\n\nabc");
  scene.write("out.nrrd", "precious");
  for (const std::string name : {"missing.nrrd", "cut.nrrd", "empty.nrrd", "wrong.nrrd", "huge.nrrd"}) {
    scene.refuse("filter " + name + " -o out.nrrd --filter box", 1, name);
    scene.refuse("info " + name, 1, name);
  }
}

TEST_CASE("a result that cannot be written is refused before it is computed") {
  const Scene scene;
  fs::create_directory(scene.path("sub"));
  scene.refuse(1, {{"filter in.nrrd -o none/out.nrrd --filter box", "does not exist"},
                   {"filter in.nrrd -o sub --filter box", "folder"},
                   {"filter in.nrrd -o out.xyz --filter box", "out.xyz"},
                   {"filter in.nrrd -o /dev/null --filter box", "/dev/null"},
                   {"filter in.nrrd -o /proc/sscope-out.nrrd --filter box", "/proc/sscope-out.nrrd"},  // even as root
                   {"sample gyroid --size 8 -o none/out.nrrd", "does not exist"},
                   {"sample gyroid --size 8 -o out.xyz", "out.xyz"}});
}

TEST_CASE("a read-only folder keeps what it has") {
  if (::geteuid() == 0) SSCOPE_SKIP("root may write into every folder");
  const Scene scene;
  ::chmod(scene.folder().c_str(), 0500);
  scene.refuse("filter in.nrrd -o out.nrrd --filter box", 1, "not writable");
  ::chmod(scene.folder().c_str(), 0700);
}

TEST_CASE("a result that is larger than files may be is refused, and nothing stays") {
  const Scene scene(randomVolume({32, 32, 32, 1}, ElementType::f32, 1));
  const auto refused = [&](const std::string& command, const std::string& named) {
    CAPTURE(command);
    expectRefusal(scene.shell("ulimit -f 8; sscope " + command), 1, named);
    CHECK(scene.files() == std::vector<std::string>{"in.nrrd"});
  };
  std::vector<std::string> names{"a.nrrd", "a.nhdr", "a.json"};
  if (hasItk()) names.insert(names.end(), {"a.mha", "a.mhd", "a.nii", "a.nii.gz", "a.tif", "a.vti", "a.vtk", "a.h5"});
  for (const std::string& name : names) refused("sample foam --size 64 -o " + name, name);
  refused("lattice generate --dims 4,4,4,4 --sweeps 1 -o a.nersc", "a.nersc");
  refused("info in.nrrd", "ulimit -f");
}

TEST_CASE("the limit of open files is named where it is too low") {
  const Scene scene;
  CHECK(contains(scene.shell("ulimit -n 9; exec sscope info in.nrrd").err, "ulimit -n"));
}

TEST_CASE("an absent engine is named with its reason") {
  const Scene scene;
  const std::string devices = scene.ok("devices").out;
  const std::size_t at = devices.find("  absent: ");
  if (at == std::string::npos) SSCOPE_SKIP("every engine is present on this machine");
  const std::size_t start = devices.rfind('\n', at) + 1;
  const std::string id = devices.substr(start, devices.find(' ', start) - start);
  scene.refuse("filter in.nrrd -o out.nrrd --filter box --engine " + id, 1, "the engine " + id + " is absent");
}

TEST_CASE("damaged banks, taps and sessions name the file and the place") {
  const Scene scene;
  const std::string bank = R"({"schema":"stencilscope.bank/1",)", session = R"({"schema":"stencilscope.session/1",)";
  const struct {
    std::string command, text, place;
  } rows[] = {{"filter", "{", "JSON"},
              {"filter", "[]", "object"},
              {"filter", bank + R"("filters":[{"type":"nothing"}]})", "nothing"},
              {"filter", bank + R"("filters":[{"type":"gaussian","params":{"sigma":-1}}]})", "sigma"},
              {"filter", R"({"schema":"stencilscope.bank/2","filters":[]})", "schema"},
              {"filter", bank + R"("filters":[{"type":"box","params":{"size":3,"size":5}}]})", "\"size\" occurs twice"},
              {"filter", bank + R"("boundry":"wrap","filters":[{"type":"box"}]})", "a bank has no \"boundry\""},
              {"filter", bank + R"("filters":[{"type":"box","size":[3,3,3]}]})", "a filter box has no \"size\""},
              {"taps", "{", "cannot read x.json"},
              {"taps", "[]", "cannot read x.json"},
              {"taps", "{}", "cannot read x.json"},
              {"taps", R"({"size":[2],"taps":[1]})", "cannot read x.json"},
              {"taps", R"({"size":[1],"taps":[1],"taps":[2]})", "cannot read x.json"},
              {"run", "{}", "x.json"},
              {"run", session + R"("threads":1,"threads":2})", "x.json: \"threads\" occurs twice"},
              {"run", session + R"("bank":)" + bank + R"("filters":[{"type":"box"}]}})", "no data"}};
  for (const auto& row : rows) {
    CAPTURE(row.text);
    scene.write("x.json", row.text);
    const std::string line = row.command == "run"    ? "run x.json"
                             : row.command == "taps" ? "filter in.nrrd -o out.nrrd --filter custom:file=x.json"
                                                     : "filter in.nrrd -o out.nrrd --bank x.json";
    scene.refuse(line, 1, row.place);
    if (row.command == "filter") CHECK(contains(scene.run(line).err, "x.json"));
  }
}
