// Results that stay on their device: the same bits, whatever part is asked for, and whatever happens to them meanwhile.

#include <array>
#include <cstring>
#include <thread>

#include "core/base/error.h"
#include "core/volume/volume.h"
#include "gpu/gpu_engines.h"
#include "gpu/run/device_engine.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"
#include "tests/support/watched_device.h"

namespace sscope::test {

namespace {

using Arrays = std::vector<std::shared_ptr<ResidentArray>>;

// The memory of a device engine's results, which nothing of an earlier test takes.
ResultStore& freshStore(Engine& engine) {
  forgetBuffers(engine);
  return *dynamic_cast<DeviceEngine&>(engine).results();
}

ResidentRun keptOn(Engine& engine, const Workload& workload, const Volume& input, std::int64_t limit = 0,
                   std::uint64_t identity = 0, const std::string& variant = "auto") {
  PrepareOptions options;
  options.deviceMemoryLimit = limit;
  const auto plan = GpuBench::instance().variants().prepare(engine, workload, variant, options, {});
  const ConstArrayView in = input.view();
  const std::vector<ArraySpec> specs = workload.outputs();
  VolumePool pool;
  return plan->runResident({{&in, 1}, identity}, specs, pool, {});
}

// A box of a volume as read from the array equals the same box of `expected`, to the bit.
bool sameBox(const ConstArrayView& part, const Box& box, const Volume& expected) {
  const auto size = static_cast<std::int64_t>(bytesOf(part.type));
  const ConstArrayView all = expected.view();
  for (std::int64_t z = 0; z < box.size(2); ++z)
    for (std::int64_t y = 0; y < box.size(1); ++y)
      for (std::int64_t x = 0; x < box.size(0); ++x)
        for (std::int64_t c = 0; c < part.extent[3]; ++c)
          if (std::memcmp(part.data + part.offset(x, y, z, c) * size,
                          all.data + all.offset(x + box.begin[0], y + box.begin[1], z + box.begin[2], c) * size,
                          static_cast<std::size_t>(size)) != 0)
            return false;
  return true;
}

Volume roomFor(const ArraySpec& spec, const Box& box) {
  Volume room({box.size(0), box.size(1), box.size(2), static_cast<int>(spec.extent[3])}, spec.type);
  std::memset(room.data(), 0x5A, static_cast<std::size_t>(room.bytes()));
  return room;
}

// All of these boxes, asked for at once, are those of `expected`.
void requireBoxesOf(ResidentArray& array, std::span<const Box> boxes, const Volume& expected) {
  std::vector<Volume> rooms;
  std::vector<BoxCopy> copies;
  rooms.reserve(boxes.size());
  for (const Box& box : boxes) {
    rooms.push_back(roomFor(array.spec(), box));
    copies.push_back({box, rooms.back().view()});
  }
  array.read(copies, {});
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    INFO("box " << i);
    REQUIRE(sameBox(copies[i].to, boxes[i], expected));
  }
}

bool isWhole(ResidentArray& array, const Volume& expected) {
  Volume room = roomFor(array.spec(), wholeBox(array.spec()));
  array.copyTo(room.view(), {});
  return sameBits(room, expected);
}

}  // namespace

