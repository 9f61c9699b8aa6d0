#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/job/live_runner.h"
#include "tests/support/catch.h"
#include "tests/support/largest.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

struct Recorder {
  std::mutex mutex;
  std::vector<LiveNews> all;

  void add(LiveNews news) {
    if (isProgress(news)) return;
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
  // The request of the last one.
  template <class One>
  std::uint64_t lastOf() {
    const std::lock_guard lock(mutex);
    for (auto news = all.rbegin(); news != all.rend(); ++news)
      if (news->as<One>() != nullptr) return news->request;
    return 0;
  }
};

struct LiveFixture {
  EngineSet engines;
  VariantTable variants;
  Recorder recorder;
  std::shared_ptr<const Volume> volume =
      std::make_shared<const Volume>(test::randomVolume({40, 30, 20, 1}, ElementType::f32, 1));

  LiveFixture() {
    addCpuEngines(engines);
    addCpuVariants(variants);
  }
  LiveRequest request(const std::string& spec) {
    LiveRequest request;
    request.input = volume;
    request.inputIdentity = 1;
    request.bank.filters = {parseFilterSpec(spec)};
    request.crosshair = {5, 6, 7};
    return request;
  }
};

}  // namespace

TEST_CASE("who waits for an idle runner wakes up when the waiting request is canceled") {
  LiveFixture fixture;
  LiveRunner runner(fixture.engines, fixture.variants, [](const LiveNews&) {});
  bool stuck = false;
  for (int trial = 0; trial < 2000 && !stuck; ++trial) {
    auto waiting = std::async(std::launch::async, [&] {
      for (int k = 0; k < 20; ++k) runner.waitIdle();
    });
    runner.submit({});  // fails at once: it has no data
    runner.cancel();
    stuck = waiting.wait_for(std::chrono::seconds(30)) != std::future_status::ready;
    if (stuck) runner.submit({});  // wakes it up after all
  }
  CHECK_FALSE(stuck);
}

TEST_CASE("slices come before the whole, equal it, and the whole is verified") {
  LiveFixture fixture;
  LiveRunner runner(fixture.engines, fixture.variants, [&](LiveNews news) { fixture.recorder.add(std::move(news)); });
  const std::uint64_t number = runner.submit(fixture.request("gaussian:sigma=1.2"));
  runner.waitIdle();
  const auto& all = fixture.recorder.all;
  for (const LiveNews& news : all) CHECK(news.request == number);
  REQUIRE(all.size() == 6);
  CHECK(all[3].as<LiveWhole>());
  CHECK(all[4].as<LiveVerified>());
  CHECK(all[5].as<IdleNews>());
  // Each by itself, as soon as it is there.
  LivePreview preview;
  const auto previews = fixture.recorder.of<LivePreview>();
  REQUIRE(previews.size() == 3);
  for (std::size_t view = 0; view < 3; ++view) {
    CHECK(all[view].as<LivePreview>());
    CHECK(previews[view].count == static_cast<int>(view) + 1);
    CHECK(previews[view].last == (view == 2));
    for (std::size_t other = 0; other < 3; ++other) CHECK((previews[view].slices[other] != nullptr) == (other == view));
    preview.slices[view] = previews[view].slices[view];
    preview.sliceAt[view] = previews[view].sliceAt[view];
  }
  CHECK(previews[1].report.phases.total > previews[0].report.phases.total);
  CHECK(previews[2].report.phases.total > previews[1].report.phases.total);
  const auto held = fixture.recorder.of<LiveWhole>().at(0).result->outputs.at(0)->host({});
  const Volume& whole = *held;
  CHECK(fixture.recorder.of<LiveVerified>().at(0).verification.verified);
  CHECK(preview.sliceAt == std::array<std::int64_t, 3>{7, 6, 5});
  CHECK(preview.slices[0]->shape() == VolumeShape{40, 30, 1, 1});
  CHECK(preview.slices[1]->shape() == VolumeShape{40, 1, 20, 1});
  CHECK(preview.slices[2]->shape() == VolumeShape{1, 30, 20, 1});
  double worst = 0;
  for (std::int64_t y = 0; y < 30; ++y)
    for (std::int64_t x = 0; x < 40; ++x)
      worst = test::larger(worst, std::abs(preview.slices[0]->value(x, y, 0) - whole.value(x, y, 7)));
  for (std::int64_t z = 0; z < 20; ++z)
    for (std::int64_t y = 0; y < 30; ++y)
      worst = test::larger(worst, std::abs(preview.slices[2]->value(0, y, z) - whole.value(5, y, z)));
  CHECK(worst < 1e-6);
}

