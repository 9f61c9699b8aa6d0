#include "core/live/newest_wins.h"

#include <atomic>
#include <chrono>
#include <semaphore>
#include <string>
#include <vector>

#include "tests/support/catch.h"

using sscope::NewestWins;

namespace {

// Says when a wish begins, and ends it when told to, or when it is stopped.
struct Scene {
  std::mutex mutex;
  std::vector<std::string> log;
  std::counting_semaphore<16> begun{0}, finish{0};

  void say(const std::string& what) {
    const std::lock_guard lock(mutex);
    log.push_back(what);
  }
  void execute(const std::string& wish, const NewestWins<std::string>::Turn& turn) {
    say("begin " + wish);
    begun.release();
    while (!finish.try_acquire_for(std::chrono::milliseconds(1)))
      if (turn.stop.stop_requested()) {
        say((turn.canceled.stop_requested() ? "canceled " : "superseded ") + wish);
        return;
      }
    say("end " + wish);
  }
  NewestWins<std::string>::Execute executor() {
    return [this](const std::string& wish, const NewestWins<std::string>::Turn& turn) { execute(wish, turn); };
  }
};

}  // namespace

TEST_CASE("the newest wish wins, and the last is never dropped") {
  Scene scene;
  NewestWins<std::string> worker(scene.executor());
  CHECK_FALSE(worker.busy());
  CHECK(worker.submit("a") == 1);
  scene.begun.acquire();
  CHECK(worker.busy());
  CHECK(worker.submit("b") == 2);
  scene.begun.acquire();  // a was stopped
  scene.finish.release();
  worker.waitIdle();
  CHECK(scene.log == std::vector<std::string>{"begin a", "superseded a", "begin b", "end b"});
}

TEST_CASE("what may go on is finished, and of those that wait only the newest is executed") {
  Scene scene;
  NewestWins<std::string> worker(scene.executor(), [](const std::string& running, const std::string& next) {
    return running.front() == next.front();
  });
  worker.submit("a1");
  scene.begun.acquire();
  worker.submit("a2");
  CHECK(worker.superseded());
  worker.submit("a3");
  scene.finish.release();
  scene.begun.acquire();
  CHECK_FALSE(worker.superseded());
  worker.submit("b");  // stops a3
  scene.begun.acquire();
  scene.finish.release();
  worker.waitIdle();
  CHECK(scene.log == std::vector<std::string>{"begin a1", "end a1", "begin a3", "superseded a3", "begin b", "end b"});
}

TEST_CASE("cancel ends what runs, drops what waits, and says that somebody asked for it") {
  Scene scene;
  NewestWins<std::string> worker(scene.executor(), [](const std::string&, const std::string&) { return true; });
  worker.submit("a");
  scene.begun.acquire();
  worker.submit("b");
  worker.cancel();
  worker.waitIdle();
  CHECK(worker.canceled());
  CHECK(scene.log == std::vector<std::string>{"begin a", "canceled a"});
  worker.submit("c");
  CHECK_FALSE(worker.canceled());
  scene.begun.acquire();
  scene.finish.release();
  worker.waitIdle();
  CHECK(scene.log.back() == "end c");
}

TEST_CASE("whoever waits for the end is woken when what waited is dropped") {
  Scene scene;
  NewestWins<std::string> worker(scene.executor());
  for (int round = 0; round < 50; ++round) {
    worker.submit("a");
    std::thread waiting([&] { worker.waitIdle(); });
    worker.cancel();
    waiting.join();
    CHECK_FALSE(worker.busy());
  }
}

TEST_CASE("a worker that goes stops what runs and executes nothing more") {
  Scene scene;
  {
    NewestWins<std::string> worker(scene.executor(), [](const std::string&, const std::string&) { return true; });
    worker.submit("a");
    scene.begun.acquire();
    worker.submit("b");
  }
  CHECK(scene.log == std::vector<std::string>{"begin a", "canceled a"});
}
