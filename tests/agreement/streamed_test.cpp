// Volumes that are never in memory as a whole: the same bits, errors of files, cancel.
#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>

#include "core/base/error.h"
#include "core/filter/families/family.h"
#include "core/filter/job/streamed_filter.h"
#include "core/filter/program/program_workload.h"
#include "core/parts/partition.h"
#include "tests/agreement/fake_streams.h"
#include "tests/agreement/jobs.h"
#include "tests/agreement/machine.h"
#include "tests/agreement/turns.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

using namespace sscope;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr std::int64_t kEnough = std::int64_t{1} << 40;

struct Streamed {
  explicit Streamed(const Volume& input) : source(input), sparse(outlineOf(input)) {}

  StreamedFilter filterOf(const test::TestMachine& machine, const FilterJob& job, std::int64_t most) {
    return {.engines = machine.engines,
            .variants = machine.variants,
            .job = job,
            .source = source,
            .input = sparse,
            .memory = kEnough,
            .see = [this](std::int64_t,
                          std::span<const std::byte> voxels) { seen += static_cast<std::int64_t>(voxels.size()); },
            .mostPlanes = most};
  }
  void makeSinks(const FilterResult& whole, std::int64_t planes) {
    for (const Volume& output : whole.outputs) {
      auto sink = std::make_unique<test::FakeSink>(static_cast<std::size_t>(output.bytes()));
      sink->planeBytes = static_cast<std::size_t>(output.bytes() / planes);
      sinks.push_back(std::move(sink));
    }
  }
  [[nodiscard]] test::FakeSink& sink(std::size_t i) const { return dynamic_cast<test::FakeSink&>(*sinks.at(i)); }

  test::FakeSource source;
  reach::SparseVolume sparse;
  std::vector<std::unique_ptr<VolumeSink>> sinks;
  std::int64_t seen = 0;
};

Box boxOf(const Streamed& streamed, const Range& slab) {
  return reach::slab(streamed.sparse.volume().spec().extent, streamed.sparse.axis(), {slab.begin, slab.end});
}

// Streams in slabs of at most `most` planes and compares with the whole.
void requireStreamed(const test::TestMachine& machine, const FilterJob& job, const Volume& input, std::int64_t most) {
  CAPTURE(job.engine, most, input.shape().text(), toString(job.bank.boundary));
  const FilterResult whole = runFilter(machine.engines, machine.variants, job, input, {});
  Streamed streamed(input);
  const StreamedFilter filter = streamed.filterOf(machine, job, most);
  const reach::SlabPlan plan = planStream(filter, {});
  const std::int64_t planes = streamed.sparse.planes();
  if (most < planes) CHECK(plan.slabs.size() >= 1);
  streamed.makeSinks(whole, planes);
  const StreamedResult result = runStreamed(filter, plan, streamed.sinks, {});
  CHECK(result.names == whole.names);
  CHECK(result.report.saturated == whole.report.saturated);
  for (std::size_t i = 0; i < whole.outputs.size(); ++i) {
    CAPTURE(whole.names.at(i));
    const auto& output = whole.outputs[i];
    CHECK(std::memcmp(streamed.sink(i).written.data(), output.data(), static_cast<std::size_t>(output.bytes())) == 0);
    CHECK_FALSE(streamed.sink(i).finished);
  }
  CHECK(streamed.seen <= input.bytes());
}

}  // namespace

TEST_CASE("streamed results have the bits of those in memory") {
  const test::TestMachine machine;
  const std::vector<std::vector<std::string>> banks{
      {"gaussian:sigma=1.2", "median", "laplacian"},
      {"bilateral", "entropy:size=5,bins=16"},
      {"gaussian:sigma=1,name=s,intermediate=true", "sobel:axis=x,input=s,name=gx", "sobel:axis=z,input=s,name=gz",
       "formula:e=sqrt(gx^2+gz^2),name=g"},
  };
  const test::Turns turns(machine.chosen(), 7, "streamed banks");
  std::size_t number = 0;
  for (const auto& one : test::coveringArray({banks.size(), std::size(kBoundaries), 3}, turns.sampling()))
    for (const Engine* engine : turns.of(number++)) {
      INFO(test::Sampling::howToRepeat());
      FilterJob job = test::jobOf(banks[one[0]], engine->info().id);
      job.bank.boundary = kBoundaries[one[1]];
      const std::int64_t most = std::array{1, 4, 11}[one[2]];
      requireStreamed(machine, job, test::randomVolume({37, 11, 23, 1}, ElementType::i16, number), most);
    }
}

