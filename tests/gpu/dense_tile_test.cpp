// The tiles of dense filters on graphics processors, on any device: one that is a processor poses as a graphics
// processor.

#include <array>
#include <limits>

#include "gpu/filter/dense_tile.h"
#include "tests/gpu/posing_engine.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"

namespace sscope::test {

namespace {

struct TileCase {
  VolumeShape shape;
  std::array<std::int64_t, 3> size, anchor;
};

// Tiles that stick out, rows of no whole vectors, taps of several pieces with and without rests, components.
std::vector<TileCase> tileCases() {
  return {{{70, 33, 5, 1}, {7, 7, 7}, {3, 3, 3}},    {{64, 40, 3, 1}, {3, 3, 3}, {1, 1, 1}},
          {{37, 50, 1, 1}, {27, 27, 1}, {13, 0, 0}}, {{41, 29, 2, 1}, {13, 5, 2}, {12, 4, 0}},
          {{45, 3, 4, 3}, {5, 4, 3}, {2, 1, 1}},     {{19, 70, 1, 2}, {9, 9, 1}, {4, 4, 0}},
          {{90, 2, 2, 1}, {70, 1, 2}, {35, 0, 1}},   {{5, 90, 2, 1}, {1, 67, 1}, {0, 33, 0}},
          {{1, 1, 1, 1}, {5, 3, 2}, {4, 0, 1}}};
}

FilterWorkload workloadOf(const TileCase& c, ElementType in, ElementType out, Boundary boundary) {
  return {{denseFilter(c.size, c.anchor)},
          boundary,
          0.75,
          {in, {c.shape.nx, c.shape.ny, c.shape.nz, c.shape.components}},
          out};
}

}  // namespace

TEST_CASE("dense tiles agree with the reference for every shape, type and boundary", "[tiles]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  INFO(Sampling::howToRepeat());
  std::size_t turn = firstTurn(), number = 0;
  for (const TileCase& c : sampled(tileCases(), 0, 5))
    for (const ElementType type : sampled(std::array{ElementType::f32, ElementType::f64}, number / 2))
      for (const char* row : sampled(std::array{"dense", "dense-baked"}, number++)) {
        const Volume input = randomVolume(c.shape, type, ++turn);
        const Boundary boundary = kBoundaries[turn % std::size(kBoundaries)];
        const FilterWorkload workload = workloadOf(c, type, ElementType::f32, boundary);
        INFO(c.shape.text() << " " << c.size[0] << "x" << c.size[1] << "x" << c.size[2] << " " << toString(type) << " "
                            << toString(boundary) << " " << row);
        requireRight(workload, input, runOn(*posing.engine, workload, input, row));
      }
}

TEST_CASE("dense tiles write every type and count what leaves it", "[tiles]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  INFO(Sampling::howToRepeat());
  for (const ElementType type : sampled(kElementTypes, 0, 2))
    for (const Boundary boundary : kBoundaries) {
      const TileCase c{{35, 18, 3, 1}, {3, 4, 2}, {1, 3, 0}};
      const Volume input = randomVolume(c.shape, type, 3);
      const FilterWorkload workload = workloadOf(c, type, type, boundary);
      INFO(toString(type) << " " << toString(boundary));
      requireRight(workload, input, runOn(*posing.engine, workload, input, "dense"));
    }
}

TEST_CASE("dense tiles that stick out touch nothing but their arrays", "[tiles][tiny]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  const TileCase c{{70, 33, 1, 1}, {5, 3, 1}, {4, 1, 0}};
  const Volume input = randomVolume(c.shape, ElementType::u8, 3);
  const FilterWorkload workload = workloadOf(c, ElementType::u8, ElementType::i16, Boundary::constant);
  requireRight(workload, input, runOn(*posing.engine, workload, input, "dense"));
}

TEST_CASE("regions and parts of dense tiles are the same bits as the whole", "[tiles]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  INFO(Sampling::howToRepeat());
  for (const auto& size : sampled(std::vector<std::array<std::int64_t, 3>>{{7, 7, 3}, {13, 11, 2}}, 0)) {
    const Volume input = randomVolume({70, 41, 19, 1}, ElementType::f32, 12);
    const FilterWorkload workload({denseFilter(size, {2, 5, 1})}, Boundary::mirror, 0, input.spec(), ElementType::f32);
    const GpuRun whole = runOn(*posing.engine, workload, input, "dense");
    requireRight(workload, input, whole);
    const GpuRun parts = runOn(*posing.engine, workload, input, "dense", {0, 100000});
    CHECK(parts.report.tiles > 3);
    CHECK(sameBytes(whole.outputs[0], parts.outputs[0]));
    for (const Box& box : {Box{{0, 0, 8}, {70, 41, 9}}, Box{{0, 18, 0}, {70, 19, 19}}, Box{{3, 0, 0}, {4, 41, 19}}}) {
      const GpuRun run = runOn(*posing.engine, *workload.restrictedTo(box), input, "dense");
      CHECK(differentVoxels(run.outputs[0], whole.outputs[0], box) == 0);
    }
  }
}

TEST_CASE("filters of one size and anchor gather once for all", "[tiles]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  const Volume input = randomVolume({33, 21, 9, 1}, ElementType::f32, 2);
  const auto launches = [&](const std::vector<Operator>& bank, const PrepareOptions& options) {
    const FilterWorkload workload(bank, Boundary::wrap, 0, input.spec(), ElementType::f32);
    posing.counted.launched = 0;
    const GpuRun run = runOn(*posing.engine, workload, input, "dense", options);
    requireRight(workload, input, run);
    return std::pair{posing.counted.launched, run.report.tiles};
  };
  const auto some = [](std::array<std::int64_t, 3> size, std::array<std::int64_t, 3> anchor, double factor) {
    Stencil filter = denseFilter(size, anchor);
    for (double& weight : filter.dense.weights) weight *= factor;
    return filter;
  };
  const Stencil a = some({3, 3, 3}, {1, 1, 1}, 1), b = some({3, 3, 3}, {1, 1, 1}, -2),
                c = some({3, 3, 3}, {0, 1, 1}, 3);
  (void)launches({a, b, c}, {});  // builds, which launches too
  CHECK(launches({a, b, a}, {}) == std::pair{1 + 3, 1});
  CHECK(launches({a, c, a}, {}) == std::pair{2 + 2 + 2, 1});
  const auto [launched, tiles] = launches({a, b, a}, {0, 40000});
  CHECK(tiles > 2);
  CHECK(launched == 4 * tiles);
}

TEST_CASE("new taps of one size need no compiling on tiles", "[tiles]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  const Volume input = randomVolume({40, 20, 6, 1}, ElementType::f32, 4);
  const FilterWorkload first({denseFilter({5, 5, 3}, {2, 2, 1})}, Boundary::nearest, 0, input.spec(), ElementType::f32);
  Stencil other = denseFilter({5, 5, 3}, {2, 2, 1});
  for (double& weight : other.dense.weights) weight = 0.1 - weight;
  const FilterWorkload second({other}, Boundary::nearest, 0, input.spec(), ElementType::f32);
  const auto plan = GpuBench::instance().variants().prepare(*posing.engine, first, "dense", {}, {});
  const int compiled = posing.counted.compiled;
  REQUIRE(plan->adopt(second, {}));
  GpuRun run;
  run.outputs.emplace_back(VolumeShape{40, 20, 6, 1}, ElementType::f32);
  const ConstArrayView in = input.view();
  const ArrayView out = run.outputs[0].view();
  run.report = plan->run({{&in, 1}, 0}, {&out, 1}, {});
  requireRight(second, input, run);
  CHECK(posing.counted.compiled == compiled);
}

// Rests of pieces, of vectors and of tiles must not multiply anything by a zero of their own.
TEST_CASE("what is not finite stays within the reach of the taps on tiles", "[tiles]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  INFO(Sampling::howToRepeat());
  for (const auto& size : sampled(std::vector<std::array<std::int64_t, 3>>{{5, 3, 3}, {13, 9, 1}, {27, 5, 1}}, 0)) {
    Volume input = randomVolume({61, 37, 3, 1}, ElementType::f32, 6);
    auto values = input.elements<float>();
    values[(1 * 37 + 17) * 61 + 30] = std::numeric_limits<float>::infinity();
    values[61 * 36 + 60] = std::numeric_limits<float>::quiet_NaN();
    Stencil filter = denseFilter(size, {size[0] / 2, size[1] / 2, size[2] / 2});
    for (double& weight : filter.dense.weights) weight = std::abs(weight) + 0.01;
    const FilterWorkload workload({filter}, Boundary::nearest, 0, input.spec(), ElementType::f32);
    for (const char* row : {"dense", "dense-baked"})
      requireRight(workload, input, runOn(*posing.engine, workload, input, row));
  }
}

TEST_CASE("tiles follow the shape, and pieces the size of the taps alone", "[tiles]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  const auto tileOf = [&](VolumeShape shape, std::array<std::int64_t, 3> size) {
    const FilterWorkload workload({denseFilter(size, {0, 0, 0})}, Boundary::nearest, 0,
                                  {ElementType::f32, {shape.nx, shape.ny, shape.nz, shape.components}},
                                  ElementType::f32);
    FilterContext context;
    context.engine = posing.engine.get();
    context.workload = &workload;
    return denseTile(context, size);
  };
  const auto large = tileOf({256, 256, 256, 1}, {7, 7, 7});
  REQUIRE(large);
  CHECK(large->tx * large->ty == 32);
  CHECK(large->group == Grid{32, 4});
  CHECK(large->piece == std::array<std::int64_t, 2>{7, 7});
  CHECK_FALSE(large->onePieceAlongZ);
  const auto slice = tileOf({16, 1, 4, 1}, {27, 27, 3});
  const auto wide = tileOf({400, 400, 4, 1}, {27, 27, 3});
  REQUIRE(slice);
  REQUIRE(wide);
  CHECK(slice->ty == 1);
  CHECK(slice->group.x * slice->tx == 16);
  CHECK(slice->piece == wide->piece);
  CHECK(wide->piece[0] % wide->vector == 0);
  CHECK(tileOf({64, 64, 64, 1}, {3, 3, 3})->onePieceAlongZ);
  CHECK_FALSE(tileOf({8, 8, 8, 40}, {3, 3, 3}));  // components too far apart
}

}  // namespace sscope::test
