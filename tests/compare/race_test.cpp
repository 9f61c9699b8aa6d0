#include "core/compare/race.h"

#include <algorithm>
#include <thread>

#include "core/base/error.h"
#include "tests/compare/race_scene.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
using namespace sscope::compare;

TEST_CASE("a race shows first results by slabs and quotes repetitions in turns") {
  RaceScene scene(Contenders{{"opencl:0", ""}, {"opencl:1", "copy"}});
  const std::vector<Lane> lanes = scene.run();
  REQUIRE(lanes.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const Lane& lane = lanes[i];
    INFO(lane.reason());
    REQUIRE(lane.hasFigures());
    CHECK(lane.measurement.verification.verified);
    CHECK(lane.measurement.samples == std::vector<double>(kMinimumRepetitions, i == 0 ? 0.25 : 0.5));
    CHECK(lane.totals.size() == kMinimumRepetitions);
    CHECK(lane.why == "there is no other");
    REQUIRE(lane.first);
    CHECK(lane.first->verification.verified);
    CHECK(lane.first->slabs.size() == 4);
    CHECK(lane.first->plan == "copies");
    CHECK(lane.first->scratchBytes == 4096);
    CHECK(lane.first->phases.upload == 4 * 0.5);
  }
  // One lane after the other, every slab with the part of the result that it finished.
  std::int64_t planes = 0;
  for (const SlabFinished& slab : scene.all<SlabFinished>()) {
    CHECK(slab.time.end >= slab.time.begin);
    planes += slab.time.box.size(2);
    const Volume& output = slab.outputs->front();
    const auto& at = slab.time.box.begin;
    CHECK(output.value(at[0], at[1], at[2]) == scene.wish.input->value(at[0], at[1], at[2]));
  }
  CHECK(planes == 2 * 10);
  CHECK(scene.all<LaneStarted>().size() == 2);
  CHECK(scene.all<FirstDone>().size() == 2);
  CHECK(scene.all<LaneEnded>().size() == 2);
  // Of the first result, and before and after the repetitions.
  const auto verified = scene.all<LaneVerified>();
  CHECK(std::ranges::count_if(verified, &LaneVerified::first) == 2);
  CHECK(verified.size() == 6);
  // A B A B, and nothing else between the two ends of the quiet phase.
  bool quiet = false;
  std::vector<std::size_t> turns;
  for (const RaceEvent& event : scene.events) {
    if (const auto* phase = std::get_if<QuietPhase>(&event)) {
      CHECK(phase->quiet != quiet);
      quiet = phase->quiet;
    }
    if (const auto* repetition = std::get_if<Repetition>(&event)) {
      CHECK(quiet);
      turns.push_back(repetition->lane);
      CHECK(repetition->count == turns.size() / 2 + turns.size() % 2);
    }
  }
  CHECK_FALSE(quiet);
  REQUIRE(turns.size() == 2 * kMinimumRepetitions);
  for (std::size_t i = 0; i < turns.size(); ++i) CHECK(turns[i] == i % 2);
}

TEST_CASE("the numbers of a race are those of a benchmark") {
  RaceScene scene(Contenders{{"opencl:0", ""}, {"opencl:1", ""}});
  const std::vector<Lane> lanes = scene.run();
  BenchOptions options;
  options.seconds = 0;
  const ConstArrayView input = scene.wish.input->view();
  const std::vector<Measurement> rows =
      runBench(scene.engines, scene.variants, *scene.wish.workload, {&input, 1}, scene.wish.contenders, options, {});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    nlohmann::json mine = toJson(lanes[i].measurement), bench = toJson(rows[i]);
    for (const char* wall : {"phases", "stolen_share", "disturbed"}) {  // what the real clock gives
      mine.erase(wall);
      bench.erase(wall);
    }
    CHECK(mine == bench);
  }
}