TEST_CASE("what stays on a device is what a run gives, in every part", "[resident]") {
  SSCOPE_EACH_DEVICE(engine);
  const std::vector<Operator> bank{separableFilter({{5, 3, 7}, {3, 0, 9}}), faintFilter({3, 3, 5}, {1, 1, 4})};
  INFO(Sampling::howToRepeat());
  constexpr std::array kTypes{ElementType::f32, ElementType::u8, ElementType::i16, ElementType::f64};
  for (const int components : {1, 3})
    for (const ElementType output : sampled(kTypes, components == 1 ? 0 : 1, 2)) {
      const Volume input = randomVolume({23, 19, 17, components}, ElementType::u8, 5);
      const FilterWorkload workload(bank, Boundary::mirror, 0, input.spec(), output);
      const PlanRun run = runOn(*engine, workload, input, "auto");
      ResultStore& store = freshStore(*engine);
      const ResidentRun kept = keptOn(*engine, workload, input);
      INFO(toString(output) << " " << components << " components");
      REQUIRE(kept.outputs.size() == 2);
      CHECK(kept.report.saturated == run.report.saturated);
      CHECK(kept.report.phases.download == 0);
      CHECK(kept.report.phases.kernel > 0);
      for (std::size_t i = 0; i < 2; ++i) {
        ResidentArray& array = *kept.outputs[i];
        CHECK(array.engine() == engine->info().id);
        CHECK(array.spec() == run.outputs[i].spec());
        CHECK(array.deviceBytes() >= array.spec().bytes());
        const ArraySpec& spec = array.spec();
        const std::array<Box, 3> slices{sliceBox(spec, 0, 11), sliceBox(spec, 1, 0), sliceBox(spec, 2, 16)};
        requireBoxesOf(array, slices, run.outputs[i]);
        const std::array<Box, 5> boxes{Box{{3, 4, 5}, {20, 6, 16}}, sliceBox(spec, 0, 22), Box{{0, 0, 0}, {1, 1, 1}},
                                       wholeBox(spec), Box{{22, 18, 16}, {23, 19, 17}}};
        requireBoxesOf(array, boxes, run.outputs[i]);
        CHECK(isWhole(array, run.outputs[i]));
        const auto expected = hostArray({}, std::make_shared<const Volume>(run.outputs[i].clone()));
        for (const std::int64_t step : {1, 7, 23, 100000})
          CHECK(sameBits(array.every(step, {}), expected->every(step, {})));
        CHECK(array.deviceBytes() > 0);  // nothing of that made a copy of the whole
        const auto host = array.host({});
        CHECK(sameBits(*host, run.outputs[i]));
        CHECK(array.host({}) == host);
        requireBoxesOf(array, slices, run.outputs[i]);
      }
      CHECK(store.bytes() >= kept.outputs[0]->deviceBytes() + kept.outputs[1]->deviceBytes());
    }
}

TEST_CASE("slices of a result on a device", "[resident][tiny]") {
  SSCOPE_EACH_DEVICE(engine);
  const Volume input = randomVolume({9, 7, 5, 1}, ElementType::f32, 2);
  const FilterWorkload workload({separableFilter({{3, 3, 3}})}, Boundary::nearest, 0, input.spec(), ElementType::f32);
  const PlanRun run = runOn(*engine, workload, input, "auto");
  const ResidentRun kept = keptOn(*engine, workload, input);
  REQUIRE(kept.outputs[0]->deviceBytes() > 0);
  const ArraySpec& spec = kept.outputs[0]->spec();
  const std::array<Box, 4> boxes{sliceBox(spec, 0, 8), sliceBox(spec, 1, 3), sliceBox(spec, 2, 0),
                                 Box{{1, 2, 3}, {4, 6, 5}}};
  requireBoxesOf(*kept.outputs[0], boxes, run.outputs[0]);
}

TEST_CASE("slices go to views of any strides, and boxes must lie inside", "[resident]") {
  SSCOPE_EACH_DEVICE(engine);
  const Volume input = randomVolume({7, 6, 5, 2}, ElementType::f32, 9);
  const FilterWorkload workload({separableFilter({{3, 3, 3}})}, Boundary::wrap, 0, input.spec(), ElementType::f32);
  const PlanRun run = runOn(*engine, workload, input, "auto");
  const ResidentRun kept = keptOn(*engine, workload, input);
  ResidentArray& array = *kept.outputs[0];
  std::vector<float> planar(7 * 6 * 5 * 2);
  const ArrayView strided{ElementType::f32, reinterpret_cast<std::byte*>(planar.data()), {7, 6, 5, 2}, {1, 7, 42, 210}};
  array.copyTo(strided, {});
  CHECK(sameBox(strided, wholeBox(array.spec()), run.outputs[0]));
  std::vector<float> plane(6 * 5 * 2);
  const ArrayView slice{ElementType::f32, reinterpret_cast<std::byte*>(plane.data()), {1, 6, 5, 2}, {1, 5, 1, 30}};
  const BoxCopy copy{sliceBox(array.spec(), 0, 4), slice};
  array.read({&copy, 1}, {});
  CHECK(sameBox(slice, copy.box, run.outputs[0]));

  const auto refused = [&](const BoxCopy& wrong) {
    try {
      array.read({&wrong, 1}, {});
    } catch (const Error& error) {
      return error.kind() == ErrorKind::Usage;
    }
    return false;
  };
  CHECK(refused({sliceBox(array.spec(), 0, 7), slice}));
  CHECK(refused({sliceBox(array.spec(), 1, 4), slice}));
  ArrayView other = slice;
  other.type = ElementType::i32;
  CHECK(refused({copy.box, other}));
}

