// What people type and name: odd numbers, odd names, and places where nothing can be written.

#include <filesystem>

#include "core/base/paths.h"
#include "tests/cli/program.h"
#include "tests/cli/shell.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"
#include "tests/support/sampling.h"

using namespace sscope;
using namespace sscope::test;
namespace fs = std::filesystem;

namespace {

struct StrangeScene {
  StrangeScene() { writeNrrd(in, randomVolume({8, 8, 8, 1}, ElementType::f32, 1)); }
  TemporaryFolder folder;
  std::string in = folder / "in.nrrd", out = folder / "out.nrrd";
};

// One sentence of a reasonable length.
void refusedWords(const Arguments& arguments, int status, const std::string& named) {
  const Outcome outcome = run(arguments);
  CAPTURE(arguments, outcome.err);
  CHECK(outcome.status == status);
  CHECK(lineCount(outcome.err) == 1);
  CHECK(outcome.err.starts_with("error: "));
  CHECK(contains(outcome.err, named));
  constexpr std::size_t kBesideNames = 300;
  std::size_t names = 0;
  for (const std::string& argument : arguments) names += 2 * argument.size();
  CHECK(outcome.err.size() < kBesideNames + names);
}

}  // namespace

TEST_CASE("numbers that cannot be are refused in a short sentence") {
  const StrangeScene scene;
  for (const char* size : {"0", "-3", "nan", "1e400", "x", "1.5", "0x10"})
    refusedWords({"sample", "gyroid", "-o", scene.out, "--size", size}, 2,
                 std::string(size) + " is not a whole number from 1");
  for (const char* seed : {"-1", "1.5", "99999999999999999999"})
    refusedWords({"sample", "gyroid", "-o", scene.out, "--seed", seed}, 2, "is not a whole number from 0");
  for (const char* sigma : {"-1", "nan", "inf"})
    refusedWords({"dwt", "denoise", scene.in, "-o", scene.out, "--sigma", sigma}, 2, "is not a number of 0 or more");
  for (const char* threshold : {"-1", "nan", "inf", ""})
    refusedWords({"dwt", "denoise", scene.in, "-o", scene.out, "--threshold", threshold}, 2,
                 "is not a number of 0 or more");
  refusedWords({"bench", "filter", "--sample", "gyroid", "--size", "0"}, 2, "is not a whole number from 1");
  refusedWords({"convert", scene.in, "-o", scene.out, "--crop", ""}, 2, "--crop");
  CHECK_FALSE(fs::exists(scene.out));
}

TEST_CASE("every option that takes a number names itself when it is none") {
  const StrangeScene scene;
  const Arguments filter{"filter", scene.in, "-o", scene.out, "--filter", "box"};
  const Arguments solve{"lattice", "solve", scene.in, "--kappa", "0.1"};
  const std::vector<std::pair<Arguments, std::vector<std::string>>> takers{
      {{"lattice", "flow", scene.in}, {"--to", "--step", "--dims"}},
      {{"lattice", "field", scene.in, "-o", scene.out}, {"--flow"}},
      {{"lattice", "generate", "-o", scene.out}, {"--beta", "--sweeps", "--seed", "--dims"}},
      {{"lattice", "dirac", scene.in}, {"--kappa", "--apply", "--at", "--color", "--spin", "--threads"}},
      {solve, {"--tolerance", "--twist", "--max-iterations"}},
      {joined(filter, {"--boundary", "constant"}), {"--constant", "--threads"}},
      {{"convert", scene.in, "-o", scene.out}, {"--frame", "--channel"}},
      {{"magic", "forward", scene.in, "-o", scene.out}, {"--order", "--threads"}},
      {{"dwt", "inverse", scene.in, "-o", scene.out}, {"--levels", "--dimensions", "--size"}},
      {{"dwt", "denoise", scene.in, "-o", scene.out}, {"--sigma", "--threshold", "--shifts"}},
      {{"bench", "filter"}, {"--shape", "--reps"}},
      {{"sample", "gyroid", "-o", scene.out}, {"--size", "--seed"}}};
  // An option meets three of them; options one after the other meet all.
  const std::vector<std::string> values{"nan", "-nan", "inf", "-inf", "1e400", "0x10", "1e3000000000", "", "five"};
  INFO(Sampling::howToRepeat());
  std::size_t turn = firstTurn();
  for (const auto& [command, options] : takers)
    for (const std::string& option : options)
      for (const std::string& value : sampled(values, turn++, 3)) refusedWords(joined(command, {option, value}), 2, option);
  CHECK_FALSE(fs::exists(scene.out));
}