TEST_CASE("lanes that are absent, break down or give a wrong result have their reason and no figures") {
  RaceScene scene;
  scene.addCopy();
  const auto quarter = [](const std::string&) { return 0.25; };
  scene.add("wrong", quarter, [](const Box& region, std::span<const ArrayView> outputs) {
    if (region.begin[2] > 4) outputs[0].as<float>()[3] += 0.5F;
  });
  scene.add("broken", quarter,
            [](const Box&, std::span<const ArrayView>) { throw Error(ErrorKind::Device, "the device is lost"); });
  scene.wish.contenders = {{"cuda:0", ""}, {"opencl:0", "wrong"}, {"opencl:0", "broken"}, {"opencl:0", "copy"}};
  const std::vector<Lane> lanes = scene.run();
  REQUIRE(lanes.size() == 4);
  CHECK(lanes[0].measurement.skipped == "libcuda.so.1 not found");
  CHECK(lanes[0].reason() == "libcuda.so.1 not found");
  CHECK(lanes[1].measurement.failed.starts_with("the first result is wrong: "));
  CHECK(lanes[2].measurement.failed == "the device is lost");
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK_FALSE(lanes[i].hasFigures());
    CHECK(lanes[i].totals.empty());
    CHECK(lanes[i].measurement.samples.empty());
  }
  CHECK(lanes[3].hasFigures());
  CHECK(lanes[3].first);
}

TEST_CASE("a repetition beside other work of the program is taken again and counted") {
  RaceScene scene;
  int runs = 0;
  scene.add(
      "copy", [](const std::string&) { return 0.25; },
      [&](const Box&, std::span<const ArrayView>) {
        // The fourth repetition: the gate is held meanwhile, and soon opened again.
        if (++runs == 4 + 1 + 4) {
          scene.gate.setHeld(true);
          std::thread([&scene] { scene.gate.setHeld(false); }).join();
        }
      });
  scene.wish.contenders = {{"opencl:0", ""}};
  const std::vector<Lane> lanes = scene.run();
  REQUIRE(lanes[0].hasFigures());
  CHECK(lanes[0].marks.repeated == 1);
  CHECK(lanes[0].marks.kept >= lanes[0].totals.size());
  CHECK(lanes[0].totals.size() == kMinimumRepetitions);
  CHECK(lanes[0].measurement.samples.size() == kMinimumRepetitions);
  const std::vector<std::string> words = lanes[0].disturbances();
  CHECK(std::ranges::any_of(words, [](const std::string& each) { return each.starts_with("1 repetition was taken"); }));
}

TEST_CASE("a race that is stopped says so") {
  RaceScene scene;
  std::stop_source stop;
  int runs = 0;
  const int last = GENERATE(2, 4 + 3);
  scene.add(
      "copy", [](const std::string&) { return 0.25; },
      [&](const Box&, std::span<const ArrayView>) {
        if (++runs == last) stop.request_stop();
      });
  scene.wish.contenders = {{"opencl:0", ""}};
  CHECK_THROWS_AS(scene.run({stop.get_token(), {}}), Canceled);
  CHECK(runs == last);
  CHECK(scene.all<LaneEnded>().empty());
}

TEST_CASE("a race can leave first results out, and refuses what it cannot run") {
  RaceScene scene(Contenders{{"opencl:0", ""}});
  scene.wish.how.firstResults = false;
  const std::vector<Lane> lanes = scene.run();
  CHECK(lanes[0].hasFigures());
  CHECK_FALSE(lanes[0].first);
  CHECK(scene.all<LaneStarted>().empty());
  scene.wish.contenders.clear();
  CHECK_THROWS_AS(scene.run(), Error);
  scene.wish.contenders = {{"opencl:0", ""}};
  scene.wish.input = std::make_shared<const Volume>(randomVolume({9, 7, 11, 1}, ElementType::f32, 1));
  CHECK_THROWS_AS(scene.run(), Error);
}

TEST_CASE("slabs cover the outputs and are not thinner than what they read of their neighbors") {
  const FilterWorkload small = identityWorkload(6, 5, 17);
  const std::vector<Box> slabs = slabsOf(small, 4);
  REQUIRE(slabs.size() == 4);
  std::int64_t at = 0;
  for (const Box& slab : slabs) {
    CHECK(slab.begin[2] == at);
    CHECK(slab.size(0) == 6);
    at = slab.end[2];
  }
  CHECK(at == 17);
  CHECK(slabsOf(small, 1).size() == 1);
  // An image is cut along y.
  const std::vector<Box> rows = slabsOf(identityWorkload(6, 5, 1), 3);
  REQUIRE(rows.size() == 3);
  CHECK(rows[1].begin[1] == 2);
  CHECK(rows[1].size(0) == 6);
}
