#include <unistd.h>

#include <fstream>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "core/cpu/run/cpu_engine.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/job/live_runner.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

struct Race {
  EngineSet engines;
  VariantTable variants;
  std::mutex mutex;
  std::vector<LiveNews> all;
  std::shared_ptr<const Volume> volume =
      std::make_shared<const Volume>(test::randomVolume({24, 20, 16, 1}, ElementType::f32, 1));

  Race() {
    addCpuEngines(engines);
    addCpuVariants(variants);
  }
  void add(LiveNews news) {
    const std::lock_guard lock(mutex);
    all.push_back(std::move(news));
  }
  template <class One>
  std::vector<One> of() {
    const std::lock_guard lock(mutex);
    std::vector<One> found;
    for (const LiveNews& news : all)
      if (const One* one = news.as<One>()) found.push_back(*one);
    return found;
  }
  // Engines in the order in which they ran, without warm-ups and failures.
  std::vector<std::string> samples() {
    std::vector<std::string> order;
    for (const TurnsUpdate& turn : of<TurnsUpdate>())
      if (!turn.warmedUp && turn.failure.empty()) order.push_back(turn.report.engine);
    return order;
  }
  FilterContest request(std::vector<Contest::Contestant> contestants) {
    FilterContest request;
    request.input = volume;
    request.inputIdentity = 1;
    request.bank.filters = {parseFilterSpec("gaussian:sigma=1")};
    request.contest.contestants = std::move(contestants);
    return request;
  }
};

}  // namespace

TEST_CASE("engines take turns after a warm-up that is verified and not counted") {
  Race race;
  LiveRunner runner(race.engines, race.variants, [&](LiveNews news) { race.add(std::move(news)); });
  const std::string other = race.engines.preferred().info().id;
  static_cast<void>(runner.takeTurns(race.request({{"cpu:scalar", "", 0}, {"cpu:missing", "", 0}, {other, "", 0}})));
  runner.waitIdle();
  std::map<std::string, int> warmUps;
  for (const TurnsUpdate& turn : race.of<TurnsUpdate>()) {
    if (!turn.warmedUp) continue;
    ++warmUps[turn.report.engine];
    CHECK(turn.verification.verified);
  }
  CHECK(warmUps == std::map<std::string, int>{{"cpu:scalar", 1}, {other, 1}});
  std::vector<std::string> expected;
  for (int i = 0; i < kQuietRepetitions; ++i) expected.insert(expected.end(), {"cpu:scalar", other});
  CHECK(race.samples() == expected);
  for (const TurnsUpdate& turn : race.of<TurnsUpdate>()) {
    if (turn.warmedUp) continue;
    if (turn.report.engine == "cpu:missing") {
      CHECK(turn.failure.find("cpu:missing") != std::string::npos);
    } else {
      CHECK(turn.report.phases.compile == 0);
      CHECK(turn.report.phases.total >= turn.report.phases.kernel);
    }
  }
  CHECK(race.of<IdleNews>().size() == 1);
}

TEST_CASE("an engine that has fewer samples catches up first") {
  Race race;
  LiveRunner runner(race.engines, race.variants, [&](LiveNews news) { race.add(std::move(news)); });
  const std::string other = race.engines.preferred().info().id;
  static_cast<void>(runner.takeTurns(race.request({{"cpu:scalar", "", 5}, {other, "", 3}})));
  runner.waitIdle();
  CHECK(race.samples() == std::vector<std::string>{other, other});
}

TEST_CASE("no sample is taken while something else of the program works") {
  Race race;
  LiveRunner runner(race.engines, race.variants, [&](LiveNews news) { race.add(std::move(news)); });
  runner.holdTurns(true);
  static_cast<void>(runner.takeTurns(race.request({{"cpu:scalar", "", 0}})));
  // It says what it waits for, and waits.
  while (race.of<ProgressNews>().empty()) std::this_thread::yield();
  CHECK(race.of<ProgressNews>().front().message.find("3D view") != std::string::npos);
  CHECK(race.of<TurnsUpdate>().empty());
  CHECK(runner.busy());
  runner.holdTurns(false);
  runner.waitIdle();
  CHECK(race.samples().size() == kQuietRepetitions);
}

TEST_CASE("a gate that was held meanwhile says so") {
  QuietGate gate;
  const std::uint64_t start = gate.waitOpen({});
  CHECK(gate.openSince(start));
  gate.setHeld(true);
  CHECK_FALSE(gate.openSince(start));
  gate.setHeld(false);
  CHECK_FALSE(gate.openSince(start));
  std::stop_source stop;
  gate.setHeld(true);
  stop.request_stop();
  CHECK_THROWS_AS(gate.waitOpen({stop.get_token(), {}}), Canceled);
}

TEST_CASE("a new setting ends the turns of the old one") {
  Race race;
  LiveRunner runner(race.engines, race.variants, [&](LiveNews news) { race.add(std::move(news)); });
  runner.holdTurns(true);
  static_cast<void>(runner.takeTurns(race.request({{"cpu:scalar", "", 0}})));
  LiveRequest next;
  next.input = race.volume;
  next.bank.filters = {parseFilterSpec("box")};
  const std::uint64_t number = runner.submit(next);
  runner.waitIdle();
  CHECK(race.of<TurnsUpdate>().empty());
  CHECK(race.of<LiveVerified>().size() == 1);
  for (const LiveNews& news : race.all)
    if (news.as<LiveVerified>() != nullptr) CHECK(news.request == number);
  CHECK(race.of<CanceledNews>().empty());
}

TEST_CASE("work of other programs and time that a hypervisor took are told apart from our own") {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "stat";
  const auto write = [&](const char* line) { std::ofstream(path) << line << '\n'; };
  double own = 10, now = 100;
  write("cpu 1000 0 500 9000 0 0 0 0 0 0");
  OtherLoadWatch watch(
      path, [&] { return own; }, [&] { return now; });
  watch.start();
  now += 0.9 * OtherLoadWatch::kShortest;
  CHECK_FALSE(watch.sinceStart().known);  // too little time
  now += OtherLoadWatch::kShortest;
  SECTION("our own work disturbs nothing") {
    write("cpu 1100 0 500 9000 0 0 0 0 0 0");
    own += 1;
    const OtherLoad load = watch.sinceStart();
    REQUIRE(load.known);
    CHECK(load.otherCores < 0.01);
    CHECK_FALSE(load.disturbs());
  }
  SECTION("others do") {
    write("cpu 1100 0 500 9000 0 0 0 0 0 0");
    const OtherLoad load = watch.sinceStart();
    CHECK(load.otherCores * load.seconds == Approx(100.0 / static_cast<double>(sysconf(_SC_CLK_TCK))));
  }
  SECTION("stolen time does") {
    write("cpu 1000 0 500 9000 0 0 0 900 0 0");
    const OtherLoad load = watch.sinceStart();
    CHECK(load.otherCores == 0);
    CHECK(load.stolenCores > 0);
    CHECK(load.disturbs());
  }
  SECTION("nothing is known without the system's word") {
    write("nothing");
    CHECK_FALSE(watch.sinceStart().known);
  }
}
