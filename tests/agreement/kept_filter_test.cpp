// What is kept while a slider moves changes nothing but the time.
#include <algorithm>
#include <mutex>
#include <random>

#include "core/base/error.h"
#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/job/kept_filter.h"
#include "core/filter/job/live_runner.h"
#include "tests/agreement/machine.h"
#include "tests/support/catch.h"
#include "tests/support/counted_plans.h"
#include "tests/support/runs.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

bool equalBytes(const Volume& a, const Volume& b) {
  return a.shape() == b.shape() && a.type() == b.type() && a.geometry().origin == b.geometry().origin &&
         test::sameBits(a, b);
}

bool equalResults(const FilterResult& a, const FilterResult& b) {
  return a.names == b.names && a.report.variant == b.report.variant && a.report.why == b.report.why &&
         a.report.saturated == b.report.saturated && a.report.operations == b.report.operations &&
         a.report.predictedSeconds == b.report.predictedSeconds && std::ranges::equal(a.outputs, b.outputs, equalBytes);
}

// Sigmas of a slider, and how many plans they take: one for each size of the taps.
struct Ticks {
  std::vector<FilterBank> banks;
  int sizes = 0;
};

Ticks sigmaTicks(int count) {
  Ticks ticks;
  std::array<std::int64_t, 3> size{};
  for (int i = 0; i < count; ++i) {
    FilterBank& bank = ticks.banks.emplace_back();
    bank.filters = {parseFilterSpec("gaussian:sigma=" + std::to_string(1.3 + 0.01 * i))};
    const auto now = makeOperators(bank, filterGrid(3, {})).front().size();
    if (now != size) ++ticks.sizes;
    size = now;
  }
  return ticks;
}

// A walk over all that a filter job is made of, mostly along sliders.
class Walk {
 public:
  explicit Walk(std::uint64_t seed, std::vector<std::string> engines) : random_(seed), engines_(std::move(engines)) {
    inputs_.push_back(test::randomVolume({19, 14, 9, 1}, ElementType::f32, 1));
    inputs_.push_back(test::randomVolume({19, 14, 9, 1}, ElementType::f32, 2));
    inputs_.push_back(test::randomVolume({21, 17, 1, 3}, ElementType::u8, 3));
    job_.inputIdentity = 1;
    job_.bank.filters = {parseFilterSpec("gaussian:sigma=1")};
    job_.engine = engines_.front();
  }
  [[nodiscard]] const FilterJob& job() const { return job_; }
  [[nodiscard]] const Volume& input() const { return inputs_[input_]; }

  void step() {
    switch (below(12)) {
      case 0: setInput(below(3)); break;
      case 1: job_.bank.boundary = kBoundaries[below(kBoundaries.size())]; break;
      case 2: job_.bank.constant = std::array{0.0, 2.5, -1.0}[below(3)]; break;
      case 3: job_.engine = engines_[below(engines_.size())]; break;
      case 4: job_.variant = std::array{"", "", "dense", "separable", "selection"}[below(5)]; break;
      case 5: setRegion(); break;
      case 6: job_.bank.output.type = std::array{ElementType::f32, ElementType::u8, ElementType::f64}[below(3)]; break;
      case 7: setFilters(); break;
      default: moveSliders(); break;
    }
  }

 private:
  static constexpr std::array kBoundaries{Boundary::nearest, Boundary::reflect, Boundary::constant, Boundary::wrap};

