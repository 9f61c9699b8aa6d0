// Slices of data larger than memory: those of the whole, from the planes that they need.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "core/cpu/run/cpu_engine.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/job/live_runner.h"
#include "core/filter/program/data_unit.h"
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
  Volume filtered(const FilterBank& bank) const {
    FilterJob job;
    job.bank = bank;
    return std::move(runFilter(engines, variants, job, volume, {}).outputs.front());
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
        const Volume whole = fixture.filtered(bank);
        fixture.run(fixture.request(bank, z));
        REQUIRE(fixture.all.size() == 3);
        const auto* preview = fixture.all[0].as<LivePreview>();
        REQUIRE(preview != nullptr);
        CHECK(preview->last);
        CHECK(preview->sliceAt[0] == z);
        REQUIRE(preview->slices[0] != nullptr);
        CHECK(sameSlice(*preview->slices[0], whole, z));
        const auto* verified = fixture.all[1].as<LiveVerified>();
        REQUIRE(verified != nullptr);
        CHECK(verified->ofSlices);
        CHECK(verified->verification.verified);
        CHECK(fixture.all[2].as<IdleNews>() != nullptr);
        CHECK(fixture.source->planes < 20);
      }
}

TEST_CASE("while an overview is a level of a pyramid slices have the bits of the whole, in the unit of its values") {
  const FilterBank bank = bankOf("gradient:sigma=1");
  LargeFixture fixture;
  for (float& value : fixture.volume.elements<float>()) value *= 1e30F;
  reach::Overview overview = fixture.large->overview();
  auto values = std::make_shared<Volume>(VolumeShape{8, 8, 15, 1}, ElementType::f32);
  std::ranges::fill(values->elements<float>(), 1e30F);
  overview.means = values;
  overview.level = 2;
  overview.statistics = {};
  fixture.large = std::make_shared<reach::LargeVolume>(overview, std::make_unique<test::VolumePlanes>(fixture.volume),
                                                       4 * 20 * 32 * 32 * 4);
  FilterBank known = bank;
  known.unit = dataUnitOf(known, fixture.volume, {});
  REQUIRE(known.unit != 1);
  const Volume whole = fixture.filtered(known);
  REQUIRE(std::isfinite(whole.value(5, 6, 31)));
  fixture.run(fixture.request(bank, 31));
  REQUIRE(fixture.all.size() == 3);
  const auto* preview = fixture.all[0].as<LivePreview>();
  REQUIRE(preview != nullptr);
  CHECK(sameSlice(*preview->slices[0], whole, 31));
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
  REQUIRE(fixture.all.size() == 3);
  CHECK(fixture.all[0].as<LivePreview>() != nullptr);
}

namespace {

// The voxels of a slice of `whole` across an index axis, one after the other.
Volume cutSlice(const Volume& whole, std::size_t axis, std::int64_t at) {
  const Box box = sliceBox(whole.spec(), axis, at);
  Volume slice({box.size(0), box.size(1), box.size(2), whole.shape().components}, whole.type());
  const auto bytes = static_cast<std::size_t>(whole.shape().components) * bytesOf(whole.type());
  std::byte* out = slice.data();
  for (std::int64_t z = box.begin[2]; z < box.end[2]; ++z)
    for (std::int64_t y = box.begin[1]; y < box.end[1]; ++y)
      for (std::int64_t x = box.begin[0]; x < box.end[0]; ++x, out += bytes)
        std::memcpy(out,
                    whole.data() + static_cast<std::size_t>((z * whole.shape().ny + y) * whole.shape().nx + x) * bytes,
                    bytes);
  return slice;
}

bool sameVoxels(const std::shared_ptr<const Volume>& slice, const Volume& expected) {
  return slice && slice->shape() == expected.shape() &&
         std::memcmp(slice->data(), expected.data(), static_cast<std::size_t>(expected.bytes())) == 0;
}

const LivePreview* sweptOf(const std::vector<LiveNews>& all, std::size_t view) {
  for (const LiveNews& news : all)
    if (const auto* preview = news.as<LivePreview>(); preview != nullptr && preview->sources[view]) return preview;
  return nullptr;
}

}  // namespace