TEST_CASE("zeros in front of a number mean nothing") {
  const StrangeScene scene;
  REQUIRE(run({"sample", "gyroid", "-o", scene.out, "--size", "010"}).status == 0);
  CHECK(readVolume(scene.out).shape().nx == 10);
}

TEST_CASE("an option that there is not is named, and a file whose name looks like one") {
  const StrangeScene scene;
  refusedWords({"info", "--jsn", scene.in}, 2, "there is no option --jsn");
  refusedWords({"info", "--jsn"}, 2, "there is no option --jsn");
  refusedWords({"filter", scene.in, "-q", "3", "-o", scene.out}, 2, "there is no option -q");
  refusedWords({"lattice", "flow", scene.in, "--tme", "inf"}, 2, "there is no option --tme");
  refusedWords({"filter", scene.in, "-o", scene.out, "--constant", "-5", "in.nrrd", "--filter"}, 2, "--filter");
  refusedWords({"filter", "--constant", "-5"}, 2, "IN is required");
  const std::string err = scene.folder / "err";
  fs::copy_file(scene.in, scene.folder / "-dash.nrrd");
  CHECK(shell("cd " + scene.folder.path().string() + "; sscope info -dash.nrrd 2> " + err) == 2);
  CHECK(contains(readTextFile(err), "write ./-dash.nrrd"));
}

TEST_CASE("the input may stand behind any option") {
  const StrangeScene scene;
  CHECK(run({"dwt", "inverse", "--size", "6,6,6", scene.in, "-o", scene.out}).status == 0);
  CHECK(readVolume(scene.out).shape().nx == 6);
  CHECK(run({"dwt", "inverse", "--size", "5x6x7", scene.in, "-o", scene.out}).status == 0);
  CHECK(readVolume(scene.out).shape().text() == "5x6x7");
  refusedWords({"dwt", "inverse", "--size", "6", scene.in, "-o", scene.out}, 2, "give X,Y,Z");
  refusedWords({"dwt", "inverse", "--size", "6,6", scene.in, "-o", scene.out}, 2, "give X,Y,Z");
  refusedWords({"dwt", "inverse", "--size", "6,6,6,6", scene.in, "-o", scene.out}, 2, "--size");
  refusedWords({"lattice", "info", "--dims", "4", scene.in}, 2, "X,Y,Z,T");
  CHECK(run({"convert", scene.in, "-o=" + (scene.folder / "equals.nrrd").string()}).status == 0);
  CHECK(fs::exists(scene.folder / "equals.nrrd"));
  const std::string line = scene.folder / "line.nrrd";
  writeNrrd(line, randomVolume({8, 1, 1, 1}, ElementType::f32, 1));
  CHECK(run({"dwt", "inverse", "--size", "6", line, "-o", scene.out}).status == 0);
  CHECK(readVolume(scene.out).shape().text() == "6x1");
  CHECK(run({"filter", "--filter", "box", scene.in, "-o", scene.out}).status == 0);
  CHECK(run({"magic", "forward", "--compress", scene.in, "-o", scene.out}).status == 0);
}

TEST_CASE("a type is suggested only where it would help") {
  const StrangeScene scene;
  writeNrrd(scene.in, randomVolume({8, 8, 1, 1}, ElementType::f32, 1));
  refusedWords({"convert", scene.in, "-o", scene.folder / "a.bmpx"}, 1, "names no format");
  CHECK_FALSE(contains(run({"convert", scene.in, "-o", scene.folder / "a.bmpx"}).err, "--type"));
  if (hasItk()) {
    refusedWords({"convert", scene.in, "-o", scene.folder / "a.png"}, 1, "or convert the values with --type u8");
    CHECK(run({"convert", scene.in, "-o", scene.folder / "a.png", "--type", "u8"}).status == 0);
  }
}

TEST_CASE("names may be as long as folders allow, and no longer") {
  const StrangeScene scene;
  const std::string longest = std::string(250, 'n') + ".nrrd", tooLong = std::string(251, 'n') + ".nrrd";
  CHECK(run({"convert", scene.in, "-o", scene.folder / longest}).status == 0);
  CHECK(run({"info", scene.folder / longest}).status == 0);
  refusedWords({"convert", scene.in, "-o", scene.folder / tooLong}, 1, "its name is too long");
  refusedWords(
      {"filter", scene.in, "-o", scene.folder / "{}.nrrd", "--filter", "box:name=" + tooLong, "--filter", "sobel"}, 1,
      "its name is too long");
  refusedWords({"info", scene.folder / tooLong}, 1, "its name is longer than any file's");
  CHECK(filesIn(scene.folder.path()) == std::vector<std::string>{"in.nrrd", longest});
}

