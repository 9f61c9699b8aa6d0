// What is kept while somebody works, and found after a crash.

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "core/base/error.h"
#include "core/filter/families/recipe_text.h"
#include "core/session/kept_session.h"
#include "core/wavelet/job/wavelet_settings.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
namespace fs = std::filesystem;

namespace {

KeptSession work(const std::string& file = "/saved/s.json") {
  KeptSession kept;
  kept.session.data.path = "/data/brain.nii.gz";
  kept.session.bank.filters.push_back(parseFilterSpec("gaussian:sigma=1.25"));
  WaveletSettings wavelet;
  wavelet.taps = "/data/taps.txt";
  kept.session.put(wavelet);
  kept.file = file;
  kept.changed = true;
  return kept;
}

// Another process that keeps this session and is then killed.
void killAfterKeeping(const fs::path& folder, const KeptSession& session) {
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    SessionKeeper keeper(folder);
    keeper.keep(session);
    static_cast<void>(!::write(ready[1], "x", 1));
    for (;;) ::pause();
  }
  char byte = 0;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  // While it lives nobody else finds what it keeps.
  const auto found = LeftSession::find(folder);
  CHECK((!found || found->kept().file != session.file));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ::close(ready[0]);
  ::close(ready[1]);
}

std::size_t filesIn(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE_METHOD(test::InFolder, "a session is found after its program was killed, by one that looks for it") {
  const fs::path kept = folder / "state" / "running";
  CHECK_FALSE(LeftSession::find(kept));
  killAfterKeeping(kept, work());
  auto left = LeftSession::find(kept);
  REQUIRE(left);
  CHECK(left->kept() == work());
  CHECK_FALSE(LeftSession::find(kept));  // this one has it
  LeftSession moved = std::move(*left);
  left.reset();
  CHECK_FALSE(LeftSession::find(kept));
  SECTION("given back it is found again") {
    { const LeftSession gone = std::move(moved); }
    CHECK(LeftSession::find(kept));
  }
  SECTION("removed it is gone") {
    moved.remove();
    CHECK_FALSE(LeftSession::find(kept));
    CHECK(filesIn(kept) == 0);
  }
  struct stat status {};
  REQUIRE(::stat(kept.c_str(), &status) == 0);
  CHECK((status.st_mode & 0077) == 0);  // nobody else reads what somebody works on
}

TEST_CASE_METHOD(test::InFolder, "windows of one user do not fight, and a clean end leaves nothing") {
  SessionKeeper one(folder.path()), two(folder.path());
  one.keep(work("/one.json"));
  two.keep(work("/two.json"));
  CHECK(filesIn(folder.path()) == 4);
  CHECK_FALSE(LeftSession::find(folder.path()));
  one.end();
  CHECK(filesIn(folder.path()) == 2);
  one.keep(work());  // from a thread that was late
  CHECK(filesIn(folder.path()) == 2);
  two.drop();
  CHECK(filesIn(folder.path()) == 1);
  two.keep(work("/two.json"));
  killAfterKeeping(folder.path(), work("/three.json"));
  auto left = LeftSession::find(folder.path());
  REQUIRE(left);
  CHECK(left->kept().file == "/three.json");
  two.end();
  left->remove();
  CHECK(filesIn(folder.path()) == 0);
}

TEST_CASE_METHOD(test::InFolder, "the newest session is offered first, and damaged files are left alone") {
  killAfterKeeping(folder.path(), work("/old.json"));
  for (const auto& entry : fs::directory_iterator(folder.path()))
    fs::last_write_time(entry.path(), fs::file_time_type::clock::now() - std::chrono::hours(1));
  killAfterKeeping(folder.path(), work("/new.json"));
  std::ofstream(folder / "1-0.json") << "{\"schema\":\"stencilscope.running/1\"";
  std::ofstream(folder / "2-0.json") << "[]";
  auto left = LeftSession::find(folder.path());
  REQUIRE(left);
  CHECK(left->kept().file == "/new.json");
  left->remove();
  left = LeftSession::find(folder.path());
  REQUIRE(left);
  CHECK(left->kept().file == "/old.json");
  left->remove();
  CHECK_FALSE(LeftSession::find(folder.path()));
  CHECK(fs::exists(folder / "1-0.json"));
}

TEST_CASE_METHOD(test::InFolder, "a folder that cannot be used is told") {
  std::ofstream(folder / "file") << "x";
  CHECK_THROWS_AS(SessionKeeper(folder / "file" / "running"), Error);
}
