#include "core/base/prompt_removal.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
namespace fs = std::filesystem;

TEST_CASE("large and small files are removed, and nothing of this process is held") {
  const test::TemporaryFolder folder;
  int ends[2];
  REQUIRE(::pipe(ends) == 0);  // as a program has whose output somebody waits for
  for (const std::uintmax_t bytes : {std::uintmax_t{3}, std::uintmax_t{100} << 20}) {
    const std::string file = folder / "file";
    std::ofstream(file) << "abc";
    fs::resize_file(file, bytes);
    removePromptly(file);
    CHECK_FALSE(fs::exists(file));
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
    CHECK(errno == ECHILD);
  }
  ::close(ends[1]);
  pollfd end{ends[0], POLLIN, 0};
  REQUIRE(::poll(&end, 1, 10000) == 1);
  CHECK((end.revents & POLLHUP) != 0);
  ::close(ends[0]);
}

TEST_CASE("what is no file is left alone, and a link is removed itself") {
  const test::TemporaryFolder folder;
  removePromptly(folder / "missing");
  fs::create_directory(folder / "inside");
  removePromptly(folder / "inside");
  CHECK(fs::exists(folder / "inside"));
  std::ofstream(folder / "file") << "abc";
  fs::resize_file(folder / "file", std::uintmax_t{100} << 20);
  fs::create_symlink("file", folder / "link");
  removePromptly(folder / "link");
  CHECK_FALSE(fs::is_symlink(folder / "link"));
  CHECK(fs::exists(folder / "file"));
}
