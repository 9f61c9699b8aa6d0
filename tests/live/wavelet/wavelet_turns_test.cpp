// Engines timed against each other in the Wavelet room.

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/cpu/run/cpu_engine.h"
#include "core/wavelet/job/wavelet_runner.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

struct WaveletRace {
  EngineSet engines;
  VariantTable variants;
  std::mutex mutex;
  std::vector<WaveletNews> all;
  WaveletJob job;

  explicit WaveletRace(const VolumeShape& shape = {24, 20, 16, 1}) {
    addCpuEngines(engines);
    addCpuVariants(variants);
    job.input = std::make_shared<const Volume>(test::randomVolume(shape, ElementType::f32, 1));
    job.inputIdentity = 1;
    job.engine = engines.preferred().info().id;
  }
  std::function<void(WaveletNews)> listener() {
    return [this](WaveletNews news) {
      const std::lock_guard lock(mutex);
      all.push_back(std::move(news));
    };
  }
  template <class One>
  std::vector<One> of() {
    const std::lock_guard lock(mutex);
    std::vector<One> found;
    for (const WaveletNews& news : all)
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
  WaveletContest contest(std::vector<Contest::Contestant> contestants) {
    return {.contest = {.contestants = std::move(contestants)}, .job = job};
  }
};

}  // namespace

TEST_CASE("wavelet transforms take turns on their engines after a warm-up that is verified and not counted") {
  WaveletRace race;
  const auto [transform, direction] = GENERATE(std::pair("dwt", "forward"), std::pair("magic", "inverse"));
  INFO(transform);
  race.job.settings.transform = transform;
  race.job.settings.direction = direction;
  WaveletRunner runner(race.engines, race.variants, race.listener());
  runner.submit(race.job);
  runner.waitIdle();
  const std::string& shown = race.job.engine;
  runner.takeTurns(race.contest({{"cpu:scalar", "", 0}, {"cpu:missing", "", 0}, {shown, "", 0}}));
  runner.waitIdle();
  std::map<std::string, int> warmUps;
  for (const TurnsUpdate& turn : race.of<TurnsUpdate>()) {
    if (turn.warmedUp) {
      ++warmUps[turn.report.engine];
      CHECK(turn.verification.verified);
    } else if (turn.report.engine == "cpu:missing") {
      CHECK(turn.failure.find("cpu:missing") != std::string::npos);
    } else {
      CHECK(turn.report.phases.compile == 0);
      CHECK(turn.report.phases.total >= turn.report.phases.kernel);
    }
  }
  CHECK(warmUps == std::map<std::string, int>{{"cpu:scalar", 1}, {shown, 1}});
  std::vector<std::string> expected;
  for (int i = 0; i < kQuietRepetitions; ++i) expected.insert(expected.end(), {"cpu:scalar", shown});
  CHECK(race.samples() == expected);
  CHECK(race.of<IdleNews>().size() == 1);
  // What a run has made is still there.
  race.job.settings.threshold = 1;
  runner.submit(race.job);
  runner.waitIdle();
  if (std::string(transform) == "dwt") CHECK(race.of<WaveletReady>().back().result->forwardReused);
  CHECK(race.of<WaveletVerified>().back().verification.verified);
}

TEST_CASE("a new threshold ends the turns, and a cancel does") {
  WaveletRace race;
  WaveletRunner runner(race.engines, race.variants, race.listener());
  runner.submit(race.job);
  runner.waitIdle();
  runner.holdTurns(true);  // while something else of the program works no run is timed
  runner.takeTurns(race.contest({{"cpu:scalar", "", 0}}));
  while (race.of<ProgressNews>().empty() || race.of<ProgressNews>().back().message.find("3D view") == std::string::npos)
    std::this_thread::yield();
  SECTION("threshold") {
    race.job.settings.automatic = false;
    const std::uint64_t number = runner.submit(race.job);
    runner.waitIdle();
    const auto last = std::find_if(race.all.rbegin(), race.all.rend(),
                                   [](const WaveletNews& news) { return news.as<WaveletVerified>() != nullptr; });
    REQUIRE(last != race.all.rend());
    CHECK(last->request == number);
    CHECK(race.of<CanceledNews>().empty());
  }
  SECTION("cancel") {
    runner.cancel();
    runner.waitIdle();
    CHECK(race.of<CanceledNews>().size() == 1);
  }
  CHECK(race.of<TurnsUpdate>().empty());
  CHECK(race.of<IdleNews>().empty());
}
