// Slices of data larger than memory: those of the whole, from the planes that they need.
#include <cstring>
#include <mutex>
#include <vector>

#include "core/cpu/cpu_engines.h"
#include "core/filter/job/live_runner.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"
#include "tests/support/volume_planes.h"

using namespace sscope;
using Catch::Matchers::ContainsSubstring;

namespace {

// Planes that share no page of memory with others, so that those that were not read hold zeros.
struct LargeFixture {
  EngineSet engines;
  VariantTable variants;
  Volume volume = test::randomVolume({32, 32, 60, 1}, ElementType::f32, 1);
  test::VolumePlanes* source = new test::VolumePlanes(volume);
  std::shared_ptr<reach::LargeVolume> large;
  std::mutex mutex;
  std::vector<LiveNews> all;

  // With room for `planes` of the 60 planes.
  explicit LargeFixture(std::int64_t planes = 20) {
    addCpuEngines(engines);
    addCpuVariants(variants);
    large = std::make_shared<reach::LargeVolume>(std::unique_ptr<VolumeSource>(source), 4 * planes * 32 * 32 * 4,
                                                 Control{});
    source->planes = 0;
  }
  LiveRequest request(const FilterBank& bank, std::int64_t z) const {
    LiveRequest request;
    request.input = std::shared_ptr<const Volume>(large, &large->volume());
    request.large = large;
    request.inputIdentity = 1;
    request.bank = bank;
    request.crosshair = {5, 6, z};
    return request;
  }
  void run(const LiveRequest& request) {
    all.clear();
    LiveRunner runner(engines, variants, [this](LiveNews news) {
      if (isProgress(news)) return;
      const std::lock_guard lock(mutex);
      all.push_back(std::move(news));
    });
    runner.submit(request);
    runner.waitIdle();
  }
};

FilterBank bankOf(const char* spec, Boundary boundary = Boundary::nearest) {
  FilterBank bank;
  bank.filters = {parseFilterSpec(spec)};
  bank.boundary = boundary;
  return bank;
}

bool sameSlice(const Volume& slice, const Volume& whole, std::int64_t z) {
  const std::int64_t bytes = slice.bytes();
  return std::memcmp(slice.data(), whole.data() + z * bytes, static_cast<std::size_t>(bytes)) == 0;
}

}  // namespace

TEST_CASE("of data larger than memory the slice across the planes has the bits of the whole, and no whole follows") {
  for (const char* spec : {"gaussian:sigma=1.5", "median:size=5", "sobel:axis=z"})
    for (const Boundary boundary : {Boundary::nearest, Boundary::wrap, Boundary::mirror})
      for (const std::int64_t z : {0, 31, 59}) {
        CAPTURE(spec, toString(boundary), z);
        LargeFixture fixture;
        const FilterBank bank = bankOf(spec, boundary);
        FilterJob job;
        job.bank = bank;
        const Volume whole =
            std::move(runFilter(fixture.engines, fixture.variants, job, fixture.volume, {}).outputs.front());
        fixture.run(fixture.request(bank, z));
        REQUIRE(fixture.all.size() == 2);
        const auto* preview = fixture.all[0].as<LivePreview>();
        REQUIRE(preview != nullptr);
        CHECK(preview->last);
        CHECK(preview->sliceAt[0] == z);
        REQUIRE(preview->slices[0] != nullptr);
        CHECK(sameSlice(*preview->slices[0], whole, z));
        CHECK(fixture.all[1].as<IdleNews>() != nullptr);
        CHECK(fixture.source->planes < 20);
      }
}

TEST_CASE("a bank that reads more planes than there is room for says how many") {
  LargeFixture fixture(8);
  fixture.run(fixture.request(bankOf("gaussian:sigma=4"), 30));
  REQUIRE(fixture.all.size() == 1);
  REQUIRE(fixture.all[0].as<FailedNews>() != nullptr);
  CHECK_THAT(fixture.all[0].as<FailedNews>()->message, ContainsSubstring("of 60 planes at once"));
}

TEST_CASE("a file that changes under a slice is told, and the runner goes on") {
  LargeFixture fixture;
  fixture.source->failsAt = 30;
  fixture.run(fixture.request(bankOf("box:size=3"), 30));
  REQUIRE(fixture.all.size() == 1);
  CHECK_THAT(fixture.all[0].as<FailedNews>()->message, ContainsSubstring("became shorter"));
  fixture.run(fixture.request(bankOf("box:size=3"), 20));
  REQUIRE(fixture.all.size() == 2);
  CHECK(fixture.all[0].as<LivePreview>() != nullptr);
}
