// Copies beside kernels, on a device whose copies happen as late as they can: what does not wait for them goes wrong.

#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <utility>

#include "core/measure/bench.h"
#include "core/volume/volume.h"
#include "gpu/device/copies.h"
#include "gpu/device/device.h"
#include "gpu/opencl/opencl_device.h"
#include "gpu/run/device_engine.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/forwarding_device.h"
#include "tests/support/sampling.h"
#include "tests/support/watched_device.h"

namespace sscope::test {

namespace {

// A copy that is queued when it has been asked for some times whether it has ended.
class LateEvent : public DeviceEvent {
 public:
  using Begin = std::function<std::unique_ptr<DeviceEvent>()>;
  LateEvent(Begin begin, std::atomic<int>& pending) : begin_(std::move(begin)), pending_(pending) { ++pending_; }
  ~LateEvent() override { --pending_; }
  LateEvent(const LateEvent&) = delete;
  LateEvent& operator=(const LateEvent&) = delete;
  bool done() override {
    if (asked_++ < 3) return false;
    if (!event_) event_ = begin_();
    return event_->done();
  }
  double seconds() override { return 0; }
  double startsAfter(DeviceEvent&) override { return 0; }

 private:
  Begin begin_;
  std::atomic<int>& pending_;
  std::unique_ptr<DeviceEvent> event_;
  int asked_ = 0;
};

class HeapMemory : public PinnedMemory {
 public:
  explicit HeapMemory(std::int64_t bytes) : bytes_(static_cast<std::size_t>(bytes), kPoison) {}
  [[nodiscard]] std::span<std::byte> bytes() const override { return bytes_; }

 private:
  mutable std::vector<std::byte> bytes_;
};

// A device, perhaps a processor, that passes for a card.
class LateDevice : public ForwardingDevice {
 public:
  explicit LateDevice(std::unique_ptr<Device> device)
      : ForwardingDevice(std::move(device)), properties_(ForwardingDevice::properties()) {
    properties_.cpu = false;
  }
  [[nodiscard]] const DeviceProperties& properties() const override { return properties_; }
  std::unique_ptr<PinnedMemory> allocatePinned(std::int64_t bytes) override {
    return std::make_unique<HeapMemory>(bytes);
  }
  std::unique_ptr<DeviceBuffer> allocate(std::int64_t bytes) override {
    ++allocations;
    return device().allocate(bytes);
  }
  using ForwardingDevice::write;
  std::unique_ptr<DeviceEvent> write(const DeviceBuffer& buffer, std::int64_t offset, std::span<const std::byte> data,
                                     Queue queue) override {
    if (queue == Queue::Kernels) {
      ++tables;
      return device().write(buffer, offset, data);
    }
    if (++writes == failingWrite) throw Error(ErrorKind::Device, "the write that fails");
    return std::make_unique<LateEvent>(
        [this, &buffer, offset, data] { return device().write(buffer, offset, data, Queue::Uploads); }, pending);
  }
  std::unique_ptr<DeviceEvent> read(const DeviceBuffer& buffer, std::int64_t offset, std::span<std::byte> data,
                                    Queue queue) override {
    if (queue == Queue::Kernels) return device().read(buffer, offset, data);
    if (++reads == failingRead) throw Error(ErrorKind::Device, "the read that fails");
    return std::make_unique<LateEvent>(
        [this, &buffer, offset, data] { return device().read(buffer, offset, data, Queue::Downloads); }, pending);
  }

  std::atomic<int> writes{0}, reads{0}, failingWrite{0}, failingRead{0}, pending{0}, tables{0}, allocations{0};

 private:
  DeviceProperties properties_;
};

// One such device; its kernels need what the OpenCL devices of the tests need.
struct LateBench {
  LateBench() {
    const auto all = GpuBench::instance().devices();
    if (all.front() == nullptr) return;
    OpenClDevices found = findOpenClDevices();
    if (found.devices.empty()) return;
    auto late = std::make_unique<LateDevice>(watched(std::move(found.devices.front())));
    device = late.get();
    engine = std::make_unique<DeviceEngine>("opencl:0", EngineKind::OpenCl, std::move(late));
  }
  LateDevice* device = nullptr;
  std::unique_ptr<DeviceEngine> engine;
};

// Of three slabs.
Volume threeSlabs() { return randomVolume({96, 80, 140, 1}, ElementType::f32, 21); }

FilterWorkload smoothing(const Volume& input, Boundary boundary, ElementType output) {
  return {
      {separableFilter({{3, 5, 7}, {3, 0, 3}}), faintFilter({2, 3, 3}, {1, 1, 0})}, boundary, 3, input.spec(), output};
}

std::string descriptionOf(DeviceEngine& engine, const Workload& workload) {
  return GpuBench::instance().variants().prepare(engine, workload, "auto", {}, {})->description();
}

}  // namespace

TEST_CASE("copies past the caches write what was asked for, and nothing beside it", "[copies]") {
  std::vector<std::byte> from(5000);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 31 >> 3);
  for (const std::size_t place : {0, 1, 15, 63})
    for (const std::size_t count : {0, 1, 63, 64, 65, 200, 4097}) {
      INFO(place << " " << count);
      std::vector<std::byte> to(5000, std::byte{9}), expected = to;
      std::memcpy(expected.data() + place, from.data() + 3, count);
      copyPastCaches(to.data() + place, from.data() + 3, count);
      CHECK(to == expected);
    }
}