  std::size_t below(std::size_t count) { return random_() % count; }
  void setInput(std::size_t input) {
    input_ = input;
    job_.inputIdentity = input + 1;
    job_.region.reset();
    setFilters();  // some need three dimensions
  }
  void setRegion() {
    job_.region.reset();
    if (below(2) == 0) return;
    const VolumeShape& shape = input().shape();
    const auto y = static_cast<std::int64_t>(below(static_cast<std::size_t>(shape.ny)));
    job_.region = Box{{0, y, 0}, {shape.nx, y + 1, shape.nz}};
  }
  void setFilters() {
    job_.bank.filters.clear();
    const auto add = [&](const char* spec) {
      FilterRecipe recipe = parseFilterSpec(spec);
      recipe.name = uniqueName(job_.bank, recipe.name);
      job_.bank.filters.push_back(std::move(recipe));
    };
    static constexpr std::array kSpecs{"gaussian:sigma=1", "log:sigma=1", "box", "sobel", "median", "dog:sigma=0.8"};
    const std::size_t count = 1 + below(2);
    for (std::size_t i = 0; i < count; ++i) add(kSpecs[below(kSpecs.size())]);
  }
  void moveSliders() {
    for (FilterRecipe& recipe : job_.bank.filters)
      if (recipe.parameters.contains("sigma"))
        recipe.parameters =
            parseFilterSpec(recipe.family + ":sigma=" + std::to_string(0.8 + 0.01 * static_cast<double>(below(40))))
                .parameters;
  }

  std::mt19937_64 random_;
  std::vector<std::string> engines_;
  std::vector<Volume> inputs_;
  std::size_t input_ = 0;
  FilterJob job_;
};

// The result, or what kept it away.
struct Outcome {
  FilterResult result;
  std::string failure;
};

Outcome outcomeOf(const std::function<FilterResult()>& run) {
  Outcome outcome;
  try {
    outcome.result = run();
  } catch (const Error& error) {
    outcome.failure = error.what();
  }
  return outcome;
}

}  // namespace

TEST_CASE_METHOD(test::TestMachine, "what is kept between settings gives the results of fresh runs, to the bit") {
  const auto counts = std::make_shared<test::PlanCounts>();
  const VariantTable counted = test::counted(variants, counts);
  std::vector<std::string> ids;
  for (const Engine* engine : chosen()) ids.push_back(engine->info().id);
  // A walk of the sample; three where everything is wanted.
  const auto sampling = test::Sampling::ofRun().named("walk");
  for (std::uint64_t seed = sampling.seed; seed < sampling.seed + (sampling.all ? 3 : 1); ++seed) {
    KeptFilter kept(engines, counted);
    Walk walk(seed, ids);
    int ran = 0;
    for (int i = 0; i < 150; ++i) {
      walk.step();
      const FilterJob& job = walk.job();
      const bool resident = i % 2 == 1;  // where it was computed, and copied from there
      const auto [again, failure] = outcomeOf([&] {
        return resident ? hostResult(kept.runResident(job, walk.input(), {}), {}) : kept.run(job, walk.input(), {});
      });
      const auto [fresh, expected] = outcomeOf([&] { return runFilter(engines, variants, job, walk.input(), {}); });
      INFO(test::Sampling::howToRepeat() << ", step " << i << ": " << formatFilterSpec(job.bank.filters[0]) << " on "
                                         << job.engine << " " << job.variant << ": " << failure);
      REQUIRE(failure == expected);
      REQUIRE(equalResults(again, fresh));
      ran += failure.empty() ? 1 : 0;
    }
    CHECK(ran > 75);
  }
  CHECK(counts->adopted > 15);  // and it did keep something
  CHECK(counts->alive == 0);
}

TEST_CASE_METHOD(test::TestMachine, "a slider makes a plan for each size of the taps and uploads its data once") {
  const Ticks ticks = sigmaTicks(20);
  REQUIRE(ticks.sizes < 5);
  const Volume input = test::randomVolume({40, 30, 20, 1}, ElementType::f32, 1);
  for (const Engine* engine : chosen()) {
    INFO(engine->info().id);
    const auto counts = std::make_shared<test::PlanCounts>();
    const VariantTable table = test::counted(variants, counts);
    KeptFilter kept(engines, table);
    std::vector<const std::byte*> places;
    for (const FilterBank& bank : ticks.banks) {
      FilterJob job;
      job.bank = bank;
      job.engine = engine->info().id;
      job.inputIdentity = 71;
      const FilterResult result = kept.run(job, input, {});
      places.push_back(result.outputs[0].data());
    }
    CHECK(counts->made == ticks.sizes);
    CHECK(counts->adopted == 20 - ticks.sizes);
    CHECK(counts->runs == 20);
    CHECK(counts->uploads == (engine->info().isDevice() ? 1 : 0));
    // Every result was gone when the next was made.
    CHECK(std::ranges::count(places, places.front()) == 20);
    CHECK(kept.keptBytes() >= input.bytes());
    kept.release();
    CHECK(counts->alive == 0);
    CHECK(kept.keptBytes() == 0);
  }
}

