// Transforms of volumes that are never in memory as a whole: the same bits, errors of files, cancel.
#include "core/wavelet/slabs/streamed_transform.h"

#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <span>
#include <string>

#include "core/base/error.h"
#include "core/base/resident_memory.h"
#include "core/wavelet/job/kinetic_job.h"
#include "core/wavelet/slabs/denoise_slabs.h"
#include "core/wavelet/slabs/kinetic_slabs.h"
#include "core/wavelet/slabs/magic_slabs.h"
#include "core/wavelet/slabs/restored_from.h"
#include "core/workload/workload_options.h"
#include "tests/agreement/fake_streams.h"
#include "tests/agreement/machine.h"
#include "tests/agreement/turns.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr std::int64_t kMuch = std::int64_t{1} << 40;

struct StreamedRun {
  StreamedRun(const SlabTransform& transform, const Volume& input, std::int64_t most)
      : source(input),
        sparse(outlineOf(input)),
        sink(static_cast<std::size_t>(transform.outline().bytes())),
        stream{
            .transform = transform, .source = source, .input = sparse, .memory = kMuch, .see = {}, .mostPlanes = most} {
    sink.planeBytes = sink.written.size() / static_cast<std::size_t>(planesOf(transform.outline().shape));
  }
  StreamedTransformResult run(const Control& control = {}) {
    return runStreamed(stream, planStream(stream, control), sink, control);
  }
  test::FakeSource source;
  reach::SparseVolume sparse;
  test::FakeSink sink;
  StreamedTransform stream;
};

constexpr std::array<std::int64_t, 2> kMostPlanes{1, 9};

void requireSame(const SlabTransform& transform, const Volume& input, const Volume& whole,
                 std::span<const std::int64_t> mostPlanes = kMostPlanes) {
  CHECK(transform.outline().shape == whole.shape());
  CHECK(transform.outline().type == whole.type());
  CHECK(transform.outline().geometry == whole.geometry());
  for (const std::int64_t most : mostPlanes) {
    CAPTURE(most);
    StreamedRun streamed(transform, input, most);
    streamed.stream.verify = most == 9;
    const StreamedTransformResult result = streamed.run();
    REQUIRE(streamed.sink.written.size() == static_cast<std::size_t>(whole.bytes()));
    CHECK(std::memcmp(streamed.sink.written.data(), whole.data(), streamed.sink.written.size()) == 0);
    CHECK_FALSE(streamed.sink.finished);
    CHECK(result.verification.has_value() == streamed.stream.verify);
    CHECK(result.streamed.writtenBytes == whole.bytes());
  }
}

// Every variant that promises the bits of the whole, on the processor's levels in turn with the workloads. Each level
// has a turn with each of its variants once in as many workloads as there are levels. Devices, which compile a kernel
// for every shape, have one of so many workloads that they may have, each with the first variant.
class Rungs {
 public:
  Rungs(const test::TestMachine& machine, std::size_t forDevices)
      : machine_(machine), turns_(machine.chosen(), forDevices, "streamed transforms") {}

  // compare(where, planes of a part), for the next workload.
  template <class Compare>
  void forEach(const Workload& workload, bool devices, Compare compare) {
    ++workloads_;
    int compared = 0;
    for (Engine* engine : machine_.chosen()) {
      const EngineInfo& info = engine->info();
      std::size_t turn = workloads_;
      for (const Variant* row : machine_.variants.rows(workload.name(), info.kind)) {
        ++turn;
        if (!row->belongsTo(info) || !row->twinOf.empty() || row->lower ||
            (row->unsupported && !row->unsupported(info, workload).empty()))
          continue;
        if (info.isDevice() && !devices) continue;
        if (info.isDevice() && row != machine_.variants.rows(workload.name(), info.kind).front()) continue;
        if (!turns_.takes(*engine, turn, *row)) continue;
        CAPTURE(info.id, row->name, test::Sampling::howToRepeat());
        const EngineChoice where{.engine = info.id, .variant = row->name};
        if (machine_.variants.prepare(*engine, workload, row->name, {}, {})->grain() != 1) continue;
        const bool thick = test::inShare(turn, 2, turns_.sampling().named("planes"));
        compare(where,
                turns_.sampling().all ? std::span(kMostPlanes) : std::span(kMostPlanes).subspan(thick ? 1 : 0, 1));
        ++compared;
        engines_.insert(info.id);
      }
    }
    CHECK(compared >= 1);
  }

