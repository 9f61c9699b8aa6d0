// Damaged files of every format: an error in one sentence or a volume that can be read to its last byte, nothing else.

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <mutex>
#include <random>
#include <thread>

#include "core/io/volume_io.h"
#include "tests/io/io_support.h"
#include "tests/io/tiny_files.h"
#include "tests/support/support.h"

namespace sscope {

namespace {

namespace fs = std::filesystem;

// Mostly headers: that is where decoders trip.
std::size_t placeIn(const std::string& content, std::mt19937& random) {
  return random() % (random() % 4 == 0 ? content.size() : std::min<std::size_t>(content.size(), 400));
}

void flipBytes(std::string& content, std::mt19937& random) {
  for (unsigned n = 1 + random() % 8; n > 0; --n) content[placeIn(content, random)] = static_cast<char>(random());
}

void truncate(std::string& content, std::mt19937& random) { content.resize(1 + random() % content.size()); }

// Another number in place of a written one, or of two, four or eight bytes.
void changeNumber(std::string& content, std::mt19937& random) {
  const std::size_t at = placeIn(content, random);
  const std::size_t digit = content.find_first_of("0123456789", at);
  if (random() % 2 == 0 && digit < at + 64) {
    const char* const kNumbers[] = {"0", "-1", "1e30", "65536", "4294967297", "99999999999999999999", "nan", ""};
    const std::size_t end = content.find_first_not_of("0123456789", digit);
    content.replace(digit, (end == std::string::npos ? content.size() : end) - digit, kNumbers[random() % 8]);
    return;
  }
  const std::int64_t kNumbers[] = {0, -1, 1, 0x7f, 0xffff, 0x7fffffff, 0x100000000, INT64_MIN};
  const std::int64_t number = kNumbers[random() % 8];
  const std::size_t size = std::size_t{2} << random() % 3;
  for (std::size_t i = 0; i < size && at + i < content.size(); ++i)
    content[at + i] = static_cast<char>(number >> (8 * i));
}

std::string mutated(std::string content, std::uint32_t seed) {
  std::mt19937 random(seed);
  switch (seed % 3) {
    case 0: flipBytes(content, random); break;
    case 1: changeNumber(content, random); break;
    default:
      truncate(content, random);
      if (random() % 2 == 0) changeNumber(content, random);
  }
  return content;
}

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

}  // namespace

TEST_CASE("damaged files of every format end in a sentence or a volume") {
  const auto io = makeVolumeIo();
  const test::TemporaryFolder folder;
  const std::vector<fs::path> files = test::writeTinyFiles(*io, folder.path());
  const int each = static_cast<int>(540 / files.size()) + 1;
  std::vector<Mutation> mutations;
  for (std::size_t f = 0; f < files.size(); ++f) {
    const std::string whole = test::contentOf(files[f]);
    CAPTURE(files[f].filename().string());
    REQUIRE(wrongOutcome(*io, files[f]).empty());
    for (int n = 0; n < each; ++n)
      mutations.push_back({files[f].filename().string(),
                           mutated(whole, static_cast<std::uint32_t>(1000 * f) + static_cast<std::uint32_t>(n))});
  }
  const Outcome outcome = tryAll(mutations);
  CHECK(outcome.tried >= 500);
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
        {files[f].filename().string(), mutated(test::contentOf(files[f]), static_cast<std::uint32_t>(f))});
  const Outcome outcome = tryAll(mutations);
  CHECK(outcome.tried == static_cast<int>(files.size()));
  for (const std::string& wrong : outcome.wrong) FAIL_CHECK(wrong);
}

}  // namespace sscope
