// Pipes that nobody writes into, sockets and devices, where a file is wanted.

#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>

#include "core/base/paths.h"
#include "core/filter/families/recipe_text.h"
#include "core/session/session.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;

namespace {

struct SpecialScene {
  SpecialScene() {
    writeNrrd(in, randomVolume({8, 8, 8, 1}, ElementType::f32, 1));
    Session saved;
    saved.data.path = in;
    saved.bank.filters.push_back(parseFilterSpec("box"));
    writeSession(session, saved);
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    listening = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    REQUIRE(socket.size() < sizeof address.sun_path);
    std::copy(socket.begin(), socket.end(), address.sun_path);
    REQUIRE(::bind(listening, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  }
  ~SpecialScene() { ::close(listening); }
  SpecialScene(const SpecialScene&) = delete;
  SpecialScene& operator=(const SpecialScene&) = delete;
  // Every way to name a file that is read.
  [[nodiscard]] std::vector<Arguments> uses(const std::string& file) const {
    return {{"info", file},
            {"convert", file, "-o", out},
            {"filter", in, "-o", out, "--bank", file},
            {"filter", in, "-o", out, "--filter", "custom:file=" + file},
            {"magic", "forward", in, "-o", out, "--taps", file},
            {"run", file},
            {"run", session, "--data", file},
            {"lattice", "info", file}};
  }
  TemporaryFolder folder;
  int listening = -1;
  std::string in = folder / "in.nrrd", out = folder / "out.nrrd", pipe = folder / "pipe", socket = folder / "socket",
              session = folder / "session.json";
};

}  // namespace

TEST_CASE("nothing is read from pipes without a writer, sockets and devices, and nothing waits") {
  const SpecialScene scene;
  for (const std::string& file : {scene.pipe, scene.socket, std::string("/dev/zero"), std::string("/dev/null")}) {
    std::vector<std::unique_ptr<Running>> running;  // at once: each pipe is watched for a while
    for (const Arguments& arguments : scene.uses(file)) running.push_back(std::make_unique<Running>(arguments));
    for (std::size_t i = 0; i < running.size(); ++i) {
      const Outcome outcome = running[i]->finish();
      CAPTURE(file, scene.uses(file)[i].front(), i, outcome.err);
      CHECK(outcome.status == 1);
      CHECK(lineCount(outcome.err) == 1);
    }
  }
  CHECK_FALSE(std::filesystem::exists(scene.out));
}

TEST_CASE("Ctrl-C ends the waiting for a pipe") {
  const SpecialScene scene;
  for (const Arguments& arguments : scene.uses(scene.pipe)) {
    // A writer that says nothing: this would be waited for.
    const std::ofstream silent(scene.pipe, std::ios::in | std::ios::out);
    Running running(arguments);
    running.waitUntilOpen(scene.pipe);
    running.signal(SIGINT);
    const Outcome outcome = running.finish();
    CAPTURE(arguments[0], outcome.err);
    CHECK((outcome.status == 128 + SIGINT || outcome.status == 1));  // some refuse a pipe at once
    CHECK(lineCount(outcome.err) == 1);
  }
  CHECK_FALSE(std::filesystem::exists(scene.out));
}
