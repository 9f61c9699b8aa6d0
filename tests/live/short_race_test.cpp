// Short races of engines on the thread of the Filter room.

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

struct FilterRace {
  EngineSet engines;
  VariantTable variants;
  std::mutex mutex;
  std::vector<LiveNews> all;
  std::shared_ptr<const Volume> volume =
      std::make_shared<const Volume>(test::randomVolume({24, 20, 16, 1}, ElementType::f32, 1));

  FilterRace() {
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
  LiveRace request(std::vector<BenchRow> rows, int repetitions = compare::kShortRepetitions) {
    contenders = rows;
    LiveRace request;
    request.contenders = std::move(rows);
    request.repetitions = repetitions;
    request.input = volume;
    request.inputIdentity = 1;
    request.bank.filters = {parseFilterSpec("gaussian:sigma=1")};
    return request;
  }
  // The race's events of one kind.
  template <class One>
  std::vector<One> events() {
    std::vector<One> found;
    for (const compare::RaceEvent& event : of<compare::RaceEvent>())
      if (const One* one = std::get_if<One>(&event)) found.push_back(*one);
    return found;
  }
  // Engines in the order of their repetitions.
  std::vector<std::string> order() {
    std::vector<std::string> ids;
    for (const compare::Repetition& each : events<compare::Repetition>()) ids.push_back(contenders[each.lane].engine);
    return ids;
  }

  std::vector<BenchRow> contenders;
};

}  // namespace

TEST_CASE("engines take turns after a run that is verified and not timed") {
  FilterRace race;
  LiveRunner runner(race.engines, race.variants, [&](LiveNews news) { race.add(std::move(news)); });
  const std::string other = race.engines.preferred().info().id;
  static_cast<void>(runner.race(race.request({{"cpu:scalar", ""}, {"cpu:missing", ""}, {other, ""}})));
  runner.waitIdle();
  std::vector<std::size_t> checked;
  for (const compare::LaneVerified& each : race.events<compare::LaneVerified>()) {
    checked.push_back(each.lane);
    CHECK(each.verification.verified);
    CHECK(each.report.engine == race.contenders[each.lane].engine);
  }
  CHECK(checked == std::vector<std::size_t>{0, 2});
  std::vector<std::string> expected;
  for (int i = 0; i < compare::kShortRepetitions; ++i) expected.insert(expected.end(), {"cpu:scalar", other});
  CHECK(race.order() == expected);
  for (const compare::Repetition& each : race.events<compare::Repetition>()) {
    CHECK(each.sample.runs == 1);
    CHECK(each.sample.phases.compile == 0);
    CHECK(each.sample.phases.total >= each.sample.phases.kernel);
  }
  const auto ended = race.events<compare::LaneEnded>();
  REQUIRE(ended.size() == 3);
  CHECK(ended[0].result.hasFigures());
  CHECK(ended[1].result.reason().find("cpu:missing") != std::string::npos);
  CHECK(race.of<IdleNews>().size() == 1);
}

TEST_CASE("nothing is timed while something else of the program works") {
  FilterRace race;
  LiveRunner runner(race.engines, race.variants, [&](LiveNews news) { race.add(std::move(news)); });
  runner.holdRace(true);
  static_cast<void>(runner.race(race.request({{"cpu:scalar", ""}}, 2)));
  // It says what it waits for, and waits.
  while (race.of<ProgressNews>().empty()) std::this_thread::yield();
  CHECK(race.of<ProgressNews>().front().message.find("3D view") != std::string::npos);
  CHECK(race.of<compare::RaceEvent>().empty());
  CHECK(runner.busy());
  runner.holdRace(false);
  runner.waitIdle();
  CHECK(race.order().size() == 2);
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

TEST_CASE("a new setting ends the race of the old one") {
  FilterRace race;
  LiveRunner runner(race.engines, race.variants, [&](LiveNews news) { race.add(std::move(news)); });
  runner.holdRace(true);
  static_cast<void>(runner.race(race.request({{"cpu:scalar", ""}})));
  LiveRequest next;
  next.input = race.volume;
  next.bank.filters = {parseFilterSpec("box")};
  const std::uint64_t number = runner.submit(next);
  runner.waitIdle();
  CHECK(race.of<compare::RaceEvent>().empty());
  CHECK(race.of<LiveVerified>().size() == 1);
  for (const LiveNews& news : race.all)
    if (news.as<LiveVerified>() != nullptr) CHECK(news.request == number);
  CHECK(race.of<CanceledNews>().empty());
}