TEST_CASE("arrays survive copies in both directions at once", "[copies]") {
  LateBench late;
  if (!late.engine) SSCOPE_SKIP("there is no OpenCL device");
  Device& device = late.engine->device();
  std::vector<std::byte> first(21'000'001), second(9'000'003);
  for (std::size_t i = 0; i < first.size(); ++i) first[i] = static_cast<std::byte>(i * 2654435761u >> 13);
  for (std::size_t i = 0; i < second.size(); ++i) second[i] = static_cast<std::byte>(i * 2246822519u >> 15);
  const auto a = device.allocate(std::ssize(first)), b = device.allocate(std::ssize(second));
  PinnedPieces pieces(device);
  REQUIRE(pieces.ready());
  std::vector<std::byte> back(first.size() - 5), other(second.size());
  const Control control;
  {
    Copies copies(device, pieces, control);
    copies.waitForUpload(copies.upload(*a, 0, first));
    copies.download(*a, 5, back);
    const std::size_t up = copies.upload(*b, 0, second);
    copies.upload(*b, 0, {});
    copies.waitForUpload(up);
    copies.waitForDownload(copies.download(*b, 0, other));
    CHECK(std::memcmp(back.data(), first.data() + 5, back.size()) == 0);
    copies.waitForAll();
    CHECK(copies.uploadSeconds() > 0);
    CHECK(copies.downloadSeconds() > 0);
  }
  CHECK(other == second);
}

TEST_CASE("copies that are not wanted any more leave nothing under way", "[copies]") {
  LateBench late;
  if (!late.engine) SSCOPE_SKIP("there is no OpenCL device");
  Device& device = late.engine->device();
  std::vector<std::byte> data(40 << 20);
  const auto buffer = device.allocate(std::ssize(data));
  PinnedPieces pieces(device);
  std::stop_source source;
  Control control;
  control.stop = source.get_token();
  {
    Copies copies(device, pieces, control);
    copies.upload(*buffer, 0, data);
    copies.download(*buffer, 0, data);
    source.request_stop();
    CHECK_THROWS_AS(copies.waitForAll(), Canceled);
  }
  CHECK(late.device->pending == 0);
  CHECK(late.device->writes < 40);  // pieces of a MiB
  for (const bool reading : {false, true}) {
    (reading ? late.device->failingRead : late.device->failingWrite) =
        (reading ? late.device->reads : late.device->writes) + 7;
    const Control going;
    Copies copies(device, pieces, going);
    copies.upload(*buffer, 0, data);
    copies.download(*buffer, 0, data);
    CHECK_THROWS_WITH(copies.waitForAll(), Catch::Matchers::ContainsSubstring("fails"));
  }
  CHECK(late.device->pending == 0);
}

TEST_CASE("slabs give the right results whatever their copies take", "[slabs]") {
  LateBench late;
  if (!late.engine) SSCOPE_SKIP("there is no OpenCL device");
  const Volume input = threeSlabs();
  INFO(Sampling::howToRepeat());
  std::size_t turn = firstTurn();
  for (const ElementType output : sampled(std::array{ElementType::f32, ElementType::i8}, 0))
    for (const Boundary boundary : sampled(std::array{Boundary::nearest, Boundary::wrap, Boundary::constant}, turn++)) {
      const FilterWorkload workload = smoothing(input, boundary, output);
      INFO(toString(boundary) << " " << toString(output));
      REQUIRE(descriptionOf(*late.engine, workload).find("slabs of 47 slices") != std::string::npos);
      const PlanRun slabs = runOn(*late.engine, workload, input, "auto");
      requireRight(workload, input, slabs);
      CHECK(slabs.report.tiles == 1);
      const PlanRun tiles = runOn(*late.engine, workload, input, "auto", {0, 4 << 20});
      CHECK(tiles.report.tiles > 1);
      for (std::size_t i = 0; i < 2; ++i) CHECK(sameBits(slabs.outputs[i], tiles.outputs[i]));
      CHECK(slabs.report.saturated == tiles.report.saturated);
    }
  CHECK(late.device->pending == 0);
}