TEST_CASE_METHOD(test::TestMachine, "the runner keeps four plans for a slider, and none when it is told to release") {
  const Ticks ticks = sigmaTicks(20);
  const auto counts = std::make_shared<test::PlanCounts>();
  const VariantTable table = test::counted(variants, counts);
  LiveRequest request;
  request.input = std::make_shared<const Volume>(test::randomVolume({40, 30, 20, 1}, ElementType::f32, 1));
  request.inputIdentity = 72;
  request.crosshair = {5, 6, 7};
  std::vector<std::shared_ptr<const ResidentFilterResult>> wholes;
  LiveRunner runner(engines, table, [&](const LiveNews& news) {
    if (const auto* whole = news.as<LiveWhole>()) wholes.push_back(whole->result);
  });
  for (const FilterBank& bank : ticks.banks) {
    request.bank = bank;
    static_cast<void>(runner.submit(request));
    runner.waitIdle();
  }
  CHECK(counts->made == 4 * ticks.sizes);
  CHECK(counts->alive == 4);
  REQUIRE(wholes.size() == 20);
  // Results that somebody holds stay what they are.
  for (std::size_t i = 0; i < wholes.size(); i += 7) {
    FilterJob job;
    job.bank = ticks.banks[i];
    CHECK(
        equalBytes(*wholes[i]->outputs[0]->host({}), runFilter(engines, variants, job, *request.input, {}).outputs[0]));
  }
  runner.release();
  runner.waitIdle();
  CHECK(counts->alive == 0);
  static_cast<void>(runner.submit(request));
  runner.waitIdle();
  CHECK(wholes.size() == 21);
}

