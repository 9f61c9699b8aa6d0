// The magic filter and denoising of data larger than the memory that they may use.
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;

namespace {

// 8 MiB of u8, which takes 13 or 17 times that in memory.
const VolumeShape kTall{112, 112, 672, 1};
constexpr const char* kAllowed = "100M";

std::string tallData(const TemporaryFolder& folder) {
  std::string in = folder / "in.nrrd";
  writeNrrd(in, randomVolume(kTall, ElementType::u8, 1));
  return in;
}

// What is computed with little memory has the bytes of what is computed with all of it.
nlohmann::json requireSameFiles(const TemporaryFolder& folder, const Arguments& arguments, bool verify) {
  REQUIRE(run(joined(arguments, {"-o", folder / "whole.nrrd"})).status == 0);
  Arguments little = joined(arguments, {"-o", folder / "slabs.nrrd", "--memory", kAllowed});
  if (verify) little.emplace_back("--verify");
  nlohmann::json report = reportOf(little);
  REQUIRE(report.contains("streaming"));
  CHECK(report.at("streaming").at("slabs") > 1);
  // Each thread has a stack.
  CHECK(report.at("streaming").at("peak_resident") <= (std::int64_t{100} + std::thread::hardware_concurrency()) << 20);
  if (verify) CHECK(report.at("verification").at("verified") == true);
  CHECK(contentButVerified(folder / "whole.nrrd") == contentButVerified(folder / "slabs.nrrd"));
  return report;
}

}  // namespace

TEST_CASE("the magic filter of data larger than memory is computed in slabs") {
  const TemporaryFolder folder;
  const std::string in = tallData(folder);
  CHECK(requireSameFiles(folder, {"magic", "forward", in, "--threads", "2"}, true).at("order") == 8);
  requireSameFiles(folder, {"magic", "inverse", in, "--boundary", "free", "--threads", "2"}, true);
  CHECK(requireSameFiles(folder, {"magic", "forward", in, "--taps", "kinetic", "--threads", "2"}, false)
            .at("taps")
            .size() == 29);
}

TEST_CASE("slabs that are planned and too thick have taken no memory") {
  const TemporaryFolder folder;
  const std::string in = tallData(folder);
  // The first slabs that are tried are within what is allowed or beyond it, by the size of the program.
  for (std::int64_t mebibytes = 90; mebibytes <= 130; mebibytes += 10) {
    CAPTURE(mebibytes);
    const auto report =
        reportOf({"magic", "inverse", in, "--boundary", "free", "--threads", "2", "--engine", "cpu:scalar", "-o",
                  folder / "out.nrrd", "--memory", std::to_string(mebibytes) + "M"});
    REQUIRE(report.contains("streaming"));
    CHECK(report.at("streaming").at("peak_resident") <= mebibytes << 20);
  }
}

TEST_CASE("data larger than memory are denoised in slabs where the threshold is known") {
  const TemporaryFolder folder;
  const std::string in = tallData(folder);
  const Arguments denoise{"dwt", "denoise", in, "--levels", "2", "--threads", "2"};
  const auto report = requireSameFiles(folder, joined(denoise, {"--sigma", "3", "--rule", "visu"}), false);
  CHECK(report.at("threshold") > 3);
  CHECK(report.at("rule") == "visu");
  CHECK(requireSameFiles(folder, joined(denoise, {"--threshold", "7", "--mode", "hard", "--wavelet", "haar"}), true)
            .at("threshold") == 7);
}

TEST_CASE("transforms that cannot be computed in slabs say why, and leave nothing") {
  const TemporaryFolder folder;
  const std::string in = tallData(folder);
  const std::string out = folder / "out.nrrd";
  const auto refused = [&](const Arguments& arguments, const std::string& words) {
    expectRefusal(joined(arguments, {in, "-o", out, "--memory", "90M"}), 1, words);
  };
  refused({"dwt", "forward"}, "the coefficients of every level are spread");
  refused({"dwt", "denoise"}, "give --threshold, or --sigma with --rule visu");
  refused({"dwt", "denoise", "--threshold", "1", "--shifts", "1"}, "leave --shifts out");
  expectRefusal({"magic", "forward", in, "-o", folder / "out.nii.gz", "--memory", "90M"}, 1, ".nii.gz");
  expectRefusal({"magic", "forward", in, "-o", out, "--memory", "90M", "--compress"}, 1, "leave --compress out");
  expectRefusal({"magic", "forward", in, "-o", out, "--memory", "1M"}, 1, "give it more with --memory");
  expectRefusal({"magic", "forward", in, "-o", folder / "none" / "out.nrrd", "--memory", kAllowed}, 1, "none");
  std::filesystem::resize_file(in, std::filesystem::file_size(in) - 1000);
  expectRefusal({"magic", "forward", in, "-o", out, "--memory", kAllowed}, 1, "it is cut off");
  CHECK(filesIn(folder.path()) == std::vector<std::string>{"in.nrrd"});
}

TEST_CASE("a streamed transform hears of what happens to its file, and of Ctrl-C") {
  const TemporaryFolder folder;
  const std::string in = tallData(folder);
  // Many taps, so that a fast machine is still at it.
  const TemporaryFolder other;
  std::ofstream taps(other / "taps.txt");
  for (int i = 0; i < 64; ++i) taps << "0.015625\n";
  taps.close();
  const Arguments slow{
      "magic",  "forward",          in,         "-o",         folder / "out.nrrd", "--memory", kAllowed,
      "--taps", other / "taps.txt", "--engine", "cpu:scalar", "--variant",         "simple",   "--threads",
      "1"};
  {
    Running running(slow);
    expectNothingLeft(running, folder.path());
  }
  Running running(slow);
  running.waitUntilBusy();
  std::filesystem::resize_file(in, std::filesystem::file_size(in) / 2);
  const Outcome outcome = running.finish();
  INFO(outcome.err);
  CHECK(outcome.status == 1);
  CHECK(contains(outcome.err, "became shorter"));
  CHECK(lineCount(outcome.err) == 1);
  CHECK(filesIn(folder.path()) == std::vector<std::string>{"in.nrrd"});
}
