// What people type and name: odd numbers, odd names, and places where nothing can be written.

#include <filesystem>

#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"
#include "tests/support/sampling.h"

using namespace sscope;
using namespace sscope::test;
namespace fs = std::filesystem;

namespace {

// One sentence of a reasonable length that names what is wrong.
void refusedShortly(const Scene& scene, const Arguments& arguments, int status, const std::string& part) {
  const Outcome outcome = Running(programUnderTest(), arguments, scene.folder()).finish();
  CAPTURE(arguments);
  expectRefusal(outcome, status, part);
  std::size_t names = 0;
  for (const std::string& argument : arguments) names += 2 * argument.size();
  CHECK(outcome.err.size() < 300 + names);
}

}  // namespace

TEST_CASE("every option that takes a number names itself when it is none") {
  const Scene scene;
  const std::vector<std::pair<std::string, std::vector<std::string>>> takers{
      {"lattice flow in.nrrd", {"--to", "--step", "--dims"}},
      {"lattice field in.nrrd -o out.nrrd", {"--flow"}},
      {"lattice generate -o out.nrrd", {"--beta", "--sweeps", "--seed", "--dims"}},
      {"lattice dirac in.nrrd", {"--kappa", "--apply", "--at", "--color", "--spin", "--threads"}},
      {"lattice solve in.nrrd --kappa 0.1", {"--tolerance", "--twist", "--max-iterations"}},
      {"filter in.nrrd -o out.nrrd --filter box --boundary constant", {"--constant", "--threads"}},
      {"convert in.nrrd -o out.nrrd", {"--frame", "--channel"}},
      {"magic forward in.nrrd -o out.nrrd", {"--order", "--threads"}},
      {"dwt inverse in.nrrd -o out.nrrd", {"--levels", "--dimensions", "--size"}},
      {"dwt denoise in.nrrd -o out.nrrd", {"--sigma", "--threshold", "--shifts"}},
      {"bench filter", {"--shape", "--reps"}},
      {"sample gyroid -o out.nrrd", {"--size", "--seed"}}};
  // An option meets three of them; options one after the other meet all.
  const std::vector<std::string> values{"nan", "-nan", "inf", "-inf", "1e400", "0x10", "1e3000000000", "", "five"};
  INFO(Sampling::howToRepeat());
  std::size_t turn = firstTurn();
  for (const auto& [command, options] : takers)
    for (const std::string& option : options)
      for (const std::string& value : sampled(values, turn++, 3))
        refusedShortly(scene, joined(words(command), {option, value}), 2, option);
  // What the sentence says of numbers that are none of the right kind.
  const std::string whole = "is not a whole number from ";
  for (const std::string size : {"0", "-3", "nan", "1e400", "x", "1.5", "0x10"})
    refusedShortly(scene, {"sample", "gyroid", "-o", "out.nrrd", "--size", size}, 2, size + " " + whole + "1");
  for (const char* seed : {"-1", "1.5", "99999999999999999999"})
    refusedShortly(scene, {"sample", "gyroid", "-o", "out.nrrd", "--seed", seed}, 2, whole + "0");
  for (const char* option : {"--sigma", "--threshold"})
    for (const char* value : {"-1", "nan", "inf"})
      refusedShortly(scene, {"dwt", "denoise", "in.nrrd", "-o", "out.nrrd", option, value}, 2,
                     "is not a number of 0 or more");
  refusedShortly(scene, {"bench", "filter", "--sample", "gyroid", "--size", "0"}, 2, whole + "1");
  refusedShortly(scene, {"convert", "in.nrrd", "-o", "out.nrrd", "--crop", ""}, 2, "--crop");
  CHECK_FALSE(scene.has("out.nrrd"));
  // Zeros in front of a number mean nothing.
  scene.ok("sample gyroid -o out.nrrd --size 010");
  CHECK(scene.volume().shape().nx == 10);
}

TEST_CASE("an unknown option is named, and a file whose name starts like one") {
  const Scene scene;
  const Scene::Refusal rows[] = {{"info --jsn in.nrrd", "there is no option --jsn"},
                                 {"info --jsn", "there is no option --jsn"},
                                 {"filter in.nrrd -q 3 -o out.nrrd", "there is no option -q"},
                                 {"lattice flow in.nrrd --tme inf", "there is no option --tme"},
                                 {"filter in.nrrd -o out.nrrd --constant -5 in.nrrd --filter", "--filter"},
                                 {"filter --constant -5", "IN is required"},
                                 {"info -dash.nrrd", "write ./-dash.nrrd"},
                                 {"dwt inverse --size 6 in.nrrd -o out.nrrd", "give X,Y,Z"},
                                 {"dwt inverse --size 6,6 in.nrrd -o out.nrrd", "give X,Y,Z"},
                                 {"dwt inverse --size 6,6,6,6 in.nrrd -o out.nrrd", "--size"},
                                 {"lattice info --dims 4 in.nrrd", "X,Y,Z,T"}};
  fs::copy_file(scene.path("in.nrrd"), scene.path("-dash.nrrd"));
  for (const Scene::Refusal& row : rows) refusedShortly(scene, words(row.line), 2, row.part);
}