TEST_CASE("images, components and results that share a volume are streamed, too") {
  const test::TestMachine machine;
  FilterJob job = test::jobOf({"gaussian:sigma=1.2", "box:size=5"}, machine.engines.preferred().info().id);
  requireStreamed(machine, job, test::randomVolume({41, 29, 1, 1}, ElementType::u8, 3), 6);
  requireStreamed(machine, job, test::randomVolume({19, 13, 17, 3}, ElementType::f32, 3), 5);
  job.interleave = true;
  requireStreamed(machine, job, test::randomVolume({19, 13, 17, 2}, ElementType::f32, 4), 5);
}

TEST_CASE("with wrap, both ends of a file are read for the first and the last slab") {
  const test::TestMachine machine;
  FilterJob job = test::jobOf({"box:size=5"}, machine.engines.preferred().info().id);
  job.bank.boundary = Boundary::wrap;
  const Volume input = test::randomVolume({33, 7, 40, 1}, ElementType::f32, 3);
  Streamed streamed(input);
  const reach::SlabPlan plan = planStream(streamed.filterOf(machine, job, 10), {});
  REQUIRE(plan.slabs.size() == 4);
  CHECK(plan.needed[0] == std::vector<Range>{{0, 12}, {38, 40}});
  CHECK(plan.needed[1] == std::vector<Range>{{8, 22}});
  CHECK(plan.needed[3] == std::vector<Range>{{0, 2}, {28, 40}});
}

TEST_CASE("the memory of the slab that takes the most is planned, also where the last one is small") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({24, 20, 64, 1}, ElementType::u8, 3);
  for (const char* spec : {"coherence:steps=1", "tv:steps=2", "peronamalik:steps=2", "nlmeans", "guided", "frangi"})
    for (const std::int64_t most : {48, 63, 22}) {
      CAPTURE(spec, most);
      const FilterJob job = test::jobOf({spec}, "cpu:scalar");
      Streamed streamed(input);
      const StreamedFilter filter = streamed.filterOf(machine, job, most);
      const reach::SlabPlan plan = planStream(filter, {});
      REQUIRE(plan.slabs.size() > 1);
      std::int64_t scratch = 0, resultPlane = 0;
      for (const ArraySpec& output : bankWorkload(job.bank, input.spec(), input.geometry(), false)->outputs())
        resultPlane += output.bytes() / streamed.sparse.planes();
      const std::int64_t held = reach::mostPlanes(plan.needed) * streamed.sparse.planeBytes() +
                                std::min(2 * plan.thick, streamed.sparse.planes()) * resultPlane;
      for (const Range& slab : plan.slabs) {
        FilterJob one = job;
        one.region = boxOf(streamed, slab);
        one.asWhole = true;
        scratch = std::max(scratch, PreparedFilter(machine.engines, machine.variants, one, input, {}).scratchBytes());
      }
      CHECK(plan.bytes == held + scratch);
    }
}

TEST_CASE("the planes that a slab reads are those of its workload, however few were asked") {
  const test::TestMachine machine;
  for (const std::vector<std::string>& bank : {std::vector<std::string>{"gaussian:sigma=1.2"},
                                               {"guided:radius=2", "box:size=3"},
                                               {"stddev:radius=1", "median"},
                                               {"box:size=5,name=b,intermediate=true", "formula:e=source-b,name=f"}})
    for (const Boundary boundary : {Boundary::mirror, Boundary::wrap})
      for (const std::int64_t thick : {1, 3}) {
        FilterJob job = test::jobOf(bank, "cpu:scalar");
        job.bank.boundary = boundary;
        const Volume input = test::randomVolume({33, 4, 61, 1}, ElementType::u8, 1);
        Streamed streamed(input);
        const reach::SlabPlan plan = planStream(streamed.filterOf(machine, job, thick), {});
        INFO(bank.front() << ", " << toString(boundary) << ", " << plan.thick << " planes");
        REQUIRE(plan.slabs.size() > 8);
        const auto workload = bankWorkload(job.bank, input.spec(), input.geometry(), false);
        for (std::size_t part = 0; part < plan.slabs.size(); ++part)
          CHECK(plan.needed[part] == workload->reachAlong(streamed.sparse.axis(), boxOf(streamed, plan.slabs[part])));
      }
}

TEST_CASE("memory that does not suffice is refused with what it takes, and little is cut thin") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({64, 64, 64, 1}, ElementType::f32, 3);
  FilterJob job = test::jobOf({"box:size=33"}, "cpu:scalar");
  Streamed streamed(input);
  StreamedFilter filter = streamed.filterOf(machine, job, 0);
  filter.memory = 1 << 20;
  try {
    static_cast<void>(planStream(filter, {}));
    FAIL("it was planned");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::Memory);
    CHECK_THAT(error.what(), ContainsSubstring("its filters read 33 of 64 planes at once, and 1 MiB are allowed"));
  }
}

