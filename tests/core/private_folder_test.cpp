// Where compiled code is kept between runs, nobody else may put some; and texts that never end are refused.

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <optional>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "tests/support/catch.h"
#include "tests/support/environment.h"
#include "tests/support/support.h"

namespace sscope {

namespace fs = std::filesystem;

namespace {

mode_t modeOf(const fs::path& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 0777;
}

}  // namespace

TEST_CASE_METHOD(test::InFolder, "a private folder is its user's alone") {
  const fs::path mine = folder / "a/b/mine";
  CHECK_FALSE(isPrivateFolder(mine));
  makePrivateFolder(mine);
  CHECK(modeOf(mine) == 0700);
  CHECK(isPrivateFolder(mine));
  // What others may read is closed; what they may have written is not trusted.
  ::chmod(mine.c_str(), 0755);
  makePrivateFolder(mine);
  CHECK(modeOf(mine) == 0700);
  for (const mode_t open : {0777, 0770, 0702, 01777}) {
    ::chmod(mine.c_str(), open);
    CHECK_FALSE(isPrivateFolder(mine));
    CHECK_THROWS_WITH(makePrivateFolder(mine),
                      ContainsSubstring("other users may write to it") && ContainsSubstring("XDG_CACHE_HOME"));
    CHECK(modeOf(mine) == (open & 0777));
  }
  std::ofstream(folder / "file") << "no folder";
  CHECK_THROWS_AS(makePrivateFolder(folder / "file"), Error);
  CHECK_FALSE(isPrivateFolder(folder / "file"));
}

TEST_CASE_METHOD(test::InFolder,
                 "a private folder may be behind a link of one's own, and in no place where all may replace it") {
  makePrivateFolder(folder / "there");
  fs::create_directory_symlink("there", folder / "link");
  CHECK_NOTHROW(makePrivateFolder(folder / "link"));
  fs::create_directory(folder / "open");
  ::chmod((folder / "open").c_str(), 0777);
  CHECK_THROWS_WITH(makePrivateFolder(folder / "open/mine"), ContainsSubstring("every user may replace it"));
  ::chmod((folder / "open").c_str(), 01777);  // as /tmp is
  CHECK_NOTHROW(makePrivateFolder(folder / "open/mine"));
}

TEST_CASE_METHOD(test::InFolder, "a folder or link of somebody else is not used") {
  if (::geteuid() != 0) SSCOPE_SKIP("only root can give folders away");
  constexpr uid_t kNobody = 65534;
  fs::create_directory(folder / "theirs");
  REQUIRE(::chown((folder / "theirs").c_str(), kNobody, kNobody) == 0);
  CHECK_FALSE(isPrivateFolder(folder / "theirs"));
  CHECK_THROWS_WITH(makePrivateFolder(folder / "theirs"), ContainsSubstring("belongs to another user"));
  makePrivateFolder(folder / "mine");
  fs::create_directory_symlink("mine", folder / "link");
  REQUIRE(::lchown((folder / "link").c_str(), kNobody, kNobody) == 0);
  CHECK_THROWS_WITH(makePrivateFolder(folder / "link"), ContainsSubstring("link that belongs to another user"));
}

TEST_CASE_METHOD(test::InFolder, "without a home the cache has a name of its user's own in the temporary folder") {
  const test::Variable cache("XDG_CACHE_HOME", std::nullopt), home("HOME", std::nullopt);
  const test::Variable temporary("TMPDIR", folder.path().string());
  const fs::path expected = folder / ("stencilscope-" + std::to_string(::geteuid()));
  CHECK(cacheDirectory() == expected);
  CHECK(modeOf(expected) == 0700);
  ::chmod(expected.c_str(), 0777);
  CHECK_THROWS_WITH(cacheDirectory(), ContainsSubstring("other users may write to it"));
  const test::Variable other("XDG_CACHE_HOME", (folder / "cache").string());
  CHECK(cacheDirectory() == folder / "cache/stencilscope");
  CHECK(modeOf(folder / "cache/stencilscope") == 0700);
}

TEST_CASE_METHOD(test::InFolder, "text files are read up to a limit") {
  writeTextFile(folder / "four", "four");
  CHECK(readTextFile(folder / "four", 4) == "four");
  CHECK_THROWS_WITH(readTextFile(folder / "four", 3), ContainsSubstring("larger than"));
  CHECK_THROWS_WITH(readTextFile("/dev/zero"),
                    ContainsSubstring("/dev/zero") && ContainsSubstring("larger than 64 MiB"));
  writeTextFile(folder / "empty", "");
  CHECK(readTextFile(folder / "empty").empty());
  CHECK_THROWS_AS(readTextFile(folder.path()), Error);
}

}  // namespace sscope