TEST_CASE("a box larger than what is gathered at once comes in pieces", "[resident]") {
  SSCOPE_EACH_DEVICE(engine);
  if (!engine->info().fp64) SSCOPE_SKIP(engine->info().id + " has no doubles");
  const Volume input = randomVolume({160, 130, 120, 1}, ElementType::u8, 3);
  const FilterWorkload workload({separableFilter({{3, 0, 0}})}, Boundary::nearest, 0, input.spec(), ElementType::f64);
  const PlanRun run = runOn(*engine, workload, input, "auto");
  const ResidentRun kept = keptOn(*engine, workload, input);
  ResidentArray& array = *kept.outputs[0];
  REQUIRE(array.deviceBytes() > ResultStore::kStagedBytes);
  const std::array<Box, 3> boxes{sliceBox(array.spec(), 2, 60), wholeBox(array.spec()),
                                 Box{{1, 0, 0}, {160, 129, 119}}};
  requireBoxesOf(array, boxes, run.outputs[0]);
  double furthest = 0;
  Control control;
  control.progress = [&](double fraction, std::string_view) { furthest = fraction; };
  Volume room = roomFor(array.spec(), wholeBox(array.spec()));
  array.copyTo(room.view(), control);
  CHECK(furthest == 1);
  std::stop_source source;
  control.stop = source.get_token();
  source.request_stop();
  CHECK_THROWS_AS(array.copyTo(room.view(), control), Canceled);
  CHECK_THROWS_AS(array.host(control), Canceled);
  CHECK(isWhole(array, run.outputs[0]));
}

TEST_CASE("a result outlives its plan, and its memory serves the next one", "[resident]") {
  SSCOPE_EACH_DEVICE(engine);
  const Volume a = randomVolume({31, 17, 9, 1}, ElementType::f32, 1),
               b = randomVolume({31, 17, 9, 1}, ElementType::f32, 2);
  const FilterWorkload workload({separableFilter({{3, 5, 3}})}, Boundary::mirror, 0, a.spec(), ElementType::f32);
  const PlanRun runA = runOn(*engine, workload, a, "auto"), runB = runOn(*engine, workload, b, "auto");
  ResultStore& store = freshStore(*engine);
  REQUIRE(store.bytes() == 0);
  Arrays first = keptOn(*engine, workload, a).outputs;
  const std::int64_t one = store.bytes();
  CHECK(one == first[0]->deviceBytes());
  Arrays second = keptOn(*engine, workload, b).outputs;
  CHECK(store.bytes() == 2 * one);
  (void)runOn(*engine, workload, b, "dense", {}, 5);  // a run that downloads leaves them where they are
  CHECK(first[0]->deviceBytes() == one);
  CHECK(isWhole(*first[0], runA.outputs[0]));
  for (int i = 0; i < 4; ++i) {
    first = std::exchange(second, {});
    second = keptOn(*engine, workload, i % 2 == 0 ? a : b).outputs;
    CHECK(store.bytes() == 2 * one);
    CHECK(isWhole(*first[0], (i % 2 == 0 ? runB : runA).outputs[0]));
    CHECK(isWhole(*second[0], (i % 2 == 0 ? runA : runB).outputs[0]));
  }
  first.clear();
  second.clear();
  second = keptOn(*engine, workload, a).outputs;
  CHECK(store.bytes() == one);  // one result, one piece of memory
}

TEST_CASE("where memory is short, the result asked least recently moves to the host", "[resident]") {
  SSCOPE_EACH_DEVICE(engine);
  const Volume input = randomVolume({64, 64, 32, 1}, ElementType::f32, 4);  // 512 KiB
  const auto workloadOf = [&](std::int64_t taps) {
    return FilterWorkload({separableFilter({{taps, 0, 0}})}, Boundary::nearest, 0, input.spec(), ElementType::f32);
  };
  const std::array<FilterWorkload, 3> workloads{workloadOf(3), workloadOf(5), workloadOf(7)};
  std::vector<PlanRun> runs;
  for (const FilterWorkload& workload : workloads) runs.push_back(runOn(*engine, workload, input, "auto"));
  const std::int64_t limit = (512 << 10) * 7 / 2;  // the input and two results
  const ResultStore& store = freshStore(*engine);
  const Arrays a = keptOn(*engine, workloads[0], input, limit).outputs;
  const Arrays b = keptOn(*engine, workloads[1], input, limit).outputs;
  CHECK(a[0]->deviceBytes() > 0);
  CHECK(b[0]->deviceBytes() > 0);
  CHECK(isWhole(*a[0], runs[0].outputs[0]));  // now b is the one asked least recently
  const Arrays c = keptOn(*engine, workloads[2], input, limit).outputs;
  CHECK(a[0]->deviceBytes() > 0);
  CHECK(b[0]->deviceBytes() == 0);
  CHECK(c[0]->deviceBytes() > 0);
  CHECK(store.bytes() == a[0]->deviceBytes() + c[0]->deviceBytes());
  const std::array<const Arrays*, 3> all{&a, &b, &c};
  for (std::size_t i = 0; i < 3; ++i) {
    ResidentArray& array = *all[i]->front();
    CHECK(isWhole(array, runs[i].outputs[0]));
    const std::array<Box, 1> slice{sliceBox(array.spec(), 0, 7)};
    requireBoxesOf(array, slice, runs[i].outputs[0]);
  }
  // One that does not fit beside its input stays in host memory from the start.
  const Arrays none = keptOn(*engine, workloads[0], input, (512 << 10) * 3 / 2).outputs;
  CHECK(none[0]->deviceBytes() == 0);
  CHECK(isWhole(*none[0], runs[0].outputs[0]));
}