  // At the end: nothing was left out because of its turns.
  void requireEach() const {
    for (const Engine* engine : machine_.chosen()) {
      INFO(engine->info().id << ", " << test::Sampling::howToRepeat());
      CHECK(engines_.contains(engine->info().id));
    }
  }

 private:
  const test::TestMachine& machine_;
  test::Turns turns_;
  std::size_t workloads_ = 0;
  std::set<std::string> engines_;  // that compared something
};

OptionValues magicValuesOf(const char* direction, const char* boundary) {
  return completeOptions(MagicWorkload::options(),
                         {{"direction", std::string(direction)}, {"boundary", std::string(boundary)}});
}

Volume asF64(const Volume& volume) { return convertedToReal(volume, ElementType::f64, {}); }

DenoiseJob denoiseJob(const char* wavelet, int levels) {
  DenoiseJob job;
  job.dwt.wavelet = wavelet;
  job.dwt.levels = levels;
  job.threshold = 0.3;
  return job;
}

}  // namespace

TEST_CASE("the magic filter by slabs has the bits of the whole", "[streamed]") {
  const test::TestMachine machine;
  Rungs rungs(machine, 4);
  std::uint64_t seed = 3;
  // The last is an image, whose planes are rows.
  for (const VolumeShape& shape : {VolumeShape{13, 10, 37, 1}, {20, 18, 19, 1}, {23, 41, 1, 1}})
    for (const char* boundary : {"periodic", "free"})
      for (const char* direction : {"forward", "inverse"}) {
        if (std::string(boundary) == "free" && std::string(direction) == "inverse" && shape.nx < 16) continue;
        const OptionValues values = magicValuesOf(direction, boundary);
        Volume input = test::randomVolume(shape, ElementType::f32, ++seed);
        Geometry geometry;
        geometry.spacing = {0.5, 1.25, 3};
        geometry.origin = {-10, 20.5, 7};
        input.setGeometry(geometry);
        const MagicWorkload workload(componentSpec(shape, ElementType::f64), values);
        rungs.forEach(workload, shape.nz == 19, [&](const EngineChoice& where, std::span<const std::int64_t> planes) {
          CAPTURE(shape.text(), boundary, direction);
          const Volume whole =
              runTransform(machine.engines, machine.variants, workload, asF64(input), where, {}).output;
          requireSame(MagicSlabs(machine.engines, machine.variants, outlineOf(input), values, where), input, whole,
                      planes);
        });
      }
  rungs.requireEach();
}

TEST_CASE("the magic filter by slabs filters every component", "[streamed]") {
  const test::TestMachine machine;
  const OptionValues values = magicValuesOf("forward", "periodic");
  const Volume input = test::randomVolume({9, 11, 23, 3}, ElementType::u16, 8);
  const MagicWorkload workload(componentSpec(input.shape(), ElementType::f64), values);
  const Volume whole = runTransform(machine.engines, machine.variants, workload, asF64(input), {}, {}).output;
  requireSame(MagicSlabs(machine.engines, machine.variants, outlineOf(input), values, {}), input, whole);
}

TEST_CASE("the kinetic operator by slabs has the bits of the whole", "[streamed]") {
  const test::TestMachine machine;
  std::uint64_t seed = 30;
  for (const VolumeShape& shape : {VolumeShape{13, 10, 37, 1}, {23, 41, 1, 1}}) {
    const Volume input = test::randomVolume(shape, ElementType::f32, ++seed);
    for (const Engine* engine : machine.chosen()) {
      CAPTURE(shape.text(), engine->info().id);
      EngineChoice where;
      where.engine = engine->info().id;
      const Volume whole = kineticTransform(machine.engines, machine.variants, 8, asF64(input), where, {}).output;
      requireSame(KineticSlabs(machine.engines, machine.variants, outlineOf(input), 8, where), input, whole);
    }
    const KineticSlabs slabs(machine.engines, machine.variants, outlineOf(input), 8,
                             {.engine = "cpu:scalar", .variant = "simple"});
    CHECK_THROWS_WITH(StreamedRun(slabs, input, 4).run(), ContainsSubstring("leave --variant out"));
  }
}

