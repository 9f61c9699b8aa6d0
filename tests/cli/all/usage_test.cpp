#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"

using namespace sscope;
using namespace sscope::test;

TEST_CASE("wrong usage is named in one line and gives exit status 2") {
  const Scene scene(randomVolume({4, 4, 4, 1}, ElementType::f32, 1));
  const Scene::Refusal rows[] = {
      {"magic", "DIRECTION"},
      {"magic backward in.nrrd -o out.nrrd", "backward"},
      {"magic forward in.nrrd -o out.nrrd --order 11", "11"},
      {"magic forward in.nrrd -o out.nrrd --variant best", "there is no variant best"},
      {"dwt forward in.nrrd", "--output"},
      {"dwt sideways in.nrrd -o out.nrrd", "sideways"},
      {"dwt forward in.nrrd -o out.nrrd --wavelet db11", "there is no wavelet db11"},
      {"dwt forward in.nrrd -o out.nrrd --levels 0", "--levels"},
      {"dwt forward in.nrrd -o out.nrrd --levels 3", "the largest number of levels is 2"},
      {"dwt forward in.nrrd -o out.nrrd --size 3,3,3", "--size has no effect"},
      {"dwt forward in.nrrd -o out.nrrd --mode hard", "--mode has no effect"},
      {"dwt inverse in.nrrd -o out.nrrd --size 9,9,9", "cannot be cropped"},
      {"dwt denoise in.nrrd -o out.nrrd --threshold some", "--threshold some"},
      {"dwt denoise in.nrrd -o out.nrrd --threshold 1 --sigma 1", "--sigma is used to find thresholds"},
      {"convert in.nrrd@t=0 -o out.nrrd --frame 0", "there are two choices t"},
      {"info in.nrrd@c=0,c=1", "there are two choices c"},
      {"dwt forward in.nrrd -o out.nrrd --engine gpu", "there is no engine gpu"},
      {"frobnicate", "use one of devices"},
      {"lattice frobnicate", "there is no command lattice frobnicate; use one of info"},
      {"lattice --frobnicate", "see `sscope lattice --help`"},
      {"lattice info", "see `sscope lattice info --help`"},
      {"--frobnicate", "--frobnicate"},
      {"filter", "IN"},
      {"filter in.nrrd --filter box", "--output"},
      {"filter in.nrrd -o out.nrrd", "--filter"},
      {"filter in.nrrd -o out.nrrd --filter box --wrong", "--wrong"},
      {"filter in.nrrd -o out.nrrd --filter nothing", "use one of gaussian"},
      {"filter in.nrrd -o out.nrrd --filter gaussian:sigma", "sigma"},
      {"filter in.nrrd -o out.nrrd --filter gaussian:sigma=abc", "abc"},
      {"filter in.nrrd -o out.nrrd --filter gaussian:sigma=-1", "sigma"},
      {"filter in.nrrd -o out.nrrd --filter gaussian:size=3", "size"},
      {"filter in.nrrd -o out.nrrd --filter sobel:axis=w", "axis"},
      {"filter in.nrrd -o out.nrrd --filter box --engine cpu:mmx", "there is no engine cpu:mmx"},
      {"filter in.nrrd -o out.nrrd --filter box --variant magic", "there is no variant magic"},
      {"filter in.nrrd -o out.nrrd --filter box --boundary edge", "edge"},
      {"filter in.nrrd -o out.nrrd --filter box --output-type f16", "f16"},
      {"filter in.nrrd -o out.nrrd --filter box --threads -1", "-1"},
      {"filter in.nrrd -o out.nrrd --filter box --threads many", "many"},
      {"filter in.nrrd -o out.nrrd --filter box --constant 5", "--boundary constant"},
      {"filter in.nrrd -o out.nrrd --filter box --constant x", "x"},
      {"filter in.nrrd -o out.nrrd --filter box --bank b.json", "--bank"},
      {"filter in.nrrd in.nrrd -o out.nrrd --filter box", "several inputs need several outputs"},
      {"info", "FILE"},
      {"info in.nrrd more", "more"},
      {"sample", "--list"},
      {"sample gyroid", "-o"},
      {"sample nothing -o out.nrrd", "nothing"},
      {"sample gyroid -o out.nrrd --size 1000000", "from 1 to 16384"},
      {"sample gyroid -o out.nrrd --size 99999999999999999999", "size"},
      {"sample gyroid --list", "--list"},
      {"bench", "WORKLOAD"},
      {"bench nothing", "use one of filter"},
      {"bench filter --engine gpu", "there is no engine gpu"},
      {"bench filter --variant best", "there is no variant best"},
      {"bench filter --shape 16", "--shape"},
      {"bench filter --shape 16,16,0", "--shape"},
      {"bench filter --shape 16,16,16,16", "--shape"},
      {"bench filter --shape a,b", "--shape"},
      {"bench filter --param size", "key=value"},
      {"bench filter --param size=3", "use one of threads, filter, boundary"},
      {"bench filter --param input=f16", "input=f16"},
      {"bench filter --param threads=-1", "threads"},
      {"bench filter --reps 0", "--reps"},
      {"bench filter --sample gyroid --shape 8,8", "--sample"},
      {"bench filter --sample gyroid --size 8 --param input=u8", "noise only"},
      {"run", "FILE is required"}};
  for (const Scene::Refusal& row : rows) scene.refuse(row.line, 2, row.part);
}

