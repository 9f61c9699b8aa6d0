// Data larger than the memory that `sscope filter` may use.
#include <signal.h>
#include <unistd.h>

#include <filesystem>
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
const std::string kGaussian = " --filter gaussian:sigma=1.5 --engine cpu:scalar -o ", kLittle = " --memory 110M";

struct StreamScene : Scene {
  explicit StreamScene(const VolumeShape& shape = kShape, ElementType type = ElementType::u8)
      : Scene(randomVolume(shape, type, 1)) {}
  // The report of a command that must compute in slabs, with no more memory than it may use.
  [[nodiscard]] nlohmann::json streamed(const std::string& line, std::int64_t mebibytes = 110) const {
    const auto all = report(line + " --memory " + std::to_string(mebibytes) + "M");
    REQUIRE(all.contains("streaming"));
    CHECK(all.at("streaming").at("slabs") > 1);
    // The program itself grows with the number of its threads.
    CHECK(all.at("streaming").at("peak_resident") <= (mebibytes + std::thread::hardware_concurrency()) << 20);
    return all;
  }
  void expectSame(const std::string& a, const std::string& b) const {
    CHECK((contentButVerified(path(a)) == contentButVerified(path(b))));
  }
  [[nodiscard]] std::unique_ptr<VolumeIo> io() const {
    return makeVolumeIo(fs::path(builtProgram("sscope")).parent_path() / "sscope-reader");
  }
};

}  // namespace

TEST_CASE("data larger than memory are filtered in slabs, from every format and into every format") {
  const StreamScene scene;
  const auto io = scene.io();
  const Volume input = randomVolume(kShape, ElementType::u8, 1);
  std::vector<std::string> names;
  for (const char* name : {"v.nrrd", "v.nhdr", "v.mha", "v.mhd", "v.nii", "v.vti", "v.raw", "v.json"}) {
    try {
      io->checkWritable(name, kShape, ElementType::u8);
      names.emplace_back(name);
    } catch (const Error&) {
    }
  }
  REQUIRE(names.size() >= 4);
  INFO(Sampling::howToRepeat());
  int compared = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!takes(i % 2, 2, 0)) continue;  // tests/io reads and writes each of them by planes
    const std::string &from = names[i], &to = names[(i + 3) % names.size()];
    CAPTURE(from, to);
    for (const char* folder : {"in", "whole", "slabs"}) {
      fs::remove_all(scene.path(folder));
      fs::create_directory(scene.path(folder));
    }
    io->write(scene.path("in/" + from), input, {});
    scene.ok("filter in/" + from + kGaussian + "whole/" + to);
    const bool verify = compared++ == 0;  // the others have its bytes
    const auto report = scene.streamed("filter in/" + from + kGaussian + "slabs/" + to + (verify ? " --verify" : ""));
    CHECK(report.at("streaming").at("written_bytes") == input.bytes() * 4);
    if (verify) CHECK(report.at("verification").at("verified") == true);
    REQUIRE(filesIn(scene.path("whole")) == filesIn(scene.path("slabs")));
    for (const std::string& file : filesIn(scene.path("whole"))) scene.expectSame("whole/" + file, "slabs/" + file);
  }
  CHECK(compared >= 2);
}

TEST_CASE("a store of OME-Zarr is filtered in slabs into a store, with what its writer holds") {
  const StreamScene scene;
  scene.io()->write(scene.path("in.zarr"), scene.volume("in.nrrd"), {});
  for (const char* name : {"whole", "slabs"}) fs::create_directory(scene.path(name));
  scene.ok("filter in.zarr" + kGaussian + "whole/r.ome.zarr --compress --zarr 0.5");
  static_cast<void>(scene.streamed("filter in.zarr" + kGaussian + "slabs/r.ome.zarr --compress --zarr 0.5"));
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(scene.path("whole"))) {
    if (!entry.is_regular_file()) continue;
    const fs::path relative = fs::relative(entry.path(), scene.path("whole"));
    CHECK(contentOf(entry.path()) == contentOf(scene.path("slabs") / relative));
    ++files;
  }
  CHECK(files > 100);
}

TEST_CASE("in slabs options follow the data by the numbers that they have in memory") {
  const StreamScene scene({256, 256, 240, 1}, ElementType::f32);
  const std::string job = "filter in.nrrd --filter bilateral:radius=1 --engine cpu:scalar -o ";
  const std::string whole = scene.ok(job + "whole.nrrd").err;
  CHECK(contains(whole, "of bilateral follows the data"));
  const auto report = scene.streamed(job + "slabs.nrrd");
  CHECK(contains(whole, report.at("notices").at(0).get<std::string>()));
  CHECK(report.at("streaming").at("read_bytes") >= 2 * 256 * 256 * 240 * 4);  // the look is counted
  scene.expectSame("whole.nrrd", "slabs.nrrd");
}

TEST_CASE("memory that filters need beside data and results counts, too") {
  const StreamScene scene({128, 128, 128, 1});
  // Data and results take 10 MiB, the tensors on the way several times as much.
  const std::string job = "filter in.nrrd --filter coherence:steps=1 --threads 1 --engine cpu:scalar -o ";
  static_cast<void>(scene.streamed(job + "slabs.nrrd", 80));
  scene.ok(job + "whole.nrrd");
  CHECK(scene.volume("slabs.nrrd").value(50, 40, 30) == scene.volume("whole.nrrd").value(50, 40, 30));
}

