// sscope-mpi filter and magic on files: what sscope writes, to the last byte, and nothing where something goes wrong.

#include <signal.h>

#include <nlohmann/json.hpp>

#include "tests/mpi/launch.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"
#include "tests/support/sampling.h"

using namespace sscope::test;
namespace fs = std::filesystem;

namespace {

std::string dataIn(const TemporaryFolder& folder, const sscope::VolumeShape& shape, sscope::ElementType type) {
  const std::string file = folder / "in.nrrd";
  writeNrrd(file, randomVolume(shape, type, 7));
  return file;
}

// Both programs with these arguments, the second on so many ranks; the files that they write must be the same.
void compare(int ranks, const Arguments& arguments, const std::string& one, const std::string& many) {
  const Outcome alone = runOther(builtProgram("sscope"), joined(arguments, {"-o", one}));
  const Outcome together = launch(ranks, builtProgram("sscope-mpi"), joined(arguments, {"-o", many}));
  INFO(ranks << " ranks: " << alone.err << together.err);
  REQUIRE(alone.status == 0);
  REQUIRE(together.status == 0);
  // Each rank compares its own part with the reference.
  CHECK(contentButVerified(many) == contentButVerified(one));
}

// More work than a test would wait for.
Arguments longWork(const std::string& in, const std::string& out) {
  return {"filter", in, "-o", out, "--filter", "nlmeans:search=8,patch=3,sigma=10", "--threads", "1"};
}

}  // namespace

TEST_CASE("ranks filter a file to the bytes of one process") {
  SSCOPE_NEEDS_MPIRUN();
  const TemporaryFolder folder;
  const std::string in = dataIn(folder, {23, 14, 19}, sscope::ElementType::f32);
  const Arguments filters{"filter", in, "--filter", "gaussian:sigma=1.5", "--filter", "median:size=3"};
  for (const std::size_t n : {0U, 1U})
    for (const int ranks : countsOfRun(n))
      compare(ranks, joined(filters, {"--boundary", n == 0 ? "nearest" : "wrap", "--threads", "1"}),
              folder / "one.nrrd", folder / "many.nrrd");
  for (const char* name : {"vti", "mha", "nii"}) {
    if (!hasItk()) break;  // which writes them
    compare(3, {"filter", in, "--filter", "gaussian:sigma=2", "--threads", "1"}, folder / ("one." + std::string(name)),
            folder / ("many." + std::string(name)));
  }
  // With an option that follows the data.
  compare(3, {"filter", in, "--filter", "bilateral:radius=1", "--threads", "1"}, folder / "one.nrrd",
          folder / "many.nrrd");
  // A file for each filter.
  compare(3, joined(filters, {"--threads", "1"}), folder / "one_{}.nrrd", folder / "many_{}.nrrd");
  for (const char* name : {"gaussian", "median"})
    CHECK(contentOf(folder / ("one_" + std::string(name) + ".nrrd")) ==
          contentOf(folder / ("many_" + std::string(name) + ".nrrd")));
}

TEST_CASE("ranks filter integers and images to the bytes of one process, and say what was clamped") {
  SSCOPE_NEEDS_MPIRUN();
  const TemporaryFolder folder;
  const std::string in = dataIn(folder, {31, 37, 1}, sscope::ElementType::u8);
  const Arguments arguments{"filter", in, "--filter", "sharpen:sigma=1,amount=9", "--output-type", "u8"};
  compare(4, joined(arguments, {"--threads", "1"}), folder / "one.nrrd", folder / "many.nrrd");
  const Outcome alone = runOther(builtProgram("sscope"), joined(arguments, {"-o", folder / "one.nrrd"}));
  const Outcome together = launch(3, builtProgram("sscope-mpi"), joined(arguments, {"-o", folder / "many.nrrd"}));
  CHECK(contains(alone.err, "note: "));
  CHECK(together.err == alone.err);
}

TEST_CASE("ranks judge and count what is lost as one process does") {
  SSCOPE_NEEDS_MPIRUN();
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", one = folder / "one.nrrd", many = folder / "many.nrrd";
  const auto bothSay = [&](const sscope::Volume& data, const Arguments& arguments, const std::string& words) {
    writeNrrd(in, data);
    const Arguments all = joined(arguments, {"--threads", "1"});
    const Outcome alone = runOther(builtProgram("sscope"), joined(all, {"-o", one}));
    const Outcome together = launch(2, builtProgram("sscope-mpi"), joined(all, {"-o", many}));
    INFO(alone.err << together.err);
    CHECK(alone.status == 0);
    CHECK(together.status == 0);
    CHECK(contains(alone.err, words));
    CHECK(contains(together.err, words));
  };
  // Rounding decides all voxels of the first rank, and none of the second one's.
  sscope::Volume halves({8, 8, 16, 1}, sscope::ElementType::f32);
  const auto values = halves.elements<float>();
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i < values.size() / 2 ? 0 : 1.5F;
  bothSay(halves, {"--verbose", "filter", in, "--filter", "formula:e=floor((source*0.5+1)/41*41-1)", "--verify"},
          "512 more cannot be judged, because rounding decides them");
  // Smaller than f32 holds.
  sscope::Volume small({8, 8, 16, 1}, sscope::ElementType::f64);
  for (double& value : small.elements<double>()) value = 1e-60;
  bothSay(small, {"filter", in, "--filter", "box", "--output-type", "f32"},
          "1024 of 1024 nonzero input values are too small for f32");
}