TEST_CASE("slices that cross the planes of data larger than memory have the bits of the whole") {
  for (const char* spec : {"gaussian:sigma=1.5", "median:size=5", "sobel:axis=y"})
    for (const Boundary boundary : {Boundary::nearest, Boundary::wrap, Boundary::mirror})
      for (const std::size_t view : {1U, 2U})
        for (const std::int64_t at : {0, 13, 31}) {
          CAPTURE(spec, toString(boundary), view, at);
          LargeFixture fixture;
          const FilterBank bank = bankOf(spec, boundary);
          const Volume whole = fixture.filtered(bank);
          LiveRequest request = fixture.request(bank, 30);
          request.previewed = {};
          request.swept[view] = true;
          request.crosshair[2 - view] = at;
          fixture.run(request);
          const LivePreview* preview = sweptOf(fixture.all, view);
          REQUIRE(preview != nullptr);
          CHECK(preview->sliceAt[view] == at);
          CHECK(sameVoxels(preview->sources[view], cutSlice(fixture.volume, 2 - view, at)));
          CHECK(sameVoxels(preview->slices[view], cutSlice(whole, 2 - view, at)));
          REQUIRE(fixture.all.size() == 3);
          REQUIRE(fixture.all[1].as<LiveVerified>() != nullptr);
          CHECK(fixture.all[1].as<LiveVerified>()->verification.verified);
          CHECK_THAT(fixture.all[1].as<LiveVerified>()->verification.coverage, ContainsSubstring("slabs of the slice"));
        }
}

TEST_CASE("without a filter a slice of the source comes alone, each plane read once") {
  LargeFixture fixture;
  LiveRequest request = fixture.request({}, 30);
  request.swept = {false, true, true};
  fixture.run(request);
  REQUIRE(fixture.all.size() == 3);
  for (const std::size_t view : {1U, 2U}) {
    const LivePreview* preview = sweptOf(fixture.all, view);
    REQUIRE(preview != nullptr);
    CHECK(preview->slices[view] == nullptr);
    CHECK(sameVoxels(preview->sources[view], cutSlice(fixture.volume, 2 - view, request.crosshair[2 - view])));
  }
  CHECK(fixture.source->planes <= 2 * 60);
}

TEST_CASE("slices of a compressed file come when they are asked for, and only then") {
  const FilterBank bank = bankOf("gaussian:sigma=1.5");
  for (const std::size_t view : {0U, 1U, 2U}) {
    CAPTURE(view);
    LargeFixture fixture;
    fixture.source->any = false;
    const Volume whole = fixture.filtered(bank);
    LiveRequest request = fixture.request(bank, 30);
    fixture.run(request);
    REQUIRE(fixture.all.size() == 1);
    CHECK(fixture.all[0].as<IdleNews>() != nullptr);
    CHECK(fixture.source->planes == 0);
    request.swept[view] = true;
    fixture.run(request);
    const std::int64_t at = request.crosshair[2 - view];
    std::shared_ptr<const Volume> source, result;
    for (const LiveNews& news : fixture.all)
      if (const auto* preview = news.as<LivePreview>()) {
        CHECK(preview->sliceAt[view] == at);
        if (preview->sources[view]) source = preview->sources[view];
        if (preview->slices[view]) result = preview->slices[view];
      }
    CHECK(sameVoxels(source, cutSlice(fixture.volume, 2 - view, at)));
    CHECK(sameVoxels(result, cutSlice(whole, 2 - view, at)));
    request.bank = {};
    request.crosshair[2 - view] = at - 1;
    fixture.run(request);
    REQUIRE(sweptOf(fixture.all, view) != nullptr);
    CHECK(sameVoxels(sweptOf(fixture.all, view)->sources[view], cutSlice(fixture.volume, 2 - view, at - 1)));
  }
}

TEST_CASE("a slice for which the file is read ends at once when it is canceled") {
  LargeFixture fixture;
  LiveRequest request = fixture.request(bankOf("box:size=3"), 30);
  request.previewed = {};
  request.swept = {false, true, true};
  std::atomic<bool> begun = false, go = false;
  std::atomic<int> canceled = 0, slices = 0;
  LiveRunner runner(fixture.engines, fixture.variants, [&](const LiveNews& news) {
    if (isProgress(news)) {
      begun = true;
      while (!go) std::this_thread::yield();
    }
    if (news.as<LivePreview>() != nullptr) ++slices;
    if (news.as<CanceledNews>() != nullptr) ++canceled;
  });
  runner.submit(request);
  while (!begun) std::this_thread::yield();
  runner.cancel();
  go = true;
  runner.waitIdle();
  CHECK(canceled == 1);
  CHECK(slices == 0);
}

TEST_CASE("a slice that crosses the planes tells of a file that became shorter, and of filters that reach too far") {
  LargeFixture fixture(8);
  LiveRequest request = fixture.request(bankOf("gaussian:sigma=4"), 30);
  request.previewed = {};
  request.swept = {false, true, false};
  fixture.run(request);
  REQUIRE(fixture.all.size() == 1);
  REQUIRE(fixture.all[0].as<FailedNews>() != nullptr);
  CHECK_THAT(fixture.all[0].as<FailedNews>()->message, ContainsSubstring("planes at once"));
  fixture.source->failsAt = 59;
  request.bank = bankOf("box:size=3");
  fixture.run(request);
  REQUIRE(fixture.all.size() == 1);
  REQUIRE(fixture.all[0].as<FailedNews>() != nullptr);
  CHECK_THAT(fixture.all[0].as<FailedNews>()->message, ContainsSubstring("became shorter"));
}
