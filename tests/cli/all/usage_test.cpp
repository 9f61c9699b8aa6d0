#include "core/base/paths.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"

using namespace sscope;
using namespace sscope::test;

namespace {

struct Case {
  Arguments arguments;
  std::string message;  // part of it
};

void requireUsageError(const Case& one) {
  std::string line;
  for (const std::string& argument : one.arguments) line += argument + " ";
  INFO("sscope " << line);
  const Outcome outcome = run(one.arguments);
  INFO(outcome.err);
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK(lineCount(outcome.err) == 1);
  CHECK(outcome.err.rfind("error: ", 0) == 0);
  CHECK(contains(outcome.err, one.message));
}

}  // namespace

TEST_CASE("wrong usage is told in one line and gives exit status 2") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", out = folder / "out.nrrd";
  writeNrrd(in, randomVolume({4, 4, 4, 1}, ElementType::f32, 1));
  const std::vector<Case> cases{
      {{"magic"}, "DIRECTION"},
      {{"magic", "backward", in, "-o", out}, "backward"},
      {{"magic", "forward", in, "-o", out, "--order", "11"}, "11"},
      {{"magic", "forward", in, "-o", out, "--variant", "best"}, "there is no variant best"},
      {{"dwt", "forward", in}, "--output"},
      {{"dwt", "sideways", in, "-o", out}, "sideways"},
      {{"dwt", "forward", in, "-o", out, "--wavelet", "db11"}, "there is no wavelet db11"},
      {{"dwt", "forward", in, "-o", out, "--levels", "0"}, "--levels"},
      {{"dwt", "forward", in, "-o", out, "--levels", "3"}, "the largest number of levels is 2"},
      {{"dwt", "forward", in, "-o", out, "--size", "3,3,3"}, "--size has no effect"},
      {{"dwt", "forward", in, "-o", out, "--mode", "hard"}, "--mode has no effect"},
      {{"dwt", "inverse", in, "-o", out, "--size", "9,9,9"}, "cannot be cropped"},
      {{"dwt", "denoise", in, "-o", out, "--threshold", "some"}, "--threshold some"},
      {{"dwt", "denoise", in, "-o", out, "--threshold", "-1"}, "-1"},
      {{"dwt", "denoise", in, "-o", out, "--threshold", "1", "--sigma", "1"}, "--sigma is used to find thresholds"},
      {{"convert", in + "@t=0", "-o", out, "--frame", "0"}, "there are two choices t"},
      {{"info", in + "@c=0,c=1"}, "there are two choices c"},
      {{"dwt", "forward", in, "-o", out, "--engine", "gpu"}, "there is no engine gpu"},
      {{"frobnicate"}, "use one of devices"},
      {{"lattice", "frobnicate"}, "there is no command lattice frobnicate; use one of info"},
      {{"lattice", "--frobnicate"}, "see `sscope lattice --help`"},
      {{"lattice", "info"}, "see `sscope lattice info --help`"},
      {{"--frobnicate"}, "--frobnicate"},
      {{"filter"}, "IN"},
      {{"filter", in, "--filter", "box"}, "--output"},
      {{"filter", in, "-o", out}, "--filter"},
      {{"filter", in, "-o", out, "--filter", "box", "--wrong"}, "--wrong"},
      {{"filter", in, "-o", out, "--filter", "nothing"}, "use one of gaussian"},
      {{"filter", in, "-o", out, "--filter", "gaussian:sigma"}, "sigma"},
      {{"filter", in, "-o", out, "--filter", "gaussian:sigma=abc"}, "abc"},
      {{"filter", in, "-o", out, "--filter", "gaussian:sigma=-1"}, "sigma"},
      {{"filter", in, "-o", out, "--filter", "gaussian:size=3"}, "size"},
      {{"filter", in, "-o", out, "--filter", "sobel:axis=w"}, "axis"},
      {{"filter", in, "-o", out, "--filter", "box", "--engine", "cpu:mmx"}, "there is no engine cpu:mmx"},
      {{"filter", in, "-o", out, "--filter", "box", "--variant", "magic"}, "there is no variant magic"},
      {{"filter", in, "-o", out, "--filter", "box", "--boundary", "edge"}, "edge"},
      {{"filter", in, "-o", out, "--filter", "box", "--output-type", "f16"}, "f16"},
      {{"filter", in, "-o", out, "--filter", "box", "--threads", "-1"}, "-1"},
      {{"filter", in, "-o", out, "--filter", "box", "--threads", "many"}, "many"},
      {{"filter", in, "-o", out, "--filter", "box", "--constant", "5"}, "--boundary constant"},
      {{"filter", in, "-o", out, "--filter", "box", "--constant", "x"}, "x"},
      {{"filter", in, "-o", out, "--filter", "box", "--bank", "b.json"}, "--bank"},
      {{"filter", in, in, "-o", out, "--filter", "box"}, "several inputs need several outputs"},
      {{"info"}, "FILE"},
      {{"info", in, "more"}, "more"},
      {{"sample"}, "--list"},
      {{"sample", "gyroid"}, "-o"},
      {{"sample", "nothing", "-o", out}, "nothing"},
      {{"sample", "gyroid", "-o", out, "--size", "0"}, "--size"},
      {{"sample", "gyroid", "-o", out, "--size", "-3"}, "--size"},
      {{"sample", "gyroid", "-o", out, "--size", "1000000"}, "from 1 to 16384"},
      {{"sample", "gyroid", "-o", out, "--size", "99999999999999999999"}, "size"},
      {{"sample", "gyroid", "--list"}, "--list"},
      {{"bench"}, "WORKLOAD"},
      {{"bench", "nothing"}, "use one of filter"},
      {{"bench", "filter", "--engine", "gpu"}, "there is no engine gpu"},
      {{"bench", "filter", "--variant", "best"}, "there is no variant best"},
      {{"bench", "filter", "--shape", "16"}, "--shape"},
      {{"bench", "filter", "--shape", "16,16,0"}, "--shape"},
      {{"bench", "filter", "--shape", "16,16,16,16"}, "--shape"},
      {{"bench", "filter", "--shape", "a,b"}, "--shape"},
      {{"bench", "filter", "--param", "size"}, "key=value"},
      {{"bench", "filter", "--param", "size=3"}, "use one of filter, boundary"},
      {{"bench", "filter", "--param", "input=f16"}, "input=f16"},
      {{"bench", "filter", "--param", "threads=-1"}, "threads"},
      {{"bench", "filter", "--reps", "0"}, "--reps"},
      {{"bench", "filter", "--sample", "gyroid", "--shape", "8,8"}, "--sample"},
      {{"bench", "filter", "--sample", "gyroid", "--size", "8", "--param", "input=u8"}, "noise only"},
      {{"run"}, "FILE is required"},
  };
  for (const Case& one : cases) requireUsageError(one);
  CHECK(filesIn(folder.path()) == std::vector<std::string>{"in.nrrd"});
}