TEST_CASE("an option that names a file needs a name") {
  const Scene scene(randomVolume({4, 4, 4, 1}, ElementType::f32, 1));
  for (const char* line : {"filter in.nrrd --filter box -o ''", "filter in.nrrd --filter box -o out.nrrd --json ''",
                           "filter in.nrrd -o out.nrrd --bank ''", "convert in.nrrd -o ''", "run in.nrrd -o ''",
                           "run in.nrrd --json ''", "devices --json ''", "sample foam -o ''",
                           "dwt forward in.nrrd -o out.nrrd --json ''", "magic forward in.nrrd -o out.nrrd --taps ''",
                           "compare in.nrrd --report ''", "compare in.nrrd --capsule ''", "bench conv2d --csv ''",
                           "lattice generate --dims 2,2,2,2 -o ''", "lattice solve in.nrrd --kappa 0.1 --trace ''"})
    scene.refuse(line, 2, "no file is named");
}

TEST_CASE("several filters need {} where the format has no components") {
  if (!hasItk()) SSCOPE_SKIP("formats without components need ITK");
  const Scene scene(randomVolume({4, 4, 1, 1}, ElementType::f32, 1));
  scene.refuse(
      "filter in.nrrd -o out.png --output-type u8 --filter box --filter sobel --filter gaussian "
      "--filter sharpen --filter prewitt",
      2, "{}");
}

TEST_CASE("help and version are no errors") {
  const Scene scene;
  CHECK(scene.ok("--version").out == "sscope " SSCOPE_VERSION "\n");
  for (const std::string command : {"", "devices ", "info ", "sample ", "filter ", "bench ", "run "}) {
    const Outcome help = scene.ok(command + "--help");
    CHECK(help.err.empty());
    CHECK(contains(help.out, "--help"));
  }
  // The families come from their table.
  CHECK(contains(scene.ok("filter --help").out, "sigma="));
}

TEST_CASE("a command that needs another one shows its help and what is missing") {
  const Scene scene;
  for (const std::string line : {"", "lattice", "--verbose lattice"}) {
    CAPTURE(line);
    const Outcome outcome = scene.run(line);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK(contains(outcome.err, line.empty() ? "Usage: sscope" : "Usage: sscope lattice"));
    CHECK(contains(outcome.err, line.empty() ? "devices " : "generate "));
    CHECK(contains(outcome.err, line.empty() ? "\nerror: sscope needs a command: devices, "
                                             : "\nerror: sscope lattice needs a command: info, "));
  }
}
