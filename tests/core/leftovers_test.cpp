// Many files in one folder, and pipes that nobody writes into.

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "core/base/error.h"
#include "core/base/leftovers.h"
#include "core/base/paths.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
namespace fs = std::filesystem;

namespace {

// The sentence that reading this text fails with.
std::string failure(const fs::path& path, std::size_t most = kLongestTextFile) {
  try {
    static_cast<void>(readTextFile(path, most));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE_METHOD(test::InFolder, "looking for leftovers of many files does not read their folder for each") {
  Leftovers leftovers;
  constexpr std::size_t kFiles = 10000;
  for (std::size_t i = 0; i < kFiles; ++i) {
    const std::string name = std::to_string(i) + ".nrrd";
    leftovers.remove(folder.path(), name);
    std::ofstream(folder / name).close();
  }
  // Read at 0, 1, 3, 7, ... entries: fewer than 2 n in all, where each time would be n^2 / 2.
  CHECK(leftovers.entriesRead() < 4 * kFiles);
  CHECK(leftovers.entriesRead() > 0);
}

TEST_CASE_METHOD(test::InFolder, "temporary names differ, and end with the name") {
  const auto first = makeTemporary(folder.path(), "a-b.nii.gz", 0600),
             second = makeTemporary(folder.path(), "a-b.nii.gz", 0600);
  REQUIRE(first);
  REQUIRE(second);
  CHECK(first->path != second->path);
  for (const auto& made : {*first, *second}) {
    CHECK(made.isThere());
    CHECK(fs::status(made.path).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
    const std::string name = made.path.filename().string();
    CHECK(name.starts_with(".part-" + std::to_string(::getpid()) + "-"));
    CHECK(name.ends_with("-a-b.nii.gz"));
    // What comes next cannot be told from what was: a name is put somewhere before it is used.
    CHECK(name.size() > std::string(".part-1-1-1-a-b.nii.gz").size() + 8);
  }
  fs::remove(first->path);
  fs::create_symlink("elsewhere", first->path);
  CHECK_FALSE(first->isThere());
  CHECK_FALSE(makeTemporary(folder / "none", "a", 0600));
}

TEST_CASE_METHOD(test::InFolder, "a folder of another name is left alone, and a link is removed itself") {
  removeTemporary(folder / "missing");
  fs::create_directory(folder / "inside");
  removeTemporary(folder / "inside");
  CHECK(fs::exists(folder / "inside"));
  fs::create_directory(folder / ".part-inside");
  std::ofstream(folder / ".part-inside/file") << "abc";
  removeTemporary(folder / ".part-inside");
  CHECK_FALSE(fs::exists(folder / ".part-inside"));
  std::ofstream(folder / "file") << "abc";
  fs::create_symlink("file", folder / "link");
  removeTemporary(folder / "link");
  CHECK_FALSE(fs::is_symlink(folder / "link"));
  CHECK(fs::exists(folder / "file"));
}

TEST_CASE_METHOD(test::InFolder, "a text comes out of a pipe whose writer takes its time") {
  const std::string pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::jthread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    std::ofstream stream(pipe);
    stream << "first " << std::flush;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stream << std::string(100000, 'x') << " last";
  });
  CHECK(readTextFile(pipe) == "first " + std::string(100000, 'x') + " last");
}

TEST_CASE_METHOD(test::InFolder, "what never says anything is not waited for without end") {
  const std::string pipe = folder / "pipe", socket = folder / "socket";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THAT(failure(pipe), ContainsSubstring("no program writes to this pipe"));
  const int listening = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  REQUIRE(socket.size() < sizeof address.sun_path);
  std::copy(socket.begin(), socket.end(), address.sun_path);
  REQUIRE(::bind(listening, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  CHECK_THAT(failure(socket), ContainsSubstring("it is a socket"));
  ::close(listening);
  CHECK_THAT(failure("/dev/zero", 1 << 20), ContainsSubstring("larger than 1 MiB"));
  CHECK(readTextFile("/dev/null").empty());
  CHECK_THAT(failure(folder / "none"), ContainsSubstring("no such file"));
  CHECK_THAT(failure(folder.path()), ContainsSubstring("it is a folder"));
}