TEST_CASE("an option that names a file needs a name") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", out = folder / "out.nrrd";
  writeNrrd(in, randomVolume({4, 4, 4, 1}, ElementType::f32, 1));
  for (const Arguments& command : std::vector<Arguments>{{"filter", in, "--filter", "box", "-o", ""},
                                                         {"filter", in, "--filter", "box", "-o", out, "--json", ""},
                                                         {"filter", in, "-o", out, "--bank", ""},
                                                         {"convert", in, "-o", ""},
                                                         {"run", in, "-o", ""},
                                                         {"run", in, "--json", ""},
                                                         {"devices", "--json", ""},
                                                         {"sample", "foam", "-o", ""},
                                                         {"dwt", "forward", in, "-o", out, "--json", ""},
                                                         {"magic", "forward", in, "-o", out, "--taps", ""},
                                                         {"compare", in, "--report", ""},
                                                         {"compare", in, "--capsule", ""},
                                                         {"bench", "conv2d", "--csv", ""},
                                                         {"lattice", "generate", "--dims", "2,2,2,2", "-o", ""},
                                                         {"lattice", "solve", in, "--kappa", "0.1", "--trace", ""}}) {
    CAPTURE(command);
    const Outcome outcome = run(command);
    INFO(outcome.err);
    CHECK(outcome.status == 2);
    CHECK(lineCount(outcome.err) == 1);
    CHECK(contains(outcome.err, "no file is named"));
    CHECK_FALSE(std::filesystem::exists(out));
  }
}

TEST_CASE("several filters need {} where the format has no components") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd";
  writeNrrd(in, randomVolume({4, 4, 1, 1}, ElementType::f32, 1));
  const Arguments filters{"--filter", "box",      "--filter", "sobel",    "--filter",
                          "gaussian", "--filter", "sharpen",  "--filter", "prewitt"};
  if (!hasItk()) SSCOPE_SKIP("formats without components need ITK");
  Arguments arguments{"filter", in, "-o", folder / "out.png", "--output-type", "u8"};
  arguments.insert(arguments.end(), filters.begin(), filters.end());
  requireUsageError({arguments, "{}"});
}

TEST_CASE("help and version are asked for, not wrong") {
  const Outcome version = run({"--version"});
  CHECK(version.status == 0);
  CHECK(version.out == "sscope " SSCOPE_VERSION "\n");
  for (const std::string command : {"", "devices", "info", "sample", "filter", "bench", "run"}) {
    INFO(command);
    const Outcome help = command.empty() ? run({"--help"}) : run({command, "--help"});
    CHECK(help.status == 0);
    CHECK(help.err.empty());
    CHECK(contains(help.out, "--help"));
  }
  // The families come from their table.
  CHECK(contains(run({"filter", "--help"}).out, "sigma="));
}

TEST_CASE("a command that needs another one shows its help and what is missing") {
  for (const Arguments& arguments : {Arguments{}, Arguments{"lattice"}, Arguments{"--verbose", "lattice"}}) {
    const bool lattice = !arguments.empty();
    const Outcome outcome = run(arguments);
    INFO(outcome.err);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK(contains(outcome.err, lattice ? "Usage: sscope lattice" : "Usage: sscope"));
    CHECK(contains(outcome.err, lattice ? "generate " : "devices "));
    CHECK(contains(outcome.err, lattice ? "\nerror: sscope lattice needs a command: info, "
                                        : "\nerror: sscope needs a command: devices, "));
  }
}
