// What a reader in a file's hands can do: decode, and nothing else.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include "core/io/any/locate.h"
#include "core/io/stream/reader_process.h"
#include "tests/support/catch.h"
#include "tests/support/environment.h"
#include "tests/support/programs.h"
#include "tests/support/support.h"

namespace sscope {

namespace {

namespace fs = std::filesystem;

// What the fake decoder notices, "name: value".
std::vector<std::string> noticesOf(const fs::path& path,
                                   const std::string& program = test::builtProgram("fake_reader")) {
  return io::readInProcess(program, path.string(), false, {}, {}).info.notices;
}

std::optional<std::string> valueOf(const std::vector<std::string>& notices, const std::string& name) {
  for (const std::string& notice : notices)
    if (notice.starts_with(name + ": ")) return notice.substr(name.size() + 2);
  return std::nullopt;
}

void put(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

std::vector<fs::path> needed(const fs::path& path) { return io::neededFor(io::openInput(path.string())); }

}  // namespace

TEST_CASE_METHOD(test::InFolder, "a decoder in a file's hands gets nowhere") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  // The attempt to run a program would succeed there, and nothing would be left to tell of the others.
  SSCOPE_SKIP("the sanitizers leave readers unconfined");
#else
  put(folder / "escape", "to be read");
  put(folder / "beside", "not to be read");
  const std::vector<std::string> outcome = noticesOf(folder / "escape");
  CHECK(valueOf(outcome, "its own file") == "allowed");
  const bool files = valueOf(outcome, "files confined") == "yes";
  const bool calls = valueOf(outcome, "system calls confined") == "yes";
  if (!files && !calls) SSCOPE_SKIP("this system or this build confines nothing");
  for (const std::string& one : outcome) {
    const bool ofFiles = one.starts_with("a file") || one.starts_with("listing") || one.starts_with("memory of");
    if (one.starts_with("its own file") || one.find("confined") != std::string::npos) continue;
    // Each is kept by one of the two at least; opening for reading by Landlock alone.
    if (ofFiles ? files : calls) CHECK_THAT(one, EndsWith(": refused"));
  }
  CHECK(outcome.size() > 20);
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 2);
#endif
}

TEST_CASE_METHOD(test::InFolder, "without a sandbox the same attempts succeed: they are real") {
  put(folder / "escape", "to be read");
  put(folder / "beside", "not to be read");
  try {
    // One of the attempts replaces the reader by another program.
    const std::vector<std::string> outcome = noticesOf(folder / "escape", test::builtProgram("free_reader"));
    FAIL("the attempt to run a program was refused");
  } catch (const Error& error) {
    CHECK_THAT(error.what(), ContainsSubstring("the decoder crashed"));
  }
  // What those before it did: the file was made, then replaced by the one that was renamed, or removed.
  CHECK(fs::exists(fs::symlink_status(folder / "made")));
  CHECK_FALSE(fs::exists(folder / "beside"));
}

TEST_CASE("a reader has clean surroundings and limits on everything") {
  const test::Variable secret("SSCOPE_TEST_SECRET", "swordfish"), words("LC_ALL", "C");
  const int leaked = ::open("/dev/null", O_RDONLY);  // not closed when a program starts
  const std::vector<std::string> found = noticesOf("surroundings");
  ::close(leaked);
  bool locale = false;
  for (const std::string& one : found) {
    CHECK_THAT(one, !ContainsSubstring("swordfish") && !StartsWith("variable: HOME") && !StartsWith("variable: PATH"));
    locale = locale || one == "variable: LC_ALL=C";
  }
  CHECK(locale);
  CHECK(valueOf(found, "open") == "0 1 2 3 4");
  CHECK(valueOf(found, "core") == "0");
  CHECK(valueOf(found, "descriptors") == "64");
  CHECK(valueOf(found, "file") == "0");  // its memory has its size by now
  CHECK(std::stod(valueOf(found, "seconds").value()) < 1e6);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  SSCOPE_SKIP("the sanitizers need threads and all the address space");
#else
  CHECK(valueOf(found, "processes") == "0");
  CHECK(valueOf(found, "memory") != "unlimited");
#endif
}

TEST_CASE_METHOD(test::InFolder, "a decoder may read what was asked for and what belongs to it") {
  const std::string attached = "NRRD0004\ntype: uint8\ndimension: 1\nsizes: 1\nencoding: raw\n\nx";
  std::string detached = attached;
  detached.insert(9, "data file: v.raw\n");
  put(folder / "a.nrrd", attached);
  put(folder / "d.nhdr", detached);
  put(folder / "m.mha", "ObjectType = Image\nNDims = 1\nDimSize = 1\nElementDataFile = LOCAL\nx");
  put(folder / "m.mhd",
      "ObjectType = Image\nNDims = 1\nDimSize = 1\nElementType = MET_UCHAR\nElementDataFile = m.raw\n");
  put(folder / "r.raw", "x");
  put(folder / "p.png", "\x89PNG\r\n\x1a\n");
  const std::vector<fs::path> all = {folder.path()};
  for (const char* alone : {"a.nrrd", "m.mha", "p.png", "missing.nrrd"})
    CHECK(needed(folder / alone) == std::vector<fs::path>{folder / alone});
  for (const char* more : {"d.nhdr", "r.raw", "slice_%03d.png", "*.png"}) CHECK(needed(folder / more) == all);
  if (test::hasItk()) CHECK(needed(folder / "m.mhd") == all);  // else no build reads it
  CHECK(needed(folder.path()) == all);
  CHECK(needed("slice_*.png") == std::vector<fs::path>{"."});
}

}  // namespace sscope
