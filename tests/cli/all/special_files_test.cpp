// Pipes without a writer, sockets and devices, where a file is wanted.

#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <list>

#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;

namespace {

struct SpecialScene : Scene {
  SpecialScene() {
    write("session.json", R"({"schema":"stencilscope.session/1","data":{"path":"in.nrrd"},
      "bank":{"schema":"stencilscope.bank/1","filters":[{"type":"box"}]}})");
    REQUIRE(::mkfifo(path("pipe").c_str(), 0600) == 0);
    listening = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string socket = path("socket");
    REQUIRE(socket.size() < sizeof address.sun_path);
    std::copy(socket.begin(), socket.end(), address.sun_path);
    REQUIRE(::bind(listening, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  }
  ~SpecialScene() { ::close(listening); }
  SpecialScene(const SpecialScene&) = delete;
  SpecialScene& operator=(const SpecialScene&) = delete;
  // Every way to name a file that is read.
  [[nodiscard]] static std::vector<std::string> uses(const std::string& file) {
    return {"info " + file,
            "convert " + file + " -o out.nrrd",
            "filter in.nrrd -o out.nrrd --bank " + file,
            "filter in.nrrd -o out.nrrd --filter custom:file=" + file,
            "magic forward in.nrrd -o out.nrrd --taps " + file,
            "run " + file,
            "run session.json --data " + file,
            "lattice info " + file};
  }
  int listening = -1;
};

}  // namespace

TEST_CASE("nothing is read from pipes without a writer, sockets and devices, and nothing waits") {
  const SpecialScene scene;
  for (const std::string file : {"pipe", "socket", "/dev/zero", "/dev/null"}) {
    std::list<Running> running;  // at once: each pipe is watched for a while
    for (const std::string& line : SpecialScene::uses(file))
      running.emplace_back(programUnderTest(), words(line), scene.folder());
    for (Running& one : running) {
      CAPTURE(file);
      expectRefusal(one.finish(), 1, "");
    }
  }
  CHECK_FALSE(scene.has("out.nrrd"));
}

TEST_CASE("Ctrl-C ends the waiting for a pipe") {
  const SpecialScene scene;
  for (const std::string& line : SpecialScene::uses("pipe")) {
    CAPTURE(line);
    // A writer that writes nothing: the reader would wait for it.
    const std::ofstream silent(scene.path("pipe"), std::ios::in | std::ios::out);
    Running running = scene.start(line);
    running.waitUntilOpen(scene.path("pipe"));
    running.signal(SIGINT);
    const Outcome outcome = running.finish();
    CHECK((outcome.status == 128 + SIGINT || outcome.status == 1));  // some refuse a pipe at once
    CHECK(lineCount(outcome.err) == 1);
  }
  CHECK_FALSE(scene.has("out.nrrd"));
}
