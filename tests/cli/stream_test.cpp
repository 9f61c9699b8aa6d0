// Data larger than the memory that `sscope filter` may use.
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <thread>

#include "core/io/volume_io.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"
#include "tests/support/sampling.h"

using namespace sscope;
using namespace sscope::test;

namespace {

namespace fs = std::filesystem;

// 25 MiB of u8, and results of f32 that take four times that.
const VolumeShape kShape{256, 256, 400, 1};
constexpr const char* kMemory = "110M";
// The program itself grows with the number of its threads.
const std::int64_t kMostResident = (std::int64_t{110} + std::thread::hardware_concurrency()) << 20;

const char* const kNames[] = {"v.nrrd", "v.nhdr", "v.mha", "v.mhd", "v.nii", "v.vti", "v.raw", "v.json"};

Arguments filterArguments(const std::string& in, const std::string& out) {
  return {"filter", in, "-o", out, "--filter", "gaussian:sigma=1.5", "--engine", "cpu:scalar"};
}

std::vector<std::string> usableNames(const VolumeIo& io) {
  std::vector<std::string> names;
  for (const char* name : kNames) {
    try {
      io.checkWritable(name, kShape, ElementType::u8);
      names.emplace_back(name);
    } catch (const Error&) {
    }
  }
  return names;
}

void removeAll(const TemporaryFolder& folder) {
  for (const auto& entry : fs::directory_iterator(folder.path())) fs::remove(entry.path());
}

}  // namespace

TEST_CASE("data larger than memory are filtered in slabs, from every format and into every format") {
  const auto io = makeVolumeIo(fs::path(builtProgram("sscope")).parent_path() / "sscope-reader");
  const Volume input = randomVolume(kShape, ElementType::u8, 1);
  const TemporaryFolder in, whole, slabs;
  const std::vector<std::string> names = usableNames(*io);
  REQUIRE(names.size() >= 4);
  INFO(Sampling::howToRepeat());
  int compared = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!takes(i % 2, 2, 0)) continue;  // tests/io reads and writes each of them by planes
    const std::string& from = names[i];
    const std::string& to = names[(i + 3) % names.size()];
    CAPTURE(from, to);
    io->write(in / from, input, {});
    REQUIRE(run(filterArguments(in / from, whole / to)).status == 0);
    Arguments streamed = joined(filterArguments(in / from, slabs / to), {"--memory", kMemory});
    if (compared == 0) streamed.emplace_back("--verify");  // the others have its bytes
    const auto report = reportOf(streamed);
    CHECK(report.at("streaming").at("slabs") > 1);
    CHECK(report.at("streaming").at("peak_resident") <= kMostResident);
    CHECK(report.at("streaming").at("written_bytes") == input.bytes() * 4);
    if (compared == 0) CHECK(report.at("verification").at("verified") == true);
    ++compared;
    REQUIRE(filesIn(whole.path()) == filesIn(slabs.path()));
    for (const std::string& file : filesIn(whole.path()))
      CHECK(contentButVerified(whole / file) == contentButVerified(slabs / file));
    for (const TemporaryFolder* folder : {&in, &whole, &slabs}) removeAll(*folder);
  }
  CHECK(compared >= 2);
}

TEST_CASE("a store of OME-Zarr is filtered in slabs into a store, with what its writer holds") {
  const auto io = makeVolumeIo(fs::path(builtProgram("sscope")).parent_path() / "sscope-reader");
  const TemporaryFolder folder;
  io->write(folder / "in.zarr", randomVolume(kShape, ElementType::u8, 1), {});
  for (const char* name : {"whole", "slabs"}) fs::create_directory(folder / name);
  const Arguments packed = {"--compress", "--zarr", "0.5"};
  REQUIRE(run(joined(filterArguments(folder / "in.zarr", folder / "whole/r.ome.zarr"), packed)).status == 0);
  const auto report = reportOf(
      joined(joined(filterArguments(folder / "in.zarr", folder / "slabs/r.ome.zarr"), packed), {"--memory", kMemory}));
  CHECK(report.at("streaming").at("slabs") > 1);
  CHECK(report.at("streaming").at("peak_resident") <= kMostResident);
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder / "whole")) {
    if (!entry.is_regular_file()) continue;
    CHECK(contentOf(entry.path()) ==
          contentOf(fs::path(folder / "slabs") / fs::relative(entry.path(), folder / "whole")));
    ++files;
  }
  CHECK(files > 100);
}

