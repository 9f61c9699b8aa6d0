#include "core/compare/contract.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/base/error.h"
#include "tests/compare/race_scene.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
using namespace sscope::compare;
using Catch::Matchers::ContainsSubstring;

namespace {

std::unique_ptr<Workload> identityOf(const ArraySpec& spec) {
  return std::make_unique<FilterWorkload>(identityWorkload(spec.extent[0], spec.extent[1], spec.extent[2]));
}

Contract contractOf(RaceScene& scene, const ArraySpec& whole) {
  return probed({scene.engines, scene.variants, scene.gate}, identityOf, whole, scene.wish.contenders, 0, {});
}

const ProbeOutcome& outcome(const LaneContract& lane, const std::string& probe) {
  const auto found = std::ranges::find(lane.outcomes, probe, &ProbeOutcome::probe);
  REQUIRE(found != lane.outcomes.end());
  return *found;
}

}  // namespace

TEST_CASE("probes hold what they are named for") {
  for (const ElementType type : kElementTypes) {
    const ArraySpec spec{type, {9, 7, 5, 2}};
    const std::vector<Probe> probes = probesFor(type);
    CHECK(probes.size() == (isInteger(type) ? 7 : 10));
    for (const Probe& probe : probes) {
      INFO(probe.name << " " << toString(type));
      const Volume data = probeVolume(probe, spec);
      CHECK(data.spec() == spec);
      if (probe.name == "impulse") {
        CHECK(data.value(4, 3, 2) > 0);
        CHECK(data.value(4, 3, 2, 1) > 0);
        CHECK(data.value(3, 3, 2) == 0);
      }
      if (probe.name == "corner") CHECK((data.value(0, 0, 0) > 0 && data.value(8, 6, 4) == 0));
      if (probe.name == "last corner") CHECK((data.value(8, 6, 4) > 0 && data.value(0, 0, 0) == 0));
      if (probe.name == "checkerboard") CHECK(data.value(0, 0, 0) > data.value(1, 0, 0));
      if (probe.name == "ramp") CHECK(data.value(8, 6, 4) > data.value(0, 0, 0));
      if (probe.name == "NaN") CHECK((std::isnan(data.value(4, 3, 2)) && data.value(3, 3, 2) >= 0));
      if (probe.name == "large") CHECK(data.value(1, 1, 1) > 1e25);
    }
  }
}

TEST_CASE("contenders that compute what they should keep the contract, absent ones say why not") {
  RaceScene scene;
  scene.addCopy();
  scene.wish.contenders = {{"opencl:0", ""}, {"cuda:0", ""}};
  const Contract contract = contractOf(scene, {ElementType::f32, {100, 100, 100, 1}});
  CHECK(contract.spec.extent == std::array<std::int64_t, 4>{37, 31, 23, 1});
  REQUIRE(contract.lanes.size() == 2);
  CHECK(contract.lanes[0].lane == "opencl:0 copy");
  CHECK(contract.lanes[0].outcomes.size() == contract.probes.size() + 1);
  CHECK(contract.lanes[0].kept());
  CHECK_FALSE(contract.lanes[1].kept());
  CHECK_THAT(contract.lanes[1].outcomes.at(0).reason, ContainsSubstring("libcuda.so.1 not found"));
  CHECK_THAT(toText(contract), ContainsSubstring("37x31x23 f32"));
}

TEST_CASE("the voxel that breaks the contract is named") {
  RaceScene scene;
  scene.add(
      "crooked", [](const std::string&) { return 0.1; },
      [](const Box&, std::span<const ArrayView> outputs) {
        float& last = outputs[0].as<float>()[outputs[0].offset(36, 30, 22)];
        last = last == 1 ? 0.5F : last;  // of corners, constants and checkerboards
      });
  scene.wish.contenders = {{"opencl:0", "crooked"}};
  const Contract contract = contractOf(scene, {ElementType::f32, {64, 64, 64, 1}});
  const LaneContract& lane = contract.lanes.at(0);
  CHECK(outcome(lane, "impulse").failure.empty());
  CHECK(outcome(lane, "repeat").failure.empty());
  for (const char* name : {"last corner", "constant"}) {
    const ProbeOutcome& wrong = outcome(lane, name);
    CHECK_FALSE(wrong.failure.empty());
    REQUIRE(wrong.worst);
    CHECK(wrong.worst->voxel == std::array<std::int64_t, 3>{36, 30, 22});
    CHECK(wrong.worst->first == 0.5);
    CHECK(wrong.worst->second == 1);
  }
  CHECK_THAT(toText(contract), ContainsSubstring("(36, 30, 22): 0.5 for 1"));
  CHECK_THAT(toHtml(contract), ContainsSubstring("(36, 30, 22): 0.5 for 1"));
  CHECK(toJson(contract).at("lanes").at(0).at("kept") == false);
}

TEST_CASE("an engine that gives other bits when it runs again is found") {
  RaceScene scene;
  const auto runs = std::make_shared<std::atomic<int>>(0);
  scene.add(
      "fickle", [](const std::string&) { return 0.1; },
      [runs](const Box&, std::span<const ArrayView> outputs) {
        float& one = outputs[0].as<float>()[outputs[0].offset(2, 2, 2)];
        if (++*runs % 2 == 0) one = std::nextafter(one, 2.0F);  // rounding explains that
      });
  scene.wish.contenders = {{"opencl:0", "fickle"}};
  const Contract contract = contractOf(scene, {ElementType::f32, {20, 20, 20, 1}});
  const ProbeOutcome& again = outcome(contract.lanes.at(0), "repeat");
  CHECK(again.failure == "two runs differ");
  REQUIRE(again.worst);
  CHECK(again.worst->voxel == std::array<std::int64_t, 3>{2, 2, 2});
}

TEST_CASE("probes take extents that the computation takes") {
  const auto even = [](const ArraySpec& spec) -> std::unique_ptr<Workload> {
    if (spec.extent[0] % 4 != 0) throw Error(ErrorKind::Usage, "x must be a multiple of 4");
    return identityOf(spec);
  };
  CHECK(probeSpec(even, {ElementType::f32, {128, 128, 12, 1}}).extent == std::array<std::int64_t, 4>{32, 16, 12, 1});
  CHECK(probeSpec(even, {ElementType::f32, {12, 5, 1, 1}}).extent == std::array<std::int64_t, 4>{12, 5, 1, 1});
}