TEST_CASE("a result of a run in tiles lives in host memory", "[resident]") {
  SSCOPE_EACH_DEVICE(engine);
  const Volume input = randomVolume({30, 20, 41, 1}, ElementType::i16, 11);
  const FilterWorkload workload({separableFilter({{5, 3, 7}}), faintFilter({3, 3, 5}, {1, 1, 4})}, Boundary::wrap, 0,
                                input.spec(), ElementType::i16);
  const PlanRun run = runOn(*engine, workload, input, "auto");
  const ResidentRun kept = keptOn(*engine, workload, input, 150000);
  CHECK(kept.report.tiles > 3);
  CHECK(kept.report.saturated == run.report.saturated);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(kept.outputs[i]->deviceBytes() == 0);
    CHECK(kept.outputs[i]->engine() == engine->info().id);
    CHECK(isWhole(*kept.outputs[i], run.outputs[i]));
  }
}

TEST_CASE("a result whose engine has ended is lost unless the host has it", "[resident]") {
  SSCOPE_EACH_DEVICE(engine);
  const Volume input = randomVolume({9, 7, 5, 1}, ElementType::f32, 2);
  const FilterWorkload workload({separableFilter({{3, 3, 3}})}, Boundary::nearest, 0, input.spec(), ElementType::f32);
  const PlanRun run = runOn(*engine, workload, input, "auto");
  Arrays copied, lost;
  {
    EngineSet engines;
    addGpuEngines(engines, watched);
    Engine& own = engines.at(engine->info().id);
    copied = keptOn(own, workload, input).outputs;
    lost = keptOn(own, workload, input).outputs;
    REQUIRE(lost[0]->deviceBytes() > 0);
    (void)copied[0]->host({});
  }
  CHECK(copied[0]->deviceBytes() == 0);
  CHECK(isWhole(*copied[0], run.outputs[0]));
  CHECK(lost[0]->deviceBytes() == 0);
  CHECK(lost[0]->spec() == run.outputs[0].spec());
  try {
    (void)lost[0]->host({});
    FAIL("it is there");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::Device);
  }
}

TEST_CASE("threads read results while others are computed", "[resident][threads]") {
  SSCOPE_EACH_DEVICE(engine);
  const Volume input = randomVolume({31, 17, 9, 1}, ElementType::f32, 1);
  const FilterWorkload workload({separableFilter({{3, 5, 3}})}, Boundary::mirror, 0, input.spec(), ElementType::f32);
  const FilterWorkload other({separableFilter({{5, 3, 4}})}, Boundary::wrap, 0, input.spec(), ElementType::f32);
  const PlanRun run = runOn(*engine, workload, input, "auto"), otherRun = runOn(*engine, other, input, "auto");
  const Arrays shared = keptOn(*engine, workload, input).outputs;
  int right = 0, otherRight = 0;
  {
    std::jthread one([&] {
      for (int i = 0; i < 20; ++i) right += isWhole(*shared[0], run.outputs[0]) ? 1 : 0;
    });
    std::jthread two([&] {
      for (int i = 0; i < 20; ++i)
        otherRight += isWhole(*keptOn(*engine, other, input).outputs[0], otherRun.outputs[0]) ? 1 : 0;
    });
  }
  CHECK(right == 20);
  CHECK(otherRight == 20);
}

}  // namespace sscope::test