TEST_CASE("the input may stand behind any option") {
  const Scene scene;
  scene.write("line.nrrd", randomVolume({8, 1, 1, 1}, ElementType::f32, 1));
  for (const auto& [line, shape] : {std::pair{"dwt inverse --size 6,6,6 in.nrrd -o out.nrrd", "6x6x6"},
                                    {"dwt inverse --size 5x6x7 in.nrrd -o out.nrrd", "5x6x7"},
                                    {"dwt inverse --size 6 line.nrrd -o out.nrrd", "6x1"},
                                    {"convert in.nrrd -o=out.nrrd", "8x8x8"},
                                    {"filter --filter box in.nrrd -o out.nrrd", "8x8x8"},
                                    {"magic forward --compress in.nrrd -o out.nrrd", "8x8x8"}}) {
    CAPTURE(line);
    fs::remove(scene.path("out.nrrd"));
    scene.ok(line);
    CHECK(scene.volume().shape().text() == shape);
  }
}

TEST_CASE("a type is suggested only where it would help") {
  const Scene scene(randomVolume({8, 8, 1, 1}, ElementType::f32, 1));
  scene.refuse("convert in.nrrd -o a.bmpx", 1, "names no format");
  CHECK_FALSE(contains(scene.run("convert in.nrrd -o a.bmpx").err, "--type"));
  if (!hasItk()) return;
  scene.refuse("convert in.nrrd -o a.png", 1, "or convert the values with --type u8");
  scene.ok("convert in.nrrd -o a.png --type u8");
}

TEST_CASE("names may be as long as folders allow, and no longer") {
  const Scene scene;
  const std::string longest = std::string(250, 'n') + ".nrrd", tooLong = std::string(251, 'n') + ".nrrd";
  scene.ok("convert in.nrrd -o " + longest);
  scene.ok("info " + longest);
  for (const auto& [line, part] :
       {std::pair{"convert in.nrrd -o " + tooLong, "its name is too long"},
        {"filter in.nrrd -o {}.nrrd --filter box:name=" + tooLong + " --filter sobel", "its name is too long"},
        {"info " + tooLong, "its name is longer than any file's"}})
    refusedShortly(scene, words(line), 1, part);
  CHECK(scene.files() == std::vector<std::string>{"in.nrrd", longest});
}

TEST_CASE("names with spaces and line breaks are read, and errors about them stay in one line") {
  const Scene scene;
  fs::copy_file(scene.path("in.nrrd"), scene.path("a b\nc\x1b[31m.nrrd"));
  scene.ok("info 'a b\nc\x1b[31m.nrrd'");
  scene.ok("convert 'a b\nc\x1b[31m.nrrd' -o {stem}-out.nrrd");
  const struct {
    const char* line;
    int status;
    const char* part;
  } rows[] = {{"convert in.nrrd -o no\nsuch/folder.nrrd", 1, "no?such"},
              {"info no\nsuch.nrrd", 1, "no?such.nrrd"},
              {"filter in.nrrd -o out.nrrd --filter box:\nx=1", 2, "no parameter ?x"},
              {"info in.nrrd@t=\n3", 2, "t=?3"},
              {"info a\u0085b\u2028c\u202ed", 1, "a?b?c?d"},
              // Names of filters that would hide what the sentence shows.
              {"filter in.nrrd -o {stem}-{}.nrrd --filter box:name=a\u202edrrn", 2, "the name a?drrn of a filter"},
              {"filter in.nrrd -o {stem}-{}.nrrd --filter box:name=a\tb", 2, "the name a?b of a filter"}};
  for (const auto& row : rows) refusedShortly(scene, words(row.line), row.status, row.part);
  const Outcome batch = scene.run("convert no\nsuch.nrrd in.nrrd -o {stem}-2.nrrd");
  CHECK(batch.status == 1);
  CHECK(lineCount(batch.err) == 2);
  CHECK(batch.err.starts_with("error: cannot read "));
  CHECK(contains(batch.err, "1 of 2 inputs done; failed: "));
}

TEST_CASE("braces in names of files and filters are letters") {
  const Scene scene;
  fs::rename(scene.path("in.nrrd"), scene.path("x{}.nrrd"));
  scene.ok("filter x{}.nrrd -o {stem}-{}.nrrd --filter box:name={stem} --filter box:name={}");
  CHECK(scene.files() == std::vector<std::string>{"x__-{stem}.nrrd", "x__-{}.nrrd", "x{}.nrrd"});
}

TEST_CASE("a command fails where the standard output cannot be written") {
  if (!fs::exists("/dev/full")) SSCOPE_SKIP("there is no /dev/full");
  const Scene scene;
  for (const std::string command : {"--help", "--version", "filter --help", "info in.nrrd", "info --json in.nrrd",
                                    "sample --list", "convert in.nrrd -o -"}) {
    CAPTURE(command);
    const Outcome outcome = scene.shell("sscope " + command + " > /dev/full");
    expectRefusal(outcome, 1, "cannot write to the standard output");
    CHECK_FALSE(contains(outcome.err, "TMPDIR"));
  }
}