#ifndef SSCOPE_WITHOUT_WAVELET
TEST_CASE("ranks apply the magic filter to the bytes of one process") {
  SSCOPE_NEEDS_MPIRUN();
  const TemporaryFolder folder;
  const std::string in = dataIn(folder, {11, 9, 13}, sscope::ElementType::f32);
  for (const std::size_t n : {0U, 1U})
    for (const int ranks : countsOfRun(n))
      compare(ranks, {"magic", n == 0 ? "forward" : "inverse", in, "--threads", "1"}, folder / "one.nrrd",
              folder / "many.nrrd");
}

TEST_CASE("ranks transform a file to wavelets, back, and denoise it, to the bytes of one process") {
  SSCOPE_NEEDS_MPIRUN();
  const TemporaryFolder folder;
  const std::string in = dataIn(folder, {13, 9, 29, 2}, sscope::ElementType::i16), coefficients = folder / "all.nrrd";
  // Slabs with planes around them, slabs that would be longer than the whole, slices that are not transformed.
  const std::pair<Arguments, std::vector<int>> kinds[] = {{{"--wavelet", "haar"}, {7}},
                                                          {{"--wavelet", "db2", "--levels", "2"}, {}},
                                                          {{"--wavelet", "sym8"}, {3}},
                                                          {{"--dimensions", "2", "--convention", "bigdft"}, {4}}};
  INFO(Sampling::howToRepeat());
  for (const auto& [kind, counts] : sampled(kinds, firstTurn(), 2)) {
    const bool deep = kind.back() == "2";  // eight blocks of four planes
    for (const int ranks : deep ? countsOfRun(0) : counts) {
      INFO(kind[1] << (deep ? ", two levels" : ""));
      const Arguments more = joined(kind, {"--threads", "1"});
      compare(ranks, joined({"dwt", "forward", in}, more), coefficients, folder / "many.nrrd");
      compare(ranks, joined({"dwt", "inverse", coefficients, "--size", "13,9,29"}, more), folder / "one.nrrd",
              folder / "many.nrrd");
      compare(ranks,
              joined({"dwt", "denoise", in, "--threshold", "900", "--levels", deep ? "2" : "1"},
                     joined(Arguments(kind.begin(), kind.begin() + 2), {"--threads", "1", "--verify"})),
              folder / "one.nrrd", folder / "many.nrrd");
    }
  }
}

TEST_CASE("one rank applies the magic filter to an image and to a volume") {
  SSCOPE_NEEDS_MPIRUN();
  for (const sscope::VolumeShape& shape : {sscope::VolumeShape{19, 12, 1, 1}, sscope::VolumeShape{11, 9, 5, 1}}) {
    const TemporaryFolder folder;
    const std::string in = dataIn(folder, shape, sscope::ElementType::f32);
    compare(1, {"magic", "forward", in, "--threads", "1"}, folder / "one.nrrd", folder / "many.nrrd");
  }
}
#endif

TEST_CASE("what ranks cannot do with a file is said in one sentence, and leaves nothing") {
  SSCOPE_NEEDS_MPIRUN();
  const TemporaryFolder folder;
  const std::string in = dataIn(folder, {8, 7, 5}, sscope::ElementType::f32);
  INFO(Sampling::howToRepeat());
  std::size_t number = 0;
  const auto refused = [&](int ranks, const Arguments& arguments, int status, const std::string& words) {
    if (!takes(number++ % 2, 2, 0)) return;  // mpirun takes its time for each
    const Outcome outcome = launch(ranks, builtProgram("sscope-mpi"), arguments);
    INFO(outcome.err);
    CHECK(outcome.status == status);
    CHECK(lineCount(outcome.err) == 1);
    CHECK(contains(outcome.err, words));
    CHECK(filesIn(folder.path()) == std::vector<std::string>{"in.nrrd"});
  };
  const std::string out = folder / "out.nrrd";
  const auto filter = [&](const std::string& from, const std::string& to, const Arguments& more = {}) {
    return joined({"filter", from, "-o", to, "--filter", "gaussian:sigma=1"}, more);
  };
  refused(7, filter(in, out), 2, "fewer planes (5) than ranks (7)");
  refused(3, filter(folder / "none.nrrd", out), 1, "none.nrrd");
  refused(3, filter(in, in), 2, "in.nrrd");
  refused(3, filter(in, folder / "no/out.nrrd"), 1, "no");
  refused(3, filter(in, folder / "out.png"), 1, "png");
  refused(3, filter(in, "/proc/version"), 1, "/proc/version");  // where nobody may write
  refused(3, filter(in, out, {"--engine", "cuda:99"}), 2, "cuda:99");
#ifndef SSCOPE_WITHOUT_WAVELET
  const auto dwt = [&](const Arguments& arguments) { return joined({"dwt"}, joined(arguments, {in, "-o", out})); };
  refused(4, dwt({"forward"}), 2, "fewer blocks of 2 planes (3) than ranks (4)");
  refused(2, dwt({"denoise"}), 2, "give --threshold");
  refused(2, dwt({"forward", "--threshold", "1"}), 2, "no meaning with forward");
  refused(2, dwt({"inverse", "--dimensions", "3"}), 2, "multiples of 2");
  refused(2, dwt({"forward", "--levels", "9"}), 2, "levels");
#endif
}