TEST_CASE("only slices that are asked for are computed before the whole") {
  LiveFixture fixture;
  LiveRunner runner(fixture.engines, fixture.variants, [&](LiveNews news) { fixture.recorder.add(std::move(news)); });
  LiveRequest request = fixture.request("gaussian:sigma=1.2");
  SECTION("one") {
    request.previewed = {false, true, false};
    static_cast<void>(runner.submit(request));
    runner.waitIdle();
    const auto previews = fixture.recorder.of<LivePreview>();
    REQUIRE(previews.size() == 1);
    CHECK(previews[0].slices[0] == nullptr);
    REQUIRE(previews[0].slices[1] != nullptr);
    CHECK(previews[0].slices[2] == nullptr);
    CHECK(previews[0].sliceAt[1] == 6);
    CHECK(previews[0].last);
  }
  SECTION("none") {
    request.previewed = {};
    static_cast<void>(runner.submit(request));
    runner.waitIdle();
    CHECK(fixture.recorder.of<LivePreview>().empty());
  }
  SECTION("an image has no others") {
    request.input = std::make_shared<const Volume>(test::randomVolume({40, 30, 1, 1}, ElementType::f32, 1));
    static_cast<void>(runner.submit(request));
    runner.waitIdle();
    const auto previews = fixture.recorder.of<LivePreview>();
    REQUIRE(previews.size() == 1);
    CHECK(previews[0].slices[0] != nullptr);
    CHECK(previews[0].last);
  }
  CHECK(fixture.recorder.of<LiveWhole>().size() == 1);
}

TEST_CASE("while a control is held, results are verified only once it rests or is let go") {
  LiveFixture fixture;
  LiveRunner runner(fixture.engines, fixture.variants, [&](LiveNews news) { fixture.recorder.add(std::move(news)); });
  runner.setHeld(true);
  const auto wholes = [&](std::size_t wanted) {
    while (fixture.recorder.of<LiveWhole>().size() < wanted) std::this_thread::yield();
  };
  SECTION("the next setting cancels what waits; letting go verifies the last") {
    runner.setRest(std::chrono::hours(1));
    std::uint64_t last = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      last = runner.submit(fixture.request("gaussian:sigma=" + std::to_string(1 + static_cast<double>(i))));
      wholes(i + 1);
      std::this_thread::sleep_for(std::chrono::milliseconds(100));  // enough to verify these data many times
      CHECK(runner.busy());
    }
    CHECK(fixture.recorder.of<LiveVerified>().empty());
    CHECK(fixture.recorder.of<IdleNews>().empty());
    runner.setHeld(false);
    runner.waitIdle();
    REQUIRE(fixture.recorder.of<LiveVerified>().size() == 1);
    CHECK(fixture.recorder.lastOf<LiveVerified>() == last);
    CHECK(fixture.recorder.of<LiveVerified>()[0].verification.verified);
  }
  SECTION("a control that rests while held") {
    runner.setRest(std::chrono::milliseconds(1));
    static_cast<void>(runner.submit(fixture.request("box")));
    runner.waitIdle();
    CHECK(fixture.recorder.of<LiveVerified>().size() == 1);
  }
  SECTION("cancel ends the wait") {
    runner.setRest(std::chrono::hours(1));
    static_cast<void>(runner.submit(fixture.request("box")));
    wholes(1);
    runner.cancel();
    runner.waitIdle();
    CHECK(fixture.recorder.of<LiveVerified>().empty());
    CHECK(fixture.recorder.of<CanceledNews>().size() == 1);
  }
}

TEST_CASE("of a burst of settings the last one always arrives whole") {
  LiveFixture fixture;
  LiveRunner runner(fixture.engines, fixture.variants, [&](LiveNews news) { fixture.recorder.add(std::move(news)); });
  std::uint64_t last = 0;
  for (int i = 0; i < 60; ++i)
    last = runner.submit(fixture.request("gaussian:sigma=" + std::to_string(0.5 + 0.05 * i)));
  runner.waitIdle();
  REQUIRE_FALSE(fixture.recorder.of<LiveWhole>().empty());
  CHECK(fixture.recorder.lastOf<LiveWhole>() == last);
  CHECK(fixture.recorder.lastOf<IdleNews>() == last);
  CHECK(fixture.recorder.of<CanceledNews>().empty());
  for (std::size_t i = 1; i < fixture.recorder.all.size(); ++i)
    CHECK(fixture.recorder.all[i].request >= fixture.recorder.all[i - 1].request);
}