TEST_CASE("denoising by slabs has the bits of the whole", "[streamed]") {
  const test::TestMachine machine;
  struct Row {
    const char* wavelet;
    int levels;
    VolumeShape shape;
    ElementType type;
  };
  Rungs rungs(machine, 2);
  std::uint64_t seed = 60;
  // Extents that are multiples of 2^levels and others; images; components.
  for (const Row& row : {Row{"haar", 1, {13, 10, 37, 1}, ElementType::f32},
                         {"sym8", 1, {16, 12, 64, 1}, ElementType::f32},
                         {"db3", 2, {11, 13, 45, 1}, ElementType::f64},
                         {"sym8", 3, {17, 16, 75, 1}, ElementType::u8},
                         {"sym5", 2, {30, 71, 1, 1}, ElementType::i16},
                         {"db2", 2, {9, 8, 21, 3}, ElementType::f32}}) {
    const DenoiseJob given = denoiseJob(row.wavelet, row.levels);
    const Volume input = test::randomVolume(row.shape, row.type, ++seed);
    const DwtWorkload workload = dwtWorkload(given.dwt, componentSpec(row.shape, realTypeFor(row.type)), true);
    rungs.forEach(workload, row.levels == 1, [&](const EngineChoice& where, std::span<const std::int64_t> planes) {
      CAPTURE(row.wavelet, row.levels, row.shape.text());
      DenoiseJob job = given;
      job.dwt.where = where;
      const Volume whole = denoise(machine.engines, machine.variants, job, input, {}).volume;
      requireSame(DenoiseSlabs(machine.engines, machine.variants, outlineOf(input), job), input, whole, planes);
    });
  }
  rungs.requireEach();
}

TEST_CASE("slices of a volume are denoised each by itself, and a given noise gives the threshold", "[streamed]") {
  const test::TestMachine machine;
  DenoiseJob job = denoiseJob("sym8", 2);
  job.dwt.dimensions = 2;
  job.mode = ThresholdMode::Hard;
  job.threshold.reset();
  job.sigma = 0.1;
  job.rule = ShrinkageRule::Visu;
  const Volume input = test::randomVolume({30, 21, 14, 1}, ElementType::f32, 8);
  const DenoiseResult whole = denoise(machine.engines, machine.variants, job, input, {});
  const DenoiseSlabs slabs(machine.engines, machine.variants, outlineOf(input), job);
  CHECK(slabs.threshold() == whole.thresholds.back());
  CHECK(slabs.slabOf({3, 5}).planes == std::vector<std::int64_t>{3, 4});
  requireSame(slabs, input, whole.volume);
}

TEST_CASE("what slabs cannot be denoised with is refused with the reason", "[streamed]") {
  const test::TestMachine machine;
  const VolumeOutline input{{32, 32, 32, 1}, ElementType::f32, {}};
  const auto refused = [&](const DenoiseJob& job, const char* why) {
    CHECK_THROWS_WITH(DenoiseSlabs(machine.engines, machine.variants, input, job), ContainsSubstring(why));
  };
  DenoiseJob job = denoiseJob("sym8", 2);
  job.shifts = 1;
  refused(job, "leave --shifts out");
  job = denoiseJob("sym8", 2);
  job.threshold.reset();
  refused(job, "give --threshold, or --sigma with --rule visu");
  job.sigma = 1;
  refused(job, "give --threshold, or --sigma with --rule visu");
  job.sigma = -1;
  refused(job, "cannot be negative");
}

TEST_CASE("variants that round slabs otherwise are refused", "[streamed]") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({12, 10, 30, 1}, ElementType::f32, 8);
  if (machine.engines.find("cpu:sse4") == nullptr) SSCOPE_SKIP("this processor has no SSE4");
  const MagicSlabs slabs(machine.engines, machine.variants, outlineOf(input), magicValuesOf("forward", "periodic"),
                         {.engine = "cpu:sse4", .variant = "sse-t"});
  StreamedRun streamed(slabs, input, 4);
  CHECK_THROWS_WITH(streamed.run(), ContainsSubstring("gives other bits for slabs than for the whole"));
}