TEST_CASE("a disk that is full for a rank is said in one sentence, and leaves nothing") {
  SSCOPE_NEEDS_MPIRUN();
  const TemporaryFolder folder;
  const std::string in = dataIn(folder, {32, 32, 32}, sscope::ElementType::f32);
  const std::string out = folder / "out.nrrd";
  // Files of ranks may not be larger than 8 KiB.
  const Outcome outcome = launch(3, "sh",
                                 {"-c", "ulimit -f 8; exec \"$@\"", "sh", builtProgram("sscope-mpi"), "filter", in,
                                  "-o", out, "--filter", "gaussian:sigma=1"});
  INFO(outcome.err);
  CHECK(outcome.status == 1);
  CHECK(lineCount(outcome.err) == 1);
  CHECK(contains(outcome.err, "out.nrrd"));
  CHECK(filesIn(folder.path()) == std::vector<std::string>{"in.nrrd"});
}

TEST_CASE("a rank that is killed at work, or canceled, leaves nothing") {
  SSCOPE_NEEDS_MPIRUN();
  const TemporaryFolder folder;
  const std::string in = dataIn(folder, {96, 96, 64}, sscope::ElementType::f32);
  const std::string out = folder / "out.nrrd";
  for (const bool killed : {true, false}) {
    Running running(ranksOf(3, builtProgram("sscope-mpi"), longWork(in, out)));
    const std::vector<pid_t> ranks = busyRanks(3, out);
    REQUIRE(ranks.size() == 3);
    if (killed) {
      ::kill(ranks.back(), SIGKILL);
    } else {
      running.signal(SIGINT);
    }
    const Outcome outcome = running.finish();
    INFO(outcome.err);
    CHECK(outcome.status != 0);
    CHECK(lineCount(outcome.err) <= 1);
    CHECK(ranksEnd(out));
    CHECK(filesIn(folder.path()) == std::vector<std::string>{"in.nrrd"});
  }
}

TEST_CASE("formats whose voxels lie in chunks are refused by ranks before they compute") {
  const TemporaryFolder folder;
  const std::string in = dataIn(folder, {16, 14, 12, 1}, sscope::ElementType::u8);
  for (const char* name : {"out.ome.zarr", "out.h5"}) {
    if (std::string_view(name).ends_with(".h5") && !hasItk()) continue;  // which writes them
    const Outcome refused =
        launch(2, builtProgram("sscope-mpi"), {"filter", in, "--filter", "box:size=3", "-o", folder / name});
    INFO(refused.err);
    CHECK(refused.status == 1);
    CHECK(contains(refused.err, "together; choose a format whose voxels lie uncompressed one after the other"));
    CHECK_FALSE(std::filesystem::exists(folder / name));
  }
}

TEST_CASE("ranks that were started with different command lines refuse to work together") {
  SSCOPE_NEEDS_MPIRUN();
  const TemporaryFolder folder;
  const std::string in = dataIn(folder, {8, 7, 5}, sscope::ElementType::f32), out = folder / "out.nrrd";
  Arguments arguments =
      ranksOf(1, builtProgram("sscope-mpi"), {"filter", in, "-o", out, "--filter", "gaussian:sigma=1"});
  arguments = joined(
      arguments, {":", "-n", "1", builtProgram("sscope-mpi"), "filter", in, "-o", out, "--filter", "gaussian:sigma=2"});
  const Outcome outcome = run(arguments);
  CHECK(outcome.status == 2);
  CHECK(outcome.err ==
        "error: rank 1 was started with another command line than rank 0; start all ranks with the same one\n");
  CHECK(filesIn(folder.path()) == std::vector<std::string>{"in.nrrd"});
}
