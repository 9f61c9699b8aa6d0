// Short races of engines on the thread of the Wavelet room.

#include <algorithm>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/wavelet/job/wavelet_runner.h"
#include "tests/support/catch.h"
#include "tests/support/cpu_machine.h"
#include "tests/support/support.h"
#include "tests/support/told.h"

using namespace sscope;

namespace {

struct RaceOfTransforms {
  EngineSet engines;
  VariantTable variants;
  std::mutex mutex;
  std::vector<WaveletNews> all;
  WaveletJob job;

  explicit RaceOfTransforms(const VolumeShape& shape = {24, 20, 16, 1}) {
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
  WaveletRace request(std::vector<BenchRow> rows) {
    contenders = rows;
    return {.contenders = std::move(rows), .job = job};
  }
  // The race's events of one kind.
  template <class One>
  std::vector<One> events() {
    std::vector<One> found;
    for (const compare::RaceEvent& event : of<compare::RaceEvent>())
      if (const One* one = std::get_if<One>(&event)) found.push_back(*one);
    return found;
  }

  std::vector<BenchRow> contenders;
};

}  // namespace

TEST_CASE("wavelet transforms take turns on their engines after a run that is verified and not timed") {
  RaceOfTransforms race;
  const auto [transform, direction] = GENERATE(std::pair("dwt", "forward"), std::pair("magic", "inverse"));
  INFO(transform);
  race.job.settings.transform = transform;
  race.job.settings.direction = direction;
  WaveletRunner runner(race.engines, race.variants, race.listener());
  runner.submit(race.job);
  runner.waitIdle();
  const std::string& shown = race.job.engine;
  runner.race(race.request({{"cpu:scalar", ""}, {"cpu:missing", ""}, {shown, ""}}));
  runner.waitIdle();
  std::vector<std::size_t> checked;
  for (const compare::LaneVerified& each : race.events<compare::LaneVerified>()) {
    checked.push_back(each.lane);
    CHECK(each.verification.verified);
  }
  CHECK(checked == std::vector<std::size_t>{0, 2});
  std::vector<std::size_t> order, expected;
  for (const compare::Repetition& each : race.events<compare::Repetition>()) {
    order.push_back(each.lane);
    CHECK(each.sample.phases.compile == 0);
    CHECK(each.sample.phases.total >= each.sample.phases.kernel);
  }
  for (int i = 0; i < compare::kShortRepetitions; ++i) expected.insert(expected.end(), {0, 2});
  CHECK(order == expected);
  const auto ended = race.events<compare::LaneEnded>();
  REQUIRE(ended.size() == 3);
  CHECK(ended[1].result.reason().find("cpu:missing") != std::string::npos);
  CHECK(race.of<IdleNews>().size() == 1);
  // What a run has made is still there.
  race.job.settings.threshold = 1;
  runner.submit(race.job);
  runner.waitIdle();
  if (std::string(transform) == "dwt") CHECK(race.of<WaveletReady>().back().result->forwardReused);
  CHECK(race.of<WaveletVerified>().back().verification.verified);
}

TEST_CASE("a new threshold ends the race, and a cancel does") {
  RaceOfTransforms race;
  WaveletRunner runner(race.engines, race.variants, race.listener());
  runner.submit(race.job);
  runner.waitIdle();
  runner.holdRace(true);  // while something else of the program works no run is timed
  runner.race(race.request({{"cpu:scalar", ""}}));
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
  CHECK(race.of<compare::RaceEvent>().empty());
  CHECK(race.of<IdleNews>().empty());
}