TEST_CASE_METHOD(test::TestMachine, "a device that is quick shows the slices of the result that stays on it") {
  if (!test::anyDevice(chosen())) SSCOPE_SKIP(test::kNoDevice);
  for (const Engine* engine : chosen()) {
    if (!engine->info().isDevice()) continue;
    INFO(engine->info().id);
    std::mutex mutex;
    std::vector<LivePreview> previews;
    std::vector<LiveWhole> wholes;
    LiveRunner runner(engines, variants, [&](const LiveNews& news) {
      const std::lock_guard lock(mutex);
      if (const auto* preview = news.as<LivePreview>()) previews.push_back(*preview);
      if (const auto* whole = news.as<LiveWhole>()) wholes.push_back(*whole);
    });
    runner.setDevicePatience(1e9);
    LiveRequest request;
    request.input = std::make_shared<const Volume>(test::randomVolume({40, 30, 20, 1}, ElementType::f32, 1));
    request.inputIdentity = 73;
    request.engine = engine->info().id;
    request.crosshair = {5, 6, 99};  // beyond the end: the last slice
    const auto bankOf = [](const std::string& spec) {
      FilterBank bank;
      bank.filters = {parseFilterSpec("box"), parseFilterSpec(spec)};
      return bank;
    };
    // While a program is compiled the runner takes others, whose last bits differ: it finds them all compiled here.
    for (const char* spec : {"gaussian:sigma=1.3", "gaussian:sigma=4"}) {
      FilterJob compiling;
      compiling.bank = bankOf(spec);
      compiling.engine = engine->info().id;
      static_cast<void>(runFilter(engines, variants, compiling, *request.input, {}));
    }
    const auto step = [&](const std::string& spec) {
      request.bank = bankOf(spec);
      request.shownFilter = 1;
      previews.clear();
      wholes.clear();
      static_cast<void>(runner.submit(request));
      runner.waitIdle();
    };
    const auto allFrom = [&](bool device) {
      return !previews.empty() && std::ranges::all_of(previews, [&](const LivePreview& preview) {
        return (preview.report.engine == engine->info().id) == device;
      });
    };
    step("gaussian:sigma=1.3");
    REQUIRE(previews.size() == 3);
    CHECK(allFrom(false));  // nothing is prepared yet
    step("gaussian:sigma=1.31");
    REQUIRE(previews.size() == 3);
    CHECK(allFrom(true));
    REQUIRE(wholes.size() == 1);
    FilterJob job;
    job.bank = request.bank;
    job.engine = request.engine;
    const FilterResult fresh = runFilter(engines, variants, job, *request.input, {});
    CHECK(std::ranges::all_of(wholes[0].result->outputs, [](const auto& each) { return each->deviceBytes() > 0; }));
    CHECK(equalResults(hostResult(*wholes[0].result, {}), [&] {
      FilterResult expected = runFilter(engines, variants, job, *request.input, {});
      expected.report.predictedSeconds = wholes[0].report.predictedSeconds;  // the runner knows the ceilings
      return expected;
    }()));
    CHECK(wholes[0].report.phases.kernel > 0);
    CHECK(wholes[0].report.phases.download > 0);  // of the slices
    for (std::size_t view = 0; view < 3; ++view) {
      const LivePreview& preview = previews[view];
      CHECK(preview.count == static_cast<int>(view) + 1);
      CHECK(preview.last == (view == 2));
      REQUIRE(preview.slices[view] != nullptr);
      CHECK(preview.sliceAt[view] == std::array{19, 6, 5}[view]);
      const Volume& slice = *preview.slices[view];
      Volume expected(slice.shape(), slice.type(), slice.geometry());
      const auto whole = std::make_shared<const Volume>(fresh.outputs[1].clone());
      const BoxCopy copy{sliceBox(whole->spec(), 2 - view, preview.sliceAt[view]), expected.view()};
      hostArray({}, whole)->read({&copy, 1}, {});
      CHECK(equalBytes(slice, expected));
      job.region = copy.box;
      CHECK(slice.geometry().origin ==
            runFilter(engines, variants, job, *request.input, {}).outputs[1].geometry().origin);
    }
    request.whole = false;  // a slider is held
    request.previewed = {false, true, false};
    step("gaussian:sigma=1.32");
    CHECK(previews.size() == 1);
    CHECK(allFrom(true));
    CHECK(wholes.empty());
    step("gaussian:sigma=4");  // other taps, another plan
    CHECK(allFrom(false));
    request.whole = true;
    step("gaussian:sigma=4");
    CHECK(allFrom(false));
    step("gaussian:sigma=4.01");
    CHECK(allFrom(true));
    request.inputIdentity = 74;
    step("gaussian:sigma=4.02");  // the data have to be uploaded first
    CHECK(allFrom(false));
    step("gaussian:sigma=4.03");
    CHECK(allFrom(true));
    runner.setDevicePatience(0);
    step("gaussian:sigma=4.04");
    CHECK(allFrom(false));
    CHECK(wholes.size() == 1);
  }
}

TEST_CASE_METHOD(test::TestMachine, "a stopped run leaves nothing behind in the next") {
  const Volume input = test::randomVolume({40, 30, 20, 1}, ElementType::f32, 1);
  for (const Engine* engine : chosen()) {
    INFO(engine->info().id);
    KeptFilter kept(engines, variants);
    FilterJob job;
    job.engine = engine->info().id;
    job.bank.filters = {parseFilterSpec("gaussian:sigma=1.5")};
    static_cast<void>(kept.run(job, input, {}));
    job.bank.filters = {parseFilterSpec("gaussian:sigma=1.51")};
    std::stop_source stop;
    stop.request_stop();
    CHECK_THROWS_AS(kept.run(job, input, {stop.get_token(), {}}), Canceled);
    CHECK(equalResults(kept.run(job, input, {}), runFilter(engines, variants, job, input, {})));
  }
}