TEST_CASE("cancel ends with Canceled and the runner goes on to serve") {
  LiveFixture fixture;
  LiveRunner runner(fixture.engines, fixture.variants, [&](LiveNews news) { fixture.recorder.add(std::move(news)); });
  LiveRequest slow = fixture.request("gaussian:sigma=8");
  slow.variant = "dense";
  slow.engine = "cpu:scalar";
  slow.previewed = {};
  slow.input = std::make_shared<const Volume>(test::randomVolume({96, 96, 96, 1}, ElementType::f32, 2));
  static_cast<void>(runner.submit(slow));
  while (!runner.busy()) std::this_thread::yield();
  runner.cancel();
  runner.waitIdle();
  CHECK(fixture.recorder.of<LiveWhole>().empty());
  const std::uint64_t next = runner.submit(fixture.request("box"));
  runner.waitIdle();
  CHECK(fixture.recorder.lastOf<LiveWhole>() == next);
}

TEST_CASE("failures arrive as one sentence") {
  LiveFixture fixture;
  LiveRunner runner(fixture.engines, fixture.variants, [&](LiveNews news) { fixture.recorder.add(std::move(news)); });
  LiveRequest wrong = fixture.request("box");
  wrong.engine = "cpu:none";
  static_cast<void>(runner.submit(wrong));
  runner.waitIdle();
  REQUIRE(fixture.recorder.of<FailedNews>().size() == 1);
  CHECK(fixture.recorder.of<FailedNews>()[0].message.find("cpu:none") != std::string::npos);
}

TEST_CASE("a filter that does not fit the data is left out, and the others run") {
  LiveFixture fixture;
  fixture.volume = std::make_shared<const Volume>(test::randomVolume({40, 30, 1, 1}, ElementType::f32, 1));
  LiveRunner runner(fixture.engines, fixture.variants, [&](LiveNews news) { fixture.recorder.add(std::move(news)); });
  LiveRequest request = fixture.request("box");
  FilterRecipe deep;
  deep.name = "deep";
  deep.family = "custom";
  deep.taps.size = {1, 1, 3};
  deep.taps.anchor = {0, 0, 1};
  deep.taps.weights = {1, 2, 1};
  request.bank.filters.insert(request.bank.filters.begin(), deep);
  request.bank.filters.push_back(parseFilterSpec("sobel:axis=y"));
  request.shownFilter = 2;
  static_cast<void>(runner.submit(request));
  runner.waitIdle();
  const auto wholes = fixture.recorder.of<LiveWhole>();
  REQUIRE(wholes.size() == 1);
  CHECK(wholes[0].result->names == std::vector<std::string>{"box", "sobel"});
  REQUIRE(wholes[0].leftOut.size() == 1);
  CHECK(wholes[0].leftOut[0].name == "deep");
  CHECK(wholes[0].leftOut[0].place == 0);
  CHECK(wholes[0].leftOut[0].reason.find("deep") != std::string::npos);
  CHECK(fixture.recorder.of<LiveVerified>().at(0).verification.verified);
  // The slices are those of the filter that is shown.
  const Volume& slice = *fixture.recorder.of<LivePreview>().at(0).slices[0];
  const auto held = wholes[0].result->outputs[1]->host({});
  const Volume& shown = *held;
  double worst = 0;
  for (std::int64_t y = 0; y < 30; ++y)
    for (std::int64_t x = 0; x < 40; ++x)
      worst = std::max(worst, std::abs(slice.value(x, y, 0) - shown.value(x, y, 0)));
  CHECK(worst < 1e-5);

  SECTION("none that fits is a failure") {
    request.bank.filters = {deep};
    static_cast<void>(runner.submit(request));
    runner.waitIdle();
    REQUIRE(fixture.recorder.of<FailedNews>().size() == 1);
    CHECK(fixture.recorder.of<FailedNews>()[0].message.find("deep") != std::string::npos);
  }
}

