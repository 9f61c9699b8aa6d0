#include "core/compare/lane_explanation.h"

#include <algorithm>

#include "core/compare/capsule.h"
#include "core/compare/checked_json.h"
#include "tests/compare/race_scene.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
using namespace sscope::compare;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string words(const LaneExplanation& explanation, const std::string& topic) {
  const auto found = std::ranges::find(explanation.rows, topic, &ExplainedRow::topic);
  return found == explanation.rows.end() ? "" : found->words;
}

// Of a single slab, from second 1 to 4.
Lane laneWith(const Phases& phases, std::vector<RunSpan> spans = {}) {
  Lane lane;
  lane.first.emplace();
  lane.first->slabs = {{{}, 1, 4, phases, std::move(spans)}};
  return lane;
}

}  // namespace

TEST_CASE("a lane is explained by what it told, with its memory and its slabs") {
  RaceScene scene;
  scene.addCopy();
  scene.wish.contenders = {{"opencl:1", "copy"}};
  std::vector<Lane> lanes = scene.run();
  REQUIRE(lanes.at(0).hasFigures());
  lanes[0].measurement.predictedSeconds = 0.25;
  const LaneExplanation explanation = explained(lanes[0]);
  CHECK_THAT(words(explanation, "ran"), ContainsSubstring("copy on opencl:1"));
  CHECK(words(explanation, "why") == "there is no other");
  CHECK(words(explanation, "plan") == "copies");
  CHECK_THAT(words(explanation, "predicted"), ContainsSubstring("250 ms") && ContainsSubstring("2.00 times as long"));
  CHECK_THAT(words(explanation, "time of a run"), ContainsSubstring("upload"));
  CHECK_THAT(words(explanation, "first result"), ContainsSubstring("in 4 slabs"));
  REQUIRE(explanation.memory.size() == 3);  // the fake engine has no device memory
  CHECK(explanation.memory[0].bytes == 9 * 7 * 10 * 4);
  CHECK(explanation.memory[1].bytes == 9 * 7 * 10 * 4);
  CHECK(explanation.memory[2].bytes == 4096);
  // Every span lies in its slab, one after the other.
  const std::vector<SlabTime>& slabs = lanes[0].first->slabs;
  REQUIRE_FALSE(explanation.slabs.spans.empty());
  double before = 0;
  for (const KernelSpan& span : explanation.slabs.spans) {
    const SlabTime& slab = slabs.at(static_cast<std::size_t>(span.iteration - 1));
    CHECK(span.start >= slab.begin);
    CHECK(span.end <= slab.end);
    CHECK(span.start >= before);
    before = span.end;
  }
  CHECK_THAT(explanationCsv(lanes), ContainsSubstring("opencl:1 copy,why,there is no other") &&
                                        ContainsSubstring("opencl:1 copy,memory on host: scratch of the plan,4096"));
}

TEST_CASE("what a slab did is drawn as it was recorded, after its preparation") {
  Lane lane = laneWith({.compile = 0.5, .kernel = 2}, {{"upload", 1.5, 2.5}, {"fused", 2, 3}, {"download", 3, 5}});
  lane.measurement.engine = "cuda:0";
  lane.first->buffers = {{"gathered rows", 4096, true},
                         {"periodic output", 100},
                         {"links", 7, true, "cuda:1"},
                         {"tiles", 8, false, "cpu:avx2"}};
  nlohmann::json document = toJson(lane);
  document["row"]["skipped"] = "not looked at here";
  const LaneExplanation explanation = explained(laneFrom(CheckedJson(document)));
  const std::vector<KernelSpan>& spans = explanation.slabs.spans;
  REQUIRE(spans.size() == 4);
  CHECK(spans[0].kernel == "compile");
  CHECK(spans[0].end == 1.5);
  CHECK(spans[1].kernel == "upload");
  CHECK(spans[2].kernel == "fused");
  CHECK(spans[2].start == 2);
  CHECK(spans[2].end == 3);
  CHECK(spans[3].end == 4);  // not beyond the slab
  REQUIRE(explanation.memory.size() == 6);
  CHECK(explanation.memory[2].where == "cuda:0");
  CHECK(explanation.memory[2].what == "gathered rows");
  CHECK(explanation.memory[2].bytes == 4096);
  CHECK(explanation.memory[3].where == "host");
  CHECK(explanation.memory[4].where == "cuda:1");
  CHECK(explanation.memory[4].what == "links");
  CHECK(explanation.memory[5].where == "host");
  CHECK(explanation.memory[5].what == "cpu:avx2: tiles");
  document["first"]["slabs"][0]["spans"][0]["begin_s"] = -1;
  CHECK_THROWS_WITH(laneFrom(CheckedJson(document)), ContainsSubstring("begin_s"));
}

TEST_CASE("first results record what they do") {
  RaceScene scene;
  scene.addCopy();
  scene.wish.contenders = {{"opencl:1", "copy"}};
  const std::vector<Lane> lanes = scene.run();
  REQUIRE(lanes.at(0).first);
  for (const SlabTime& slab : lanes[0].first->slabs) {
    REQUIRE(slab.spans.size() == 1);  // the whole run of a plan that records nothing itself
    CHECK(slab.spans[0].begin >= slab.begin);
    CHECK(slab.spans[0].end <= slab.end);
    CHECK(slab.spans[0].end > slab.spans[0].begin);
  }
}

TEST_CASE("phases that ran at the same time are drawn as long as they took together") {
  const KernelTrace trace = explained(laneWith({.upload = 2, .kernel = 2, .overlap = 2})).slabs;
  REQUIRE(trace.spans.size() == 3);
  CHECK(trace.spans[0].kernel == "upload");
  CHECK(trace.spans[0].end == Approx(2));
  CHECK(trace.spans[1].kernel == "kernel");
  CHECK(trace.spans[1].end == Approx(3));
  CHECK(trace.spans[2].kernel == "rest");
  CHECK(trace.spans[2].end == Approx(4));
}

TEST_CASE("a lane without figures is explained by its reason, and memory survives a capsule") {
  RaceScene scene;
  scene.addCopy();
  scene.wish.contenders = {{"cuda:0", ""}, {"opencl:0", ""}};
  const std::vector<Lane> lanes = scene.run();
  CHECK_THAT(words(explained(lanes.at(0)), "no figures"), ContainsSubstring("libcuda.so.1 not found"));
  CHECK(explained(lanes.at(0)).memory.empty());
  Lane there = lanes.at(1);
  REQUIRE(there.first);
  there.first->memory.device = {300, 200, 1000};
  const nlohmann::json document = toJson(there);
  const Lane back = laneFrom(CheckedJson(document));
  REQUIRE(back.first);
  CHECK(back.first->memory.input == there.first->memory.input);
  CHECK(back.first->memory.outputs == there.first->memory.outputs);
  REQUIRE(explained(back).memory.size() == 6);
  CHECK(explained(back).memory[3].where == "opencl:0");
  CHECK(explained(back).memory[3].bytes == 200);
  CHECK(explained(back).memory[5].bytes == 1000);
}