TEST_CASE("names with spaces and line breaks are read, and errors about them stay in one line") {
  const StrangeScene scene;
  const std::string odd = scene.folder / "a b\nc\x1b[31m.nrrd";
  fs::copy_file(scene.in, odd);
  CHECK(run({"info", odd}).status == 0);
  CHECK(run({"convert", odd, "-o", scene.folder / "{stem}-out.nrrd"}).status == 0);
  refusedWords({"convert", scene.in, "-o", scene.folder / "no\nsuch/folder.nrrd"}, 1, "no?such");
  refusedWords({"info", scene.folder / "no\nsuch.nrrd"}, 1, "no?such.nrrd");
  const std::string missing = scene.folder / "no\nsuch.nrrd";
  refusedWords({"filter", scene.in, "-o", scene.out, "--filter", "box:\nx=1"}, 2, "no parameter ?x");
  refusedWords({"info", scene.in + "@t=\n3"}, 2, "t=?3");
  refusedWords({"info", scene.folder / "a\u0085b\u2028c\u202ed"}, 1, "a?b?c?d");
  const Outcome batch = run({"convert", missing, scene.in, "-o", scene.folder / "{stem}-2.nrrd"});
  CHECK(batch.status == 1);
  CHECK(lineCount(batch.err) == 2);
  CHECK(batch.err.starts_with("error: cannot read "));
  CHECK(contains(batch.err, "1 of 2 inputs done; failed: "));
}

TEST_CASE("names of filters that would hide what stands there are refused, and braces in names are letters") {
  const StrangeScene scene;
  const std::string each = scene.folder / "{stem}-{}.nrrd";
  refusedWords({"filter", scene.in, "-o", each, "--filter", "box:name=a\u202edrrn"}, 2, "the name a?drrn of a filter");
  refusedWords({"filter", scene.in, "-o", each, "--filter", "box:name=a\tb"}, 2, "the name a?b of a filter");
  const std::string odd = scene.folder / "x{}.nrrd";
  fs::copy_file(scene.in, odd);
  CHECK(run({"filter", odd, "-o", each, "--filter", "box:name={stem}", "--filter", "box:name={}"}).status == 0);
  CHECK(filesIn(scene.folder.path()) ==
        std::vector<std::string>{"in.nrrd", "x__-{stem}.nrrd", "x__-{}.nrrd", "x{}.nrrd"});
}

TEST_CASE("what rounding decides is not called wrong, and huge data are judged") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", huge = folder / "huge.nrrd", out = folder / "out.nrrd";
  Volume data = randomVolume({20, 16, 6, 1}, ElementType::f64, 2);
  writeNrrd(in, data);
  for (double& value : data.elements<double>()) value *= 1e200;
  writeNrrd(huge, data);
  for (const char* engine : {"cpu:scalar", "cpu:sse4"}) {
    const Arguments more{"-o", out, "--engine", engine, "--output-type", "f64", "--verify", "--filter"};
    const Outcome open = run(joined(joined({"filter", in}, more), {"formula:e=tan((source+2)*1e20)"}));
    CAPTURE(engine, open.err);
    CHECK(open.status == 2);
    CHECK(contains(open.err, "rounding decides every element, so that none can be judged"));
    CHECK_FALSE(fs::exists(out));
    const Outcome judged = run(joined(joined({"filter", huge}, more), {"hilbert"}));
    CAPTURE(judged.err);
    CHECK(judged.status == 0);
    CHECK(judged.err.empty());
    fs::remove(out);
  }
}

TEST_CASE("what cannot be written to the standard output is an error") {
  if (!fs::exists("/dev/full")) SSCOPE_SKIP("there is no /dev/full");
  const StrangeScene scene;
  const std::string err = scene.folder / "err";
  for (const std::string& command :
       {std::string("--help"), std::string("--version"), std::string("filter --help"), "info " + scene.in,
        "info --json " + scene.in, std::string("sample --list"), "convert " + scene.in + " -o -"}) {
    CAPTURE(command);
    CHECK(shell("sscope " + command + " > /dev/full 2> " + err) == 1);
    CHECK(contains(readTextFile(err), "cannot write to the standard output"));
    CHECK(lineCount(readTextFile(err)) == 1);
    CHECK_FALSE(contains(readTextFile(err), "TMPDIR"));
  }
}