TEST_CASE("an output under another name is the same output") {
  auto result = std::make_shared<ResidentFilterResult>();
  result->outputs.push_back(
      hostArray("cpu", std::make_shared<const Volume>(test::randomVolume({5, 4, 3, 1}, ElementType::f32, 7))));
  result->names = {"old"};
  const auto output = result->outputs[0];
  const std::shared_ptr<const ResidentFilterResult> other = renamed(result, {"new"});
  CHECK(other->names == std::vector<std::string>{"new"});
  CHECK(other->outputs == std::vector{output});
  CHECK(result->names == std::vector<std::string>{"old"});
}

namespace {

// Computes on the processor, and passes for a device: it says when it gives memory back, and may be busy for others.
struct PosingDevice : Engine {
  EngineInfo described;
  std::atomic<int> asked = 0, givenBack = 0;
  std::atomic<bool> busy = false;

  explicit PosingDevice(const Engine& processor) : described(processor.info()) {
    described.id = "opencl:0";
    described.kind = EngineKind::OpenCl;
  }
  [[nodiscard]] const EngineInfo& info() const override { return described; }
  [[nodiscard]] Ceilings measureCeilings(int, const Control&) override { return {}; }
  void giveBack(const Control& control) override {
    ++asked;
    while (busy) {
      control.check();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ++givenBack;
  }
};

struct PosingFixture : LiveFixture {
  PosingDevice* device = nullptr;

  PosingFixture() {
    Engine& processor = engines.preferred();
    auto posing = std::make_unique<PosingDevice>(processor);
    device = posing.get();
    engines.add(std::move(posing));
    Variant row = variants.at("filter", EngineKind::Cpu, {});
    row.kind = EngineKind::OpenCl;
    row.prepare = [&processor, prepare = row.prepare](Engine&, const Workload& workload, const PrepareOptions& options,
                                                      const Control& control) {
      return prepare(processor, workload, options, control);
    };
    row.predict = {};
    variants.add(std::move(row));
  }
  LiveRequest onDevice() {
    LiveRequest made = request("gaussian:sigma=1.2");
    made.engine = device->described.id;
    return made;
  }
};

}  // namespace

TEST_CASE("a device gives its memory back after whatever it computed") {
  PosingFixture fixture;
  LiveRunner runner(fixture.engines, fixture.variants, [&](LiveNews news) { fixture.recorder.add(std::move(news)); });
  SECTION("a result that did not stay there") {
    static_cast<void>(runner.submit(fixture.onDevice()));
    runner.waitIdle();
    const auto wholes = fixture.recorder.of<LiveWhole>();
    REQUIRE(wholes.size() == 1);
    REQUIRE(wholes.front().result->outputs.at(0)->deviceBytes() == 0);
  }
  SECTION("samples beside other engines") {
    const LiveRequest request = fixture.request("gaussian:sigma=1.2");
    static_cast<void>(runner.takeTurns(
        {.contest = {{{.engine = "cpu:scalar", .variant = {}}, {.engine = fixture.device->described.id, .variant = {}}},
                     1},
         .input = request.input,
         .inputIdentity = 1,
         .bank = request.bank,
         .threads = 0}));
    runner.waitIdle();
    REQUIRE(fixture.recorder.of<TurnsUpdate>().size() >= 2);
  }
  CHECK(fixture.device->asked == 0);
  runner.release();
  runner.waitIdle();
  CHECK(fixture.device->givenBack == 1);
  runner.release();
  runner.waitIdle();
  CHECK(fixture.device->asked == 1);  // nothing was computed there since
}

TEST_CASE("nobody waits for a device that is too busy to give memory back") {
  PosingFixture fixture;
  LiveRunner runner(fixture.engines, fixture.variants, [&](LiveNews news) { fixture.recorder.add(std::move(news)); });
  const auto soon = [](const auto& condition) {
    for (int i = 0; i < 20000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return condition();
  };
  static_cast<void>(runner.submit(fixture.onDevice()));
  runner.waitIdle();
  fixture.device->busy = true;
  runner.release();
  REQUIRE(soon([&] { return fixture.device->asked == 1; }));
  CHECK(runner.busy());
  SECTION("a newer setting is computed") {
    const std::uint64_t next = runner.submit(fixture.request("gaussian:sigma=2"));
    CHECK(soon([&] { return fixture.recorder.lastOf<IdleNews>() == next; }));
  }
  SECTION("the end does not wait") {
    runner.cancel();
    CHECK(soon([&] { return !runner.busy(); }));
  }
  CHECK(fixture.device->givenBack == 0);
  fixture.device->busy = false;
  runner.waitIdle();
  runner.release();
  runner.waitIdle();
  CHECK(fixture.device->givenBack == 1);
}
