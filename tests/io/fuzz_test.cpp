// Damaged files of every format: an error in one sentence or a volume that can be read to its last byte, nothing else.

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iostream>
#include <mutex>
#include <thread>

#include "core/io/volume_io.h"
#include "tests/io/io_support.h"
#include "tests/io/mutation.h"
#include "tests/io/tiny_files.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

namespace sscope {

namespace {

namespace fs = std::filesystem;

struct Mutation {
  std::string name;  // of the file
  std::string content;
};

// Empty when the outcome is one of the two that are right.
std::string wrongOutcome(VolumeIo& io, const fs::path& path) {
  try {
    const LoadedVolume loaded = io.read(path.string(), {});
    const Volume& volume = loaded.volume;
    const VolumeShape& s = volume.shape();
    if (s.nx < 1 || s.ny < 1 || s.nz < 1 || s.components < 1) return "it has the shape " + s.text();
    for (const double spacing : volume.geometry().spacing)
      if (!(spacing > 0)) return "its spacing is " + std::to_string(spacing);
    // A voxel whose memory is not there takes this program down.
    static_cast<void>(statistics(volume));
    return {};
  } catch (const Error& error) {
    return test::isOneSentence(error.what()) ? std::string()
                                             : "its error is not one sentence: " + std::string(error.what());
  }
}

struct Outcome {
  int tried = 0;
  std::vector<std::string> wrong;
};

// Two at a time: most of the time goes into starting readers.
Outcome tryAll(const std::vector<Mutation>& mutations) {
  const auto io = makeVolumeIo();
  const test::TemporaryFolder folder;
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  Outcome outcome;
  const auto work = [&] {
    for (std::size_t i = next++; i < mutations.size(); i = next++) {
      const fs::path own = folder / std::to_string(i);
      fs::create_directory(own);
      std::ofstream(own / mutations[i].name, std::ios::binary) << mutations[i].content;
      const std::string wrong = wrongOutcome(*io, own / mutations[i].name);
      fs::remove_all(own);
      const std::lock_guard lock(mutex);
      ++outcome.tried;
      if (!wrong.empty()) outcome.wrong.push_back(mutations[i].name + " number " + std::to_string(i) + ": " + wrong);
    }
  };
  {
    std::jthread other(work);
    work();
  }
  return outcome;
}

// At least `count`, of tiny files of every format; others for each seed.
std::vector<Mutation> damagedFiles(std::size_t count) {
  const auto io = makeVolumeIo();
  const test::TemporaryFolder folder;
  const std::vector<fs::path> files = test::writeTinyFiles(*io, folder.path());
  const std::size_t each = count / files.size() + 1;
  std::vector<Mutation> mutations;
  for (std::size_t f = 0; f < files.size(); ++f) {
    const std::string whole = test::contentOf(files[f]);
    CAPTURE(files[f].filename().string());
    REQUIRE(wrongOutcome(*io, files[f]).empty());
    for (std::size_t n = 0; n < each; ++n)
      mutations.push_back({files[f].filename().string(),
                           test::mutated(whole, static_cast<std::uint32_t>(1000 * f + n) +
                                                    7919 * static_cast<std::uint32_t>(test::Sampling::ofRun().seed))});
  }
  return mutations;
}

}  // namespace

TEST_CASE("damaged files of every format end in a sentence or a volume") {
  INFO(test::Sampling::howToRepeat());
  // A reader is started for each; those that decode them here are in tests/sanitized, ten thousand of them.
  const std::size_t count = test::takesAll() ? 540 : 100;
  const Outcome outcome = tryAll(damagedFiles(count));
  CHECK(outcome.tried >= static_cast<int>(count));
  for (const std::string& wrong : outcome.wrong) FAIL_CHECK(wrong);
}

TEST_CASE("ten thousand damaged files end in a sentence or a volume", "[.][long]") {
  const Outcome outcome = tryAll(damagedFiles(10'000));
  CHECK(outcome.tried >= 10'000);
  std::cout << outcome.tried << " damaged files, " << outcome.wrong.size() << " wrong outcomes\n";
  for (const std::string& wrong : outcome.wrong) FAIL_CHECK(wrong);
}

TEST_CASE("damaged copies of the odd files end in a sentence or a volume") {
  const auto shared = test::sharedData();
  if (!shared || !fs::is_directory(*shared / "volumes" / "odd")) SSCOPE_SKIP("there are no shared files");
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(*shared / "volumes" / "odd"))
    if (entry.is_regular_file() && entry.file_size() > 0 && entry.file_size() < 64 << 10) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Mutation> mutations;
  for (std::size_t f = 0; f < files.size(); ++f)
    mutations.push_back(
        {files[f].filename().string(), test::mutated(test::contentOf(files[f]), static_cast<std::uint32_t>(f))});
  const Outcome outcome = tryAll(mutations);
  CHECK(outcome.tried == static_cast<int>(files.size()));
  for (const std::string& wrong : outcome.wrong) FAIL_CHECK(wrong);
}

}  // namespace sscope
