// How files are replaced.

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <span>
#include <vector>

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/paths.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
namespace fs = std::filesystem;

namespace {

mode_t modeOf(const fs::path& file) {
  struct stat status {};
  REQUIRE(::stat(file.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

std::vector<std::string> partsIn(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().starts_with(".part-")) names.push_back(entry.path().filename().string());
  return names;
}

// A process that begins to write `target` and is killed in the middle of it.
void killWhileWriting(const fs::path& target) {
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    writeAtomically(target, [&](const fs::path& temporary) {
      std::ofstream(temporary) << "half" << std::flush;
      static_cast<void>(!::write(ready[1], "x", 1));
      for (;;) ::pause();
    });
    ::_exit(0);
  }
  char byte = 0;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ::close(ready[0]);
  ::close(ready[1]);
}

}  // namespace

TEST_CASE_METHOD(test::InFolder, "a file that is replaced keeps its mode, and a new one has the usual one") {
  const mode_t mask = ::umask(022);
  writeTextFile(folder / "new.txt", "one");
  CHECK(modeOf(folder / "new.txt") == 0644);
  for (const mode_t mode : {0640, 0600, 0664, 0755}) {
    REQUIRE(::chmod((folder / "new.txt").c_str(), mode) == 0);
    writeTextFile(folder / "new.txt", "two");
    CHECK(modeOf(folder / "new.txt") == mode);
  }
  fs::create_symlink("new.txt", folder / "link");
  REQUIRE(::chmod((folder / "new.txt").c_str(), 0600) == 0);
  writeTextFile(folder / "link", "three");
  CHECK(modeOf(folder / "new.txt") == 0600);
  CHECK(readTextFile(folder / "new.txt") == "three");
  ::umask(mask);
}

TEST_CASE_METHOD(test::InFolder,
                 "what replaces a file that others may not read is not theirs to read while it is written") {
  const mode_t mask = ::umask(022);
  writeTextFile(folder / "a.txt", "one");
  REQUIRE(::chmod((folder / "a.txt").c_str(), 0600) == 0);
  writeAtomically(folder / "a.txt", [&](const fs::path& temporary) {
    CHECK(modeOf(temporary) == 0600);
    fs::remove(folder / "a.txt");  // what was replaced may be gone by then
  });
  CHECK(modeOf(folder / "a.txt") == 0600);
  ::umask(mask);
}

TEST_CASE_METHOD(test::InFolder, "a file that was put in the place of a temporary one is not taken for it") {
  writeTextFile(folder / "victim", "precious");
  writeTextFile(folder / "a.txt", "one");
  CHECK_THROWS_AS(writeAtomically(folder / "a.txt",
                                  [&](const fs::path& temporary) {
                                    fs::remove(temporary);
                                    fs::create_symlink("victim", temporary);
                                  }),
                  Error);
  CHECK(readTextFile(folder / "a.txt") == "one");
  CHECK(readTextFile(folder / "victim") == "precious");
  CHECK(partsIn(folder.path()).empty());
}

TEST_CASE_METHOD(test::InFolder, "a link that leads nowhere is refused, and nothing is made there") {
  fs::create_symlink("gone.txt", folder / "link");
  CHECK_THROWS_WITH(checkTarget(folder / "link"),
                    ContainsSubstring("a symbolic link to gone.txt, which does not exist"));
  CHECK_THROWS_AS(writeTextFile(folder / "link", "x"), Error);
  CHECK(fs::is_symlink(folder / "link"));
  CHECK_FALSE(fs::exists(folder / "gone.txt"));
  writeTextFile(folder / "gone.txt", "one");
  writeTextFile(folder / "link", "two");
  CHECK(readTextFile(folder / "gone.txt") == "two");
  CHECK(fs::is_symlink(folder / "link"));
}

TEST_CASE_METHOD(test::InFolder, "where one of several files cannot get its name, the others give theirs back") {
  writeTextFile(folder / "a", "old");
  HeldNames names;
  for (const char* name : {"a", "b", "c"})
    writeAtomically(
        folder / name, [](const fs::path& temporary) { std::ofstream(temporary) << "new"; }, &names);
  fs::create_directories(folder / "c" / "in the way");
  CHECK_THROWS_WITH(names.commit(), ContainsSubstring("/c") && !ContainsSubstring("replaced"));
  CHECK(readTextFile(folder / "a") == "old");
  CHECK_FALSE(fs::exists(folder / "b"));
}

TEST_CASE_METHOD(test::InFolder, "who is asked before files get their names can keep them all from it") {
  writeTextFile(folder / "a", "old");
  std::vector<fs::path> seen;
  const auto write = [&](bool allowed) {
    askBeforeNames([&](std::span<const fs::path> targets) {
      seen.assign(targets.begin(), targets.end());
      if (!allowed) throw Canceled();
    });
    HeldNames names;
    for (const char* name : {"a", "b"})
      writeAtomically(
          folder / name, [](const fs::path& temporary) { std::ofstream(temporary) << "new"; }, &names);
    names.commit();
  };
  CHECK_THROWS_AS(write(false), Canceled);
  CHECK(seen == std::vector<fs::path>{folder / "a", folder / "b"});
  CHECK(readTextFile(folder / "a") == "old");
  CHECK_FALSE(fs::exists(folder / "b"));
  CHECK_THROWS_AS(writeTextFile(folder / "a", "x"), Canceled);
  CHECK(partsIn(folder.path()).empty());
  write(true);
  askBeforeNames(nullptr);
  for (const char* name : {"a", "b"}) CHECK(readTextFile(folder / name) == "new");
}

TEST_CASE_METHOD(test::InFolder, "files of one job get their names together, or none does") {
  for (const char* name : {"a", "b"}) writeTextFile(folder / name, "old");
  const auto write = [&](HeldNames& names, const char* name, bool fails) {
    writeAtomically(
        folder / name,
        [&](const fs::path& temporary) {
          std::ofstream(temporary) << "new";
          if (fails) throw Error(ErrorKind::Io, "the disk is full");
        },
        &names);
  };
  {
    HeldNames names;
    write(names, "a", false);
    CHECK_THROWS_AS(write(names, "b", true), Error);
    CHECK(partsIn(folder.path()).size() == 1);
  }
  CHECK(readTextFile(folder / "a") == "old");
  CHECK(partsIn(folder.path()).empty());
  HeldNames names;
  write(names, "a", false);
  write(names, "b", false);
  CHECK(readTextFile(folder / "a") == "old");
  names.commit();
  for (const char* name : {"a", "b"}) CHECK(readTextFile(folder / name) == "new");
  CHECK(partsIn(folder.path()).empty());
}

TEST_CASE_METHOD(test::InFolder, "folders of one job change places with those that were there, or none does") {
  const auto put = [](const fs::path& store, const char* text) {
    fs::create_directories(store / "0");
    std::ofstream(store / ".zgroup") << "{}";
    std::ofstream(store / "0" / ".zarray") << "{}";
    std::ofstream(store / "0" / "text") << text;
  };
  put(folder / "a.zarr", "old");
  const auto write = [&](HeldNames& names) {
    for (const char* name : {"a.zarr", "b.zarr"}) {
      AtomicFile file(folder / name, AtomicFile::Kind::Folder);
      put(file.temporary(), "new");
      file.commit(&names);
    }
  };
  {
    HeldNames names;
    write(names);
    CHECK(readTextFile(folder / "a.zarr/0/text") == "old");
    fs::create_directories(folder / "b.zarr" / "in the way");
    CHECK_THROWS_WITH(names.commit(), ContainsSubstring("not a Zarr store") && !ContainsSubstring("replaced"));
    CHECK(readTextFile(folder / "a.zarr/0/text") == "old");
  }
  CHECK(fs::exists(folder / "b.zarr" / "in the way"));
  CHECK(partsIn(folder.path()).empty());
  fs::remove_all(folder / "b.zarr");
  HeldNames names;
  write(names);
  names.commit();
  for (const char* name : {"a.zarr", "b.zarr"}) CHECK(readTextFile(folder / name / "0/text") == "new");
  CHECK(partsIn(folder.path()).empty());
}

TEST_CASE_METHOD(test::InFolder, "a file of another owner keeps its owner where that is allowed") {
  if (::geteuid() != 0) SSCOPE_SKIP("only root may give files away");
  writeTextFile(folder / "a.txt", "one");
  REQUIRE(::chown((folder / "a.txt").c_str(), 12345, 23456) == 0);
  REQUIRE(::chmod((folder / "a.txt").c_str(), 0640) == 0);
  writeTextFile(folder / "a.txt", "two");
  struct stat status {};
  REQUIRE(::stat((folder / "a.txt").c_str(), &status) == 0);
  CHECK(status.st_uid == 12345);
  CHECK(status.st_gid == 23456);
  CHECK((status.st_mode & 0777) == 0640);
}

TEST_CASE_METHOD(test::InFolder, "what a killed process left is removed by the next one that writes this file") {
  writeTextFile(folder / "a.nrrd", "before");
  killWhileWriting(folder / "a.nrrd");
  CHECK(readTextFile(folder / "a.nrrd") == "before");
  REQUIRE(partsIn(folder.path()).size() == 1);
  const std::string left = partsIn(folder.path()).front();
  SECTION("another file of the folder leaves it alone") {
    writeTextFile(folder / "b.nrrd", "other");
    writeTextFile(folder / "2-a.nrrd", "other");
    CHECK(partsIn(folder.path()) == std::vector<std::string>{left});
  }
  SECTION("the same file") {
    writeTextFile(folder / "a.nrrd", "after");
    CHECK(partsIn(folder.path()).empty());
    CHECK(readTextFile(folder / "a.nrrd") == "after");
  }
  SECTION("only what is certainly ours and dead") {
    // A process that lives, another machine's, and a name that only looks alike.
    const std::string numbers = left.substr(6, left.find('-', 6) - 6);
    std::string alive = left;
    alive.replace(6, numbers.size(), std::to_string(::getppid()));
    const std::size_t mark = left.find('-', left.find('-', 6) + 1) + 1;
    const std::string foreign = left.substr(0, mark) + "9" + left.substr(mark);
    const std::string alike = ".part-x-" + left.substr(6);
    for (const std::string& name : {alive, foreign, alike}) std::ofstream(folder / name) << "theirs";
    writeTextFile(folder / "a.nrrd", "after");
    std::vector<std::string> wanted{alive, foreign, alike}, there = partsIn(folder.path());
    std::sort(wanted.begin(), wanted.end());
    std::sort(there.begin(), there.end());
    CHECK(there == wanted);
  }
}