TEST_CASE("samples are restored from no more than the taps of all levels reach", "[streamed]") {
  CHECK(restoredFrom(waveletNamed("haar"), 1, {4, 6}) == Range{4, 6});
  CHECK(restoredFrom(waveletNamed("haar"), 1, {5, 6}) == Range{4, 6});
  CHECK(restoredFrom(waveletNamed("haar"), 3, {9, 17}) == Range{8, 24});
  for (const char* name : {"db2", "sym8", "db10"}) {
    const Wavelet& wavelet = waveletNamed(name);
    for (const int levels : {1, 2, 3}) {
      const Range read = restoredFrom(wavelet, levels, {64, 80});
      const std::int64_t reach = wavelet.taps() * ((std::int64_t{1} << levels) - 1);
      CHECK(read.begin <= 64);
      CHECK(read.end >= 80);
      CHECK(read.begin >= 64 - reach);
      CHECK(read.end <= 80 + reach);
    }
  }
}

TEST_CASE("however many cores compare slabs, they take a share of the memory", "[streamed]") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({64, 60, 90, 1}, ElementType::f32, 3);
  const MagicSlabs magic(machine.engines, machine.variants, outlineOf(input), magicValuesOf("forward", "periodic"), {});
  const DenoiseSlabs denoising(machine.engines, machine.variants, outlineOf(input), denoiseJob("sym8", 1));
  constexpr int kCores = 64;
  tbb::task_arena many(kCores);
  for (const SlabTransform* slabs :
       {static_cast<const SlabTransform*>(&magic), static_cast<const SlabTransform*>(&denoising)}) {
    StreamedRun streamed(*slabs, input, 20);
    streamed.stream.memory = residentMemory() + (std::int64_t{160} << 20);
    const auto planned = [&] { return many.execute([&] { return planStream(streamed.stream, {}); }); };
    CHECK(planned().verifiers == 0);
    const std::int64_t without = planned().bytes;
    streamed.stream.verify = true;
    const reach::SlabPlan plan = planned();
    std::int64_t planes = 0;
    for (const Range& part : plan.slabs) planes = std::max(planes, std::ssize(slabs->slabOf(part).planes));
    const std::int64_t bytes = plan.verifiers * slabs->bytesToVerify(planes);
    CHECK(plan.verifiers >= 1);
    // An eighth of the memory may hold what all cores need, where the process is large (a device's libraries).
    CHECK((plan.verifiers < kCores || kCores * slabs->bytesToVerify(planes) <= streamed.stream.memory / 8));
    CHECK(bytes <= std::max(streamed.stream.memory / 8, slabs->bytesToVerify(planes)));
    if (plan.thick == 20) CHECK(plan.bytes == without + bytes);
    CHECK(streamed.run().verification->verified);
  }
}

TEST_CASE("an error of a file ends a streamed transform, and so does a cancel", "[streamed]") {
  const test::TestMachine machine;
  const Volume input = test::randomVolume({24, 20, 60, 1}, ElementType::f32, 3);
  const MagicSlabs slabs(machine.engines, machine.variants, outlineOf(input), magicValuesOf("forward", "periodic"), {});
  {
    StreamedRun streamed(slabs, input, 5);
    streamed.source.failsAt = 31;
    CHECK_THROWS_WITH(streamed.run(), ContainsSubstring("it became shorter"));
  }
  {
    StreamedRun streamed(slabs, input, 5);
    streamed.sink.failsAt = 20;
    CHECK_THROWS_WITH(streamed.run(), ContainsSubstring("the disk is full"));
  }
  StreamedRun streamed(slabs, input, 5);
  streamed.stream.memory = 1 << 20;
  CHECK_THROWS_WITH(streamed.run(), ContainsSubstring("its sums read 16 of 60 planes at once, and 1 MiB are allowed"));
  streamed.stream.memory = kMuch;
  std::stop_source stop;
  const Control control{stop.get_token(), [&](double fraction, std::string_view) {
                          if (fraction > 0.5) stop.request_stop();
                        }};
  CHECK_THROWS_AS(streamed.run(control), Canceled);
}