TEST_CASE("a session is run in slabs where its data are larger than memory") {
  const StreamScene scene;
  scene.write("s.json",
              R"({"schema": "stencilscope.session/1", "data": {"path": "in.nrrd"}, "engine": "cpu:scalar",
    "bank": {"schema": "stencilscope.bank/1", "filters": [{"name": "g", "type": "gaussian", "params": {"sigma": 1.5}}]}})");
  scene.ok("run s.json -o whole.nrrd");
  CHECK(scene.streamed("run s.json -o slabs.nrrd").at("verification").at("verified") == true);
  scene.expectSame("whole.nrrd", "slabs.nrrd");
  scene.refuse("run s.json -o no.nrrd --memory 100K", 1, "give it more with --memory");
  scene.refuse("run s.json --memory 1G", 2, "no file is named");
}

TEST_CASE("compressed data are filtered in slabs, too, under a rule that needs the end first, and into TIFF") {
  const StreamScene scene;
  WriteOptions packed;
  packed.compress = true;
  scene.io()->write(scene.path("packed.nrrd"), scene.volume("in.nrrd"), packed, {});
  const std::string name = hasItk() ? "out.tif" : "out.raw";
  scene.ok("filter packed.nrrd --boundary wrap" + kGaussian + "whole-" + name);
  static_cast<void>(scene.streamed("filter packed.nrrd --boundary wrap" + kGaussian + "slabs-" + name));
  CHECK(scene.text("whole-" + name) == scene.text("slabs-" + name));
}

TEST_CASE("large volumes that fit are done sooner by slabs where results are not written in pieces") {
  if (!hasItk()) SSCOPE_SKIP("this build writes no NIfTI");
  const StreamScene scene({512, 512, 256, 1});  // 64 MiB of u8 and 256 MiB of results
  CHECK(scene.report("filter in.nrrd" + kGaussian + "out.nii").at("streaming").at("slabs") > 1);
  // To be verified as a whole, they are in memory.
  CHECK_FALSE(scene.report("filter in.nrrd --verify" + kGaussian + "whole.nii").contains("streaming"));
  scene.expectSame("out.nii", "whole.nii");
  CHECK_FALSE(scene.report("filter in.nrrd" + kGaussian + "out.nrrd").contains("streaming"));
}

TEST_CASE("data that fit are not streamed, and a bound that is too low names what it takes") {
  const StreamScene scene({64, 64, 32, 1});
  const std::string filter = "filter in.nrrd" + kGaussian;
  CHECK_FALSE(scene.report(filter + "out.nrrd").contains("streaming"));
  scene.refuse(1, {{filter + "no.nrrd --memory 100K", "give it more with --memory"},
                   {filter + "no.nii.gz --memory 100K", "cannot be written by slabs"},
                   {filter + "no.nrrd --memory 100K --compress", "leave --compress out"}});
  for (const std::string size : {"-1", "0", "much", "2X", "1e99G", "nan"})
    scene.refuse(filter + "no.nrrd --memory " + size, 2, "is not a size such as 2G or 512M");
  for (const std::string size : {"1G", "1.5GiB", "900m", "1073741824", "1TB"})
    scene.ok(filter + "out.nrrd --memory " + size);
}

TEST_CASE("a change of the file while it is streamed is an error, and leaves no result") {
  const struct {
    const char* part;
    std::function<void(const fs::path&)> change;
  } rows[] = {
      {"was removed", [](const fs::path& file) { fs::remove(file); }},
      {"grew", [](const fs::path& file) { std::ofstream(file, std::ios::app) << "more"; }},
      {"became shorter", [](const fs::path& file) { fs::resize_file(file, fs::file_size(file) / 2); }},
  };
  for (const auto& row : rows) {
    CAPTURE(row.part);
    const StreamScene scene;
    // Many slabs, each of a second or less.
    Running running = scene.start(
        "filter in.nrrd -o out.nrrd --filter gaussian:sigma=1 --variant dense --engine cpu:scalar --threads 1" +
        kLittle);
    running.waitUntilBusy();
    row.change(scene.path("in.nrrd"));
    expectRefusal(running.finish(), 1, row.part);
    for (const std::string& file : scene.files()) CHECK(file == "in.nrrd");
  }
}

TEST_CASE("Ctrl-C stops a streamed run, and leaves no file") {
  const StreamScene scene;
  Running running = scene.start(
      "filter in.nrrd -o out.nrrd --filter gaussian:sigma=8 --variant dense --engine cpu:scalar --memory 120M");
  expectNothingLeft(running, scene.folder());
}

TEST_CASE("a truncated file and a folder that is read-only are refused before anything is streamed") {
  const StreamScene scene;
  if (::geteuid() != 0) {
    const fs::path locked = scene.path("locked");
    fs::create_directory(locked);
    fs::permissions(locked, fs::perms::owner_read | fs::perms::owner_exec);
    scene.refuse("filter in.nrrd" + kGaussian + "locked/out.nrrd" + kLittle, 1, "the folder is not writable");
    fs::permissions(locked, fs::perms::owner_all);
  }
  fs::resize_file(scene.path("in.nrrd"), fs::file_size(scene.path("in.nrrd")) - 1000);
  scene.refuse("filter in.nrrd" + kGaussian + "out.nrrd" + kLittle, 1, "it is cut off");
}
