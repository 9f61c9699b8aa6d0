// The magic filter and denoising of data larger than the memory that they may use.
#include <filesystem>
#include <thread>

#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;

namespace {

// 8 MiB of u8, which takes 13 or 17 times that in memory.
struct TallScene : Scene {
  TallScene() : Scene(randomVolume({112, 112, 672, 1}, ElementType::u8, 1)) {}
  // A run with little memory, which has the bytes of one with all of it.
  [[nodiscard]] nlohmann::json same(const std::string& line, bool verify) const {
    ok(line + " -o whole.nrrd");
    nlohmann::json slabs = report(line + " -o slabs.nrrd --memory 100M" + (verify ? " --verify" : ""));
    REQUIRE(slabs.contains("streaming"));
    CHECK(slabs.at("streaming").at("slabs") > 1);
    // Each thread has a stack.
    CHECK(slabs.at("streaming").at("peak_resident") <= (std::int64_t{100} + std::thread::hardware_concurrency()) << 20);
    if (verify) CHECK(slabs.at("verification").at("verified") == true);
    CHECK(contentButVerified(path("whole.nrrd")) == contentButVerified(path("slabs.nrrd")));
    return slabs;
  }
};

}  // namespace

TEST_CASE("transforms of data larger than memory are computed in slabs") {
  const TallScene scene;
  CHECK(scene.same("magic forward in.nrrd --threads 2", true).at("order") == 8);
  CHECK(scene.same("magic inverse in.nrrd --boundary free --threads 2", true).at("order") == 8);
  CHECK(scene.same("magic forward in.nrrd --taps kinetic --threads 2", false).at("taps").size() == 29);
  // Denoising, where the threshold is known.
  const std::string denoise = "dwt denoise in.nrrd --levels 2 --threads 2";
  const auto report = scene.same(denoise + " --sigma 3 --rule visu", false);
  CHECK(report.at("threshold") > 3);
  CHECK(report.at("rule") == "visu");
  CHECK(scene.same(denoise + " --threshold 7 --mode hard --wavelet haar", true).at("threshold") == 7);
}

TEST_CASE("slabs that are planned and too thick take no memory") {
  const TallScene scene;
  // The first slabs that are tried are within what is allowed or beyond it, by the size of the program.
  for (std::int64_t mebibytes = 90; mebibytes <= 130; mebibytes += 10) {
    CAPTURE(mebibytes);
    const auto report = scene.report(
        "magic inverse in.nrrd --boundary free --threads 2 --engine cpu:scalar -o o.nrrd "
        "--memory " +
        std::to_string(mebibytes) + "M");
    REQUIRE(report.contains("streaming"));
    CHECK(report.at("streaming").at("peak_resident") <= mebibytes << 20);
  }
}

TEST_CASE("transforms that cannot be computed in slabs name the reason, and leave nothing") {
  const TallScene scene;
  scene.refuse(1, {{"dwt forward in.nrrd -o o.nrrd --memory 90M", "the coefficients of every level are spread"},
                   {"dwt denoise in.nrrd -o o.nrrd --memory 90M", "give --threshold, or --sigma with --rule visu"},
                   {"dwt denoise in.nrrd -o o.nrrd --memory 90M --threshold 1 --shifts 1", "leave --shifts out"},
                   {"magic forward in.nrrd -o o.nii.gz --memory 90M", ".nii.gz"},
                   {"magic forward in.nrrd -o o.nrrd --memory 90M --compress", "leave --compress out"},
                   {"magic forward in.nrrd -o o.nrrd --memory 1M", "give it more with --memory"},
                   {"magic forward in.nrrd -o none/o.nrrd --memory 100M", "none"}});
  std::filesystem::resize_file(scene.path("in.nrrd"), std::filesystem::file_size(scene.path("in.nrrd")) - 1000);
  scene.refuse("magic forward in.nrrd -o o.nrrd --memory 100M", 1, "it is cut off");
}

TEST_CASE("a change of the file and Ctrl-C stop a streamed transform") {
  const TallScene scene;
  // Many taps, so that a fast machine is still at it.
  const Scene other{Scene::Empty()};
  std::string taps;
  for (int i = 0; i < 64; ++i) taps += "0.015625\n";
  other.write("taps.txt", taps);
  const std::string slow =
      "magic forward in.nrrd -o out.nrrd --memory 100M --engine cpu:scalar --variant simple "
      "--threads 1 --taps " +
      other.path("taps.txt");
  {
    Running running = scene.start(slow);
    expectNothingLeft(running, scene.folder());
  }
  Running running = scene.start(slow);
  running.waitUntilBusy();
  std::filesystem::resize_file(scene.path("in.nrrd"), std::filesystem::file_size(scene.path("in.nrrd")) / 2);
  expectRefusal(running.finish(), 1, "became shorter");
  CHECK(scene.files() == std::vector<std::string>{"in.nrrd"});
}