TEST_CASE("slabs of a region read only what it needs", "[slabs]") {
  LateBench late;
  if (!late.engine) SSCOPE_SKIP("there is no OpenCL device");
  const Volume input = threeSlabs();
  const FilterWorkload whole = smoothing(input, Boundary::mirror, ElementType::f32);
  const auto part = whole.restrictedTo({{0, 3, 30}, {96, 80, 130}});
  requireRight(*part, input, runOn(*late.engine, *part, input, "auto"));
}

TEST_CASE("an input with an identity stays when it came in slabs", "[slabs]") {
  LateBench late;
  if (!late.engine) SSCOPE_SKIP("there is no OpenCL device");
  const Volume input = threeSlabs();
  const FilterWorkload whole = smoothing(input, Boundary::wrap, ElementType::f32);
  // No slab of the region needs all slices; they have to come all the same.
  const auto part = whole.restrictedTo({{0, 0, 40}, {96, 80, 111}});
  const PlanRun first = runOn(*late.engine, *part, input, "auto", {}, 5);
  CHECK(first.report.phases.upload > 0);
  requireRight(*part, input, first);
  const PlanRun second = runOn(*late.engine, whole, input, "auto", {}, 5);
  CHECK(second.report.phases.upload == 0);
  CHECK(second.report.phases.download > 0);
  requireRight(whole, input, second);
  const Volume other = randomVolume({96, 80, 140, 1}, ElementType::f32, 22);
  const PlanRun third = runOn(*late.engine, whole, other, "auto", {}, 6);
  CHECK(third.report.phases.upload > 0);
  requireRight(whole, other, third);
}

TEST_CASE("phases that overlap take no more than the run together", "[slabs]") {
  LateBench late;
  if (!late.engine) SSCOPE_SKIP("there is no OpenCL device");
  const Volume input = threeSlabs();
  const FilterWorkload workload = smoothing(input, Boundary::nearest, ElementType::f32);
  const Phases phases = runOn(*late.engine, workload, input, "auto").report.phases;
  CHECK(phases.together() <= phases.total);
  // Kernels and copies may be so short that the pauses between them are longer than all that overlaps.
  CHECK(phases.overlap >= 0);
  CHECK(phases.overlap <= phases.upload + phases.download);
  for (const double one : {phases.upload, phases.kernel, phases.download}) {
    CHECK(one > 0);
    CHECK(one <= phases.total);
  }
}

TEST_CASE("results that stay take turns with slabs, and what is there already is not made again", "[slabs]") {
  LateBench late;
  if (!late.engine) SSCOPE_SKIP("there is no OpenCL device");
  const Volume input = threeSlabs();
  const Stencil lines = separableFilter({{3, 5, 7}, {3, 0, 3}}), dense = faintFilter({2, 3, 3}, {1, 1, 0});
  const ConstArrayView in = input.view();
  std::vector<Volume> outputs(2);
  std::vector<ArrayView> views;
  for (Volume& output : outputs) {
    output = Volume(input.shape(), ElementType::f32);
    views.push_back(output.view());
  }
  INFO(Sampling::howToRepeat());
  const std::array<std::pair<const char*, Stencil>, 3> all{{{"separable", lines}, {"auto", lines}, {"dense", dense}}};
  for (const auto& [variant, filter] : sampled(all, 0)) {
    INFO(variant);
    const FilterWorkload workload({filter, filter}, Boundary::wrap, 0, input.spec(), ElementType::f32);
    const std::vector<ArraySpec> specs = workload.outputs();
    const auto plan = GpuBench::instance().variants().prepare(*late.engine, workload, variant, {}, {});
    REQUIRE(plan->overlapsCopies());
    VolumePool pool;
    const auto turn = [&] {
      (void)plan->run({{&in, 1}, 0}, views, {});
      return plan->runResident({{&in, 1}, 0}, specs, pool, {});
    };
    (void)turn();
    const int allocations = late.device->allocations;
    {
      const ResidentRun kept = turn();
      for (std::size_t i = 0; i < 2; ++i) CHECK(sameBits(*kept.outputs[i]->host({}), outputs[i]));
    }
    CHECK(late.device->allocations == allocations);
    const int tables = late.device->tables;
    (void)plan->runResident({{&in, 1}, 0}, specs, pool, {});
    CHECK(late.device->tables == tables);
  }
}