TEST_CASE("in slabs options follow the data by the numbers that they have in memory") {
  const TemporaryFolder folder;
  writeNrrd(folder / "in.nrrd", randomVolume({256, 256, 240, 1}, ElementType::f32, 1));
  const Arguments job{"filter", folder / "in.nrrd", "--filter", "bilateral:radius=1", "--engine", "cpu:scalar"};
  const Outcome whole = run(joined(job, {"-o", folder / "whole.nrrd"}));
  REQUIRE(whole.status == 0);
  CHECK(contains(whole.err, "of bilateral follows the data"));
  const auto report = reportOf(joined(job, {"-o", folder / "slabs.nrrd", "--memory", kMemory}));
  CHECK(contains(whole.err, report.at("notices").at(0).get<std::string>()));
  CHECK(report.at("streaming").at("slabs") > 1);
  CHECK(report.at("streaming").at("read_bytes") >= 2 * 256 * 256 * 240 * 4);  // the look is counted
  CHECK(contentButVerified(folder / "whole.nrrd") == contentButVerified(folder / "slabs.nrrd"));
}

TEST_CASE("what filters keep beside data and results counts, too") {
  const TemporaryFolder folder;
  writeNrrd(folder / "in.nrrd", randomVolume({128, 128, 128, 1}, ElementType::u8, 1));
  // Data and results take 10 MiB, the tensors on the way several times as much.
  const Arguments job{"filter", folder / "in.nrrd", "--filter",  "coherence:steps=1", "--threads",
                      "1",      "--engine",         "cpu:scalar"};
  const auto report = reportOf(joined(job, {"-o", folder / "slabs.nrrd", "--memory", "80M"}));
  REQUIRE(report.contains("streaming"));
  CHECK(report.at("streaming").at("slabs") > 1);
  CHECK(report.at("streaming").at("peak_resident") <= std::int64_t{80} << 20);
  REQUIRE(run(joined(job, {"-o", folder / "whole.nrrd"})).status == 0);
  CHECK(readVolume(folder / "slabs.nrrd").value(50, 40, 30) == readVolume(folder / "whole.nrrd").value(50, 40, 30));
}

TEST_CASE("a session is run in slabs where its data are larger than memory") {
  const TemporaryFolder folder;
  writeNrrd(folder / "in.nrrd", randomVolume(kShape, ElementType::u8, 1));
  std::ofstream(folder / "session.json")
      << R"({"schema": "stencilscope.session/1", "data": {"path": "in.nrrd"}, "engine": "cpu:scalar",
    "bank": {"schema": "stencilscope.bank/1", "filters": [{"name": "g", "type": "gaussian", "params": {"sigma": 1.5}}]}})";
  const Arguments whole = {"run", folder / "session.json", "-o", folder / "whole.nrrd"};
  REQUIRE(run(whole).status == 0);
  const auto report = reportOf({"run", folder / "session.json", "-o", folder / "slabs.nrrd", "--memory", kMemory});
  CHECK(report.at("streaming").at("slabs") > 1);
  CHECK(report.at("streaming").at("peak_resident") <= kMostResident);
  CHECK(report.at("verification").at("verified") == true);
  CHECK(contentButVerified(folder / "whole.nrrd") == contentButVerified(folder / "slabs.nrrd"));
  expectRefusal({"run", folder / "session.json", "-o", folder / "no.nrrd", "--memory", "100K"}, 1,
                "give it more with --memory");
  CHECK_FALSE(fs::exists(folder / "no.nrrd"));
  expectRefusal({"run", folder / "session.json", "--memory", "1G"}, 2, "no file is named");
}

TEST_CASE("compressed data are filtered in slabs, too, under a rule that needs the end first, and into TIFF") {
  const auto io = makeVolumeIo(fs::path(builtProgram("sscope")).parent_path() / "sscope-reader");
  const Volume input = randomVolume(kShape, ElementType::u8, 1);
  const TemporaryFolder folder;
  WriteOptions packed;
  packed.compress = true;
  io->write(folder / "in.nrrd", input, packed, {});
  const std::string name = hasItk() ? "out.tif" : "out.raw";
  const Arguments wrapped = {"--boundary", "wrap"};
  const std::string whole = (folder / ("whole-" + name)).string(), slabs = (folder / ("slabs-" + name)).string();
  REQUIRE(run(joined(filterArguments(folder / "in.nrrd", whole), wrapped)).status == 0);
  const auto report =
      reportOf(joined(joined(filterArguments(folder / "in.nrrd", slabs), wrapped), {"--memory", kMemory}));
  CHECK(report.at("streaming").at("slabs") > 1);
  CHECK(contentOf(whole) == contentOf(slabs));
}

TEST_CASE("large volumes that fit are done sooner by slabs where results are not written in pieces") {
  if (!hasItk()) SSCOPE_SKIP("this build writes no NIfTI");
  const TemporaryFolder folder;
  // 64 MiB of u8 and 256 MiB of results.
  writeNrrd(folder / "in.nrrd", randomVolume({512, 512, 256, 1}, ElementType::u8, 1));
  const auto report = reportOf(filterArguments(folder / "in.nrrd", folder / "out.nii"));
  CHECK(report.at("streaming").at("slabs") > 1);
  // To be verified as a whole, they are in memory.
  const auto whole = reportOf(joined(filterArguments(folder / "in.nrrd", folder / "whole.nii"), {"--verify"}));
  CHECK_FALSE(whole.contains("streaming"));
  CHECK(contentButVerified(folder / "out.nii") == contentButVerified(folder / "whole.nii"));
  CHECK_FALSE(reportOf(filterArguments(folder / "in.nrrd", folder / "out.nrrd")).contains("streaming"));
}

