// What a device makes of a result (range, histogram, the blocks of the 3D view) is what the host makes of its copy.

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/volume/volume.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"
#include "tests/support/watched_device.h"

namespace sscope::test {

namespace {

// The input itself as a result on the device.
std::shared_ptr<ResidentArray> onDevice(Engine& engine, const Volume& input, ElementType type) {
  Stencil identity;
  identity.terms = {SeparableTerm{}};
  const FilterWorkload workload({identity}, Boundary::nearest, 0, input.spec(), type);
  const auto plan = GpuBench::instance().variants().prepare(engine, workload, "separable", {}, {});
  const ConstArrayView in = input.view();
  const std::vector<ArraySpec> specs = workload.outputs();
  VolumePool pool;
  forgetBuffers(engine);
  return plan->runResident({{&in, 1}, 0}, specs, pool, {}).outputs.front();
}

bool sameHistogram(const Histogram& a, const Histogram& b) {
  return a.low == b.low && a.high == b.high && a.least == b.least && a.most == b.most && a.whole == b.whole &&
         a.counts == b.counts && a.nonFinite == b.nonFinite;
}

}  // namespace

TEST_CASE("ranges, histograms and blocks of a result on a device are the host's", "[resident]") {
  SSCOPE_EACH_DEVICE(engine);
  if (!engine->info().fp64) SSCOPE_SKIP(engine->info().id + " has no doubles");
  INFO(Sampling::howToRepeat());
  for (const int components : {1, 3})
    for (const ElementType type : sampled(kElementTypes, components == 1 ? 0 : 3)) {
      INFO(toString(type) << ", " << components << " components");
      Volume input = randomVolume({29, 23, 19, components}, type, 7);
      if (type == ElementType::f32) {
        const auto values = input.elements<float>();
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        values[5] = kInfinity;
        values[500] = -kInfinity;
        for (std::size_t i = 1000; i < 1400; ++i) values[i] = std::numeric_limits<float>::quiet_NaN();
        values[7] = std::numeric_limits<float>::max();
      }
      const auto array = onDevice(*engine, input, type);
      REQUIRE(array->deviceBytes() > 0);
      const auto host = std::make_shared<const Volume>(input.clone());
      const auto there = hostArray("", host);
      for (const Box& box : {wholeBox(array->spec()), sliceBox(array->spec(), 0, 28), Box{{1, 2, 3}, {28, 4, 5}},
                             Box{{7, 0, 0}, {8, 1, 1}}})
        for (int component = -1; component < components; ++component) {
          INFO("component " << component << ", from " << box.begin[0] << " to " << box.end[0]);
          CHECK(array->range(box, component, {}) == there->range(box, component, {}));
          for (const int bins : {256, 7})
            CHECK(sameHistogram(makeHistogram(*array, box, component, bins, {}),
                                makeHistogram(*there, box, component, bins, {})));
        }
      const Bins narrow{-0.25, 50, 10, false};  // most values are beyond its ends
      CHECK(array->counts(wholeBox(array->spec()), -1, narrow, {}) ==
            there->counts(wholeBox(array->spec()), -1, narrow, {}));
      for (const std::int64_t edge : {128, 8, 5})
        for (int component = -1; component < components; ++component) {
          const BrickBlocks blocks = brickBlocks(array->spec(), component, edge);
          CHECK(array->means(blocks, {}) == blockMeans(*host, blocks, {}));
        }
      const VolumeBrick brick = makeBrick(*array, {}, 0, 8, {}), expected = makeBrick(*host, 0, 8, {});
      CHECK(brick.values == expected.values);
      CHECK(brick.size == expected.size);
      CHECK(brick.low == expected.low);
      CHECK(array->deviceBytes() > 0);  // nothing of that needed a copy of the whole
    }
}

TEST_CASE("a result without a finite value", "[resident][tiny]") {
  SSCOPE_EACH_DEVICE(engine);
  Volume input({5, 3, 2, 1}, ElementType::f32);
  for (float& value : input.elements<float>()) value = std::numeric_limits<float>::quiet_NaN();
  const auto array = onDevice(*engine, input, ElementType::f32);
  CHECK(array->range(wholeBox(array->spec()), 0, {}) == ValueRange{0, 0, 0, 30});
  const Histogram histogram = makeHistogram(*array, wholeBox(array->spec()), 0, 256, {});
  CHECK(histogram.counts.empty());
  CHECK(histogram.nonFinite == 30);
  CHECK(array->means(brickBlocks(array->spec(), -1, 2), {}) == std::vector<float>(8, 0.0F));
  input.elements<float>()[3] = 2.5F;
  const auto other = onDevice(*engine, input, ElementType::f32);
  CHECK(other->range(wholeBox(other->spec()), 0, {}) == ValueRange{2.5, 2.5, 1, 29});
  CHECK(other->counts(wholeBox(other->spec()), 0, {2, 3, 4}, {}) == std::vector<std::int64_t>{0, 0, 1, 0});
  const auto refused = [&](const Box& box, int bins) {
    try {
      (void)other->counts(box, 0, {0, 1, bins}, {});
    } catch (const Error& error) {
      return error.kind() == ErrorKind::Usage;
    }
    return false;
  };
  CHECK(refused(wholeBox(other->spec()), 257));
  CHECK(refused(sliceBox(other->spec(), 0, 5), 16));
}

}  // namespace sscope::test
