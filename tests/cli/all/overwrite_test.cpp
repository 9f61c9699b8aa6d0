// Every command asks whether what it writes replaces what is read, or another output; which files those are is tested
// in tests/core/input_files_test.cpp.

#include <filesystem>

#include "tests/cli/known_ceilings.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"

using namespace sscope;
using namespace sscope::test;
namespace fs = std::filesystem;

namespace {

// An image, one with a header of its own, links to it, and every other kind of file that is read.
struct OverwriteScene : Scene {
  OverwriteScene() {
    useKnownCeilings();
    ok("convert in.nrrd -o x.nhdr");
    for (const char* name : {"a.nrrd", "x-a.nrrd", "a{}.nrrd"}) fs::copy_file(path("in.nrrd"), path(name));
    fs::create_hard_link(path("in.nrrd"), path("hard.nrrd"));
    write("bank.json", R"({"schema":"stencilscope.bank/1","filters":[{"type":"box"}]})");
    write("taps.json", R"({"size":[3,1,1],"taps":[1,2,1]})");
    write("s.json", R"({"schema":"stencilscope.session/1","data":{"path":"in.nrrd"},
      "bank":{"schema":"stencilscope.bank/1","filters":[{"type":"box"}]}})");
    ok("lattice generate --dims 4,4,4,4 --start cold --sweeps 0 -o a.nersc");
    ok("lattice solve a.nersc --kappa 0.1 -o psi.nrrd");
    ok("compare --engine cpu:scalar --shape 8,8,8 --capsule c.json");
  }
};

}  // namespace

TEST_CASE("no command writes over what it reads, nor two things to one place") {
  const OverwriteScene scene;
  scene.refuse(2, {{"filter in.nrrd -o hard.nrrd --filter box", "which is read"},
                   {"filter hard.nrrd -o in.nrrd --filter box", "which is read"},
                   {"filter in.nrrd -o {}.nrrd --filter box:name=in --filter sobel", "which is read"},
                   {"filter x.nhdr -o x.json --filter box", "x.raw"},
                   {"filter x.nhdr -o y.nrrd --filter box --json x.raw", "x.raw"},
                   {"filter a.nrrd x-a.nrrd -o x-{stem}.nrrd --filter box", "x-a.nrrd, which is read"},
                   {"filter in.nrrd -o bank.json --bank bank.json", "bank.json"},
                   {"filter in.nrrd -o o.nrrd --bank bank.json --json bank.json", "bank.json"},
                   {"filter in.nrrd -o taps.json --filter custom:file=taps.json", "taps.json"},
                   {"filter in.nrrd -o o.nrrd --filter box --json in.nrrd", "which is read"},
                   {"filter in.nrrd -o o.nhdr --filter box --json o.raw", "two outputs"},
                   {"filter in.nrrd -o {}.json --filter box:name=a --filter box:name=a.raw,size=5", "two outputs"},
                   {"filter in.nrrd -o x.raw --filter box", "it exists already"},
                   {"dwt forward in.nrrd -o hard.nrrd", "which is read"},
                   {"dwt forward in.nrrd -o o.nrrd --json in.nrrd", "which is read"},
                   {"dwt forward in.nrrd -o c.nrrd --json c.nrrd", "two outputs"},
                   {"dwt forward in.nrrd -o - --json -", "two outputs"},
                   {"magic forward in.nrrd -o hard.nrrd", "which is read"},
                   {"magic forward in.nrrd -o taps.json --taps taps.json", "taps.json"},
                   {"magic forward in.nrrd -o o.nrrd --json in.nrrd", "which is read"},
                   {"convert in.nrrd -o hard.nrrd", "which is read"},
                   {"convert in.nrrd@c=0 -o in.nrrd", "which is read"},
                   {"convert a{}.nrrd -o a{}.nrrd", "which is read"},  // braces are letters here
                   {"convert x.nhdr -o x.raw.json", "x.raw"},
                   {"convert a.nrrd x-a.nrrd -o x-{stem}.nrrd", "x-a.nrrd, which is read"},
                   {"convert a.nrrd x.nhdr -o {stem}.json", "x.raw"},
                   {"convert in.nrrd -o bank.raw", "bank.json, which does not belong to it"},
                   {"sample foam --size 8 -o x.json", "x.raw"},
                   {"info in.nrrd --json in.nrrd", "which is read"},
                   {"run s.json -o s.json", "s.json"},
                   {"run s.json --json s.json", "s.json"},
                   {"run s.json -o in.nrrd", "in.nrrd"},
                   {"run s.json --data in.nrrd --json in.nrrd", "in.nrrd"},
                   {"bench filter --input in.nrrd --report hard.nrrd", "which is read"},
                   {"bench filter --input x.nhdr --csv x.raw", "x.raw"},
                   {"bench filter --param filter=custom:file=taps.json --json taps.json", "taps.json"},
                   {"bench magic --param taps=taps.json --json taps.json", "taps.json"},
                   {"bench filter --json r.txt --csv ./r.txt", "two outputs"},
                   {"bench dirac --input a.nersc --csv a.nersc", "which is read"},
                   {"compare c.json --capsule c.json", "c.json"},
                   {"lattice info a.nersc --json a.nersc", "which is read"},
                   {"lattice info psi.nrrd --json psi.nrrd", "which is read"},
                   {"lattice convert a.nersc -o a.nersc", "which is read"},
                   {"lattice flow a.nersc --csv a.nersc", "which is read"},
                   {"lattice field a.nersc -o a.nersc", "which is read"},
                   {"lattice dirac a.nersc --kappa 0.1 --json a.nersc", "which is read"},
                   {"lattice solve a.nersc --kappa 0.1 --json a.nersc", "which is read"},
                   {"lattice solve a.nersc --kappa 0.1 --solver cr --trace a.nersc", "which is read"},
                   {"lattice solve a.nersc --kappa 0.1 --solver cr --json o.json --trace ./o.json", "two outputs"},
                   {"lattice solve a.nersc --kappa 0.1 --solver cr --json - --trace -", "two outputs"},
                   {"lattice solve a.nersc --kappa 0.1 -o p.nrrd --json p.nrrd", "two outputs"}});
  expectRefusal(scene.shell("sscope convert - -o in.nrrd < in.nrrd"), 2, "which is read");
  if (!hasItk()) return;
  scene.ok("sample gyroid --size 8 -o m.mhd");
  scene.refuse(2, {{"filter m.mhd -o m.nhdr --filter box", "m.raw"},
                   {"dwt forward m.mhd -o m.json", "m.raw"},
                   {"convert in.nrrd -o m.nhdr", "m.raw, which does not belong to it"},
                   {"convert m.mhd a.nrrd -o {stem}.nhdr", "m.raw"}});
}

TEST_CASE("other files are replaced and keep their mode") {
  const Scene scene;
  scene.ok("sample gyroid --size 8 -o out.nhdr");
  scene.write("report.json", "old");
  for (const char* file : {"out.nhdr", "out.raw", "report.json"}) fs::permissions(scene.path(file), fs::perms(0640));
  const std::string before = scene.text("out.raw");
  scene.ok("filter in.nrrd -o out.nhdr --filter box --json report.json");
  CHECK(scene.text("out.raw") != before);
  CHECK(contains(scene.text("report.json"), "stencilscope.filter/1"));
  for (const char* file : {"out.nhdr", "out.raw", "report.json"})
    CHECK(fs::status(scene.path(file)).permissions() == fs::perms(0640));
  CHECK(scene.files() == std::vector<std::string>{"in.nrrd", "out.nhdr", "out.raw", "report.json"});
}