TEST_CASE("a benchmark times kernels over the whole, and checks what they give", "[slabs]") {
  LateBench late;
  if (!late.engine) SSCOPE_SKIP("there is no OpenCL device");
  // Few taps in two slabs: it is run and checked many times.
  const Volume input = randomVolume({64, 64, 135, 1}, ElementType::f32, 21);
  const FilterWorkload workload({separableFilter({{3, 3, 3}})}, Boundary::mirror, 0, input.spec(), ElementType::f32);
  REQUIRE(descriptionOf(*late.engine, workload).find("slabs") != std::string::npos);
  EngineSet engines;
  engines.add(std::move(late.engine));
  const ConstArrayView in = input.view();
  BenchOptions options;
  options.seconds = 0;
  options.measureCeilings = options.emptyCaches = false;
  const auto results =
      runBench(engines, GpuBench::instance().variants(), workload, {&in, 1}, {{"opencl:0", "auto"}}, options, {});
  INFO(results[0].failed << results[0].skipped);
  REQUIRE(results[0].hasFigures());
  CHECK(results[0].verification.verified);
  CHECK(results[0].samples.size() == kMinimumRepetitions);
  CHECK(results[0].phases.download > 0);
}

TEST_CASE("a run in slabs can be stopped or fail, and the next one is right", "[slabs]") {
  LateBench late;
  if (!late.engine) SSCOPE_SKIP("there is no OpenCL device");
  const Volume input = threeSlabs();
  const FilterWorkload workload = smoothing(input, Boundary::nearest, ElementType::f32);
  std::stop_source source;
  Control control;
  control.stop = source.get_token();
  control.progress = [&](double, std::string_view) { source.request_stop(); };
  CHECK_THROWS_AS(runOn(*late.engine, workload, input, "auto", {}, 9, control), Canceled);
  CHECK(late.device->pending == 0);
  late.device->failingRead = late.device->reads + 3;
  CHECK_THROWS_WITH(runOn(*late.engine, workload, input, "auto", {}, 9),
                    Catch::Matchers::ContainsSubstring("the read that fails"));
  CHECK(late.device->pending == 0);
  late.device->failingWrite = late.device->writes + 3;
  CHECK_THROWS_WITH(runOn(*late.engine, workload, input, "auto", {}, 10),
                    Catch::Matchers::ContainsSubstring("the write that fails"));
  CHECK(late.device->pending == 0);
  requireRight(workload, input, runOn(*late.engine, workload, input, "auto", {}, 10));
}

TEST_CASE("slabs come from and go to views that are not dense", "[slabs]") {
  LateBench late;
  if (!late.engine) SSCOPE_SKIP("there is no OpenCL device");
  const Volume dense = randomVolume({64, 48, 90, 2}, ElementType::f32, 9);
  const FilterWorkload workload({separableFilter({{3, 3, 3}})}, Boundary::wrap, 0, dense.spec(), ElementType::f32);
  REQUIRE(descriptionOf(*late.engine, workload).find("slabs") != std::string::npos);
  const PlanRun expected = runOn(*late.engine, workload, dense, "auto");
  requireRight(workload, dense, expected);
  // Planar: components outermost. Padded: dense slices with gaps between them.
  const std::array<std::int64_t, 4> planar{1, 64, 64 * 48, 64 * 48 * 90}, padded{2, 128, 128 * 48 + 10, 1};
  for (const auto& [from, to] : {std::pair{planar, padded}, {padded, planar}, {padded, padded}}) {
    std::vector<float> in(64 * 48 * 90 * 2 + 900, -1.0f), out(in.size());
    const ConstArrayView source{ElementType::f32, reinterpret_cast<const std::byte*>(in.data()), {64, 48, 90, 2}, from};
    const ArrayView target{ElementType::f32, reinterpret_cast<std::byte*>(out.data()), {64, 48, 90, 2}, to};
    const auto each = [&](auto&& f) {
      for (std::int64_t z = 0; z < 90; ++z)
        for (std::int64_t y = 0; y < 48; ++y)
          for (std::int64_t x = 0; x < 64; ++x)
            for (int c = 0; c < 2; ++c) f(x, y, z, c);
    };
    each([&](auto x, auto y, auto z, int c) {
      in[static_cast<std::size_t>(source.offset(x, y, z, c))] = static_cast<float>(dense.value(x, y, z, c));
    });
    const auto plan = GpuBench::instance().variants().prepare(*late.engine, workload, "auto", {}, {});
    (void)plan->run({{&source, 1}, 0}, {&target, 1}, {});
    int different = 0;
    each([&](auto x, auto y, auto z, int c) {
      if (static_cast<double>(out[static_cast<std::size_t>(target.offset(x, y, z, c))]) !=
          expected.outputs[0].value(x, y, z, c))
        ++different;
    });
    CHECK(different == 0);
  }
}

}  // namespace sscope::test