TEST_CASE("data that fit are not streamed, and a bound that is too low says what it takes") {
  const TemporaryFolder folder;
  writeNrrd(folder / "in.nrrd", randomVolume({64, 64, 32, 1}, ElementType::u8, 1));
  const auto report = reportOf(filterArguments(folder / "in.nrrd", folder / "out.nrrd"));
  CHECK_FALSE(report.contains("streaming"));
  expectRefusal(joined(filterArguments(folder / "in.nrrd", folder / "no.nrrd"), {"--memory", "100K"}), 1,
                "give it more with --memory");
  expectRefusal(joined(filterArguments(folder / "in.nrrd", folder / "no.nii.gz"), {"--memory", "100K"}), 1,
                "cannot be written by slabs");
  expectRefusal(joined(filterArguments(folder / "in.nrrd", folder / "no.nrrd"), {"--memory", "100K", "--compress"}), 1,
                "leave --compress out");
  CHECK(filesIn(folder.path()) == std::vector<std::string>{"in.nrrd", "out.nrrd"});
  for (const char* size : {"-1", "0", "much", "2X", "1e99G", "nan"}) {
    const Outcome outcome = run(joined(filterArguments(folder / "in.nrrd", folder / "no.nrrd"), {"--memory", size}));
    CHECK(outcome.status == 2);
    CHECK(contains(outcome.err, "is not a size such as 2G or 512M"));
  }
  for (const char* size : {"1G", "1.5GiB", "900m", "1073741824", "1TB"})
    CHECK(run(joined(filterArguments(folder / "in.nrrd", folder / "out.nrrd"), {"--memory", size})).status == 0);
}

TEST_CASE("what happens to a file while it is streamed is told, and leaves no result") {
  struct Row {
    const char* says;
    std::function<void(const fs::path&)> change;
  };
  const Row rows[] = {
      {"was removed", [](const fs::path& file) { fs::remove(file); }},
      {"grew", [](const fs::path& file) { std::ofstream(file, std::ios::app) << "more"; }},
      {"became shorter", [](const fs::path& file) { fs::resize_file(file, fs::file_size(file) / 2); }},
  };
  for (const Row& row : rows) {
    CAPTURE(row.says);
    const TemporaryFolder folder;
    writeNrrd(folder / "in.nrrd", randomVolume(kShape, ElementType::u8, 1));
    // Many slabs, each of a second or less.
    Running running({"filter", folder / "in.nrrd", "-o", folder / "out.nrrd", "--filter", "gaussian:sigma=1",
                     "--variant", "dense", "--engine", "cpu:scalar", "--memory", kMemory, "--threads", "1"});
    running.waitUntilBusy();
    row.change(folder / "in.nrrd");
    const Outcome outcome = running.finish();
    INFO(outcome.err);
    CHECK(outcome.status == 1);
    CHECK(contains(outcome.err, row.says));
    CHECK(lineCount(outcome.err) == 1);
    for (const std::string& file : filesIn(folder.path())) CHECK(file == "in.nrrd");
  }
}

TEST_CASE("Ctrl-C stops a streamed run, and leaves no file") {
  const TemporaryFolder folder;
  writeNrrd(folder / "in.nrrd", randomVolume(kShape, ElementType::u8, 1));
  Running running({"filter", folder / "in.nrrd", "-o", folder / "out.nrrd", "--filter", "gaussian:sigma=8", "--variant",
                   "dense", "--engine", "cpu:scalar", "--memory", "120M"});
  expectNothingLeft(running, folder.path());
}

TEST_CASE("a truncated file and a folder that is read-only are refused before anything is streamed") {
  const TemporaryFolder folder;
  writeNrrd(folder / "in.nrrd", randomVolume(kShape, ElementType::u8, 1));
  const Arguments streamed = joined(filterArguments(folder / "in.nrrd", folder / "out.nrrd"), {"--memory", kMemory});
  fs::resize_file(folder / "in.nrrd", fs::file_size(folder / "in.nrrd") - 1000);
  expectRefusal(streamed, 1, "it is cut off");
  if (::geteuid() != 0) {
    const fs::path locked = folder / "locked";
    fs::create_directory(locked);
    fs::permissions(locked, fs::perms::owner_read | fs::perms::owner_exec);
    expectRefusal(joined(filterArguments(folder / "in.nrrd", locked / "out.nrrd"), {"--memory", kMemory}), 1,
                  "the folder is not writable");
    fs::permissions(locked, fs::perms::owner_all);
    fs::remove(locked);
  }
  CHECK(filesIn(folder.path()) == std::vector<std::string>{"in.nrrd"});
}