TEST_CASE("an error of a file ends a streamed job, and so does a cancel") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({64, 64, 48, 1}, ElementType::f32, 3);
  const FilterJob job = test::jobOf({"gaussian:sigma=1", "box:size=3"}, machine.engines.preferred().info().id);
  const FilterResult whole = runFilter(machine.engines, machine.variants, job, input, {});
  {
    Streamed streamed(input);
    const StreamedFilter filter = streamed.filterOf(machine, job, 5);
    streamed.makeSinks(whole, 48);
    streamed.source.failsAt = 31;
    CHECK_THROWS_WITH(runStreamed(filter, planStream(filter, {}), streamed.sinks, {}),
                      ContainsSubstring("it became shorter"));
  }
  {
    Streamed streamed(input);
    const StreamedFilter filter = streamed.filterOf(machine, job, 5);
    streamed.makeSinks(whole, 48);
    streamed.sink(1).failsAt = 20;
    CHECK_THROWS_WITH(runStreamed(filter, planStream(filter, {}), streamed.sinks, {}),
                      ContainsSubstring("the disk is full"));
  }
  Streamed streamed(input);
  const StreamedFilter filter = streamed.filterOf(machine, job, 5);
  streamed.makeSinks(whole, 48);
  std::stop_source stop;
  std::mutex mutex;  // every thread that filters tells
  std::vector<std::string> told;
  const Control control{stop.get_token(), [&](double fraction, std::string_view stage) {
                          const std::lock_guard lock(mutex);
                          told.emplace_back(stage);
                          if (fraction > 0.5) stop.request_stop();
                        }};
  CHECK_THROWS_AS(runStreamed(filter, planStream(filter, {}), streamed.sinks, control), Canceled);
  REQUIRE_FALSE(told.empty());
  CHECK(told.front() == "slab 1 of 10");
}

TEST_CASE("streamed results are verified slab by slab") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({32, 20, 40, 1}, ElementType::f32, 3);
  const FilterJob job = test::jobOf({"gaussian:sigma=1"}, machine.engines.preferred().info().id);
  const FilterResult whole = runFilter(machine.engines, machine.variants, job, input, {});
  Streamed streamed(input);
  StreamedFilter filter = streamed.filterOf(machine, job, 2);
  filter.verify = true;
  streamed.makeSinks(whole, 40);
  const StreamedResult result = runStreamed(filter, planStream(filter, {}), streamed.sinks, {});
  REQUIRE(result.verification);
  CHECK(result.verification->verified);
  CHECK(result.verification->compared > 0);
  CHECK_THAT(result.verification->coverage, ContainsSubstring(" of 20 slabs"));
}

// Half of the voxels lie so near to a step of floor that rounding decides them.
TEST_CASE("the verdict of slabs does not depend on which comes first, and says what was not judged") {
  const test::TestMachine machine;
  const FilterJob job = test::jobOf({"formula:e=floor((source*0.5+1)/41*41-1)"}, machine.engines.preferred().info().id);
  for (const bool zerosFirst : {true, false}) {
    Volume input({32, 20, 40, 1}, ElementType::f32);
    const auto values = input.elements<float>();
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = (i < values.size() / 2) == zerosFirst ? 0 : 1.5F;
    Streamed streamed(input);
    StreamedFilter filter = streamed.filterOf(machine, job, 2);
    filter.verify = true;
    streamed.makeSinks(runFilter(machine.engines, machine.variants, job, input, {}), 40);
    const StreamedResult result = runStreamed(filter, planStream(filter, {}), streamed.sinks, {});
    REQUIRE(result.verification);
    CHECK(result.verification->verified);
    CHECK(result.verification->failure.empty());
    CHECK(result.verification->unjudged > 0);
    CHECK_THAT(result.verification->coverage, ContainsSubstring("more cannot be judged"));
  }
}

TEST_CASE("slabs of which none can be judged are refused as the whole is") {
  const test::TestMachine machine;
  const FilterJob job = test::jobOf({"formula:e=floor((source*0.5+1)/41*41-1)"}, machine.engines.preferred().info().id);
  Volume input({32, 20, 40, 1}, ElementType::f32);
  std::ranges::fill(input.elements<float>(), 0.0F);
  Streamed streamed(input);
  StreamedFilter filter = streamed.filterOf(machine, job, 2);
  filter.verify = true;
  streamed.makeSinks(runFilter(machine.engines, machine.variants, job, input, {}), 40);
  CHECK_THROWS_WITH(runStreamed(filter, planStream(filter, {}), streamed.sinks, {}),
                    ContainsSubstring("cannot be compared: of formula, rounding decides every element"));
}
