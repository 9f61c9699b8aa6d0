// The tiles of dense filters on graphics processors beside their results (tests/agreement/method_cases.cpp), on any
// device: one that is a processor poses as a graphics processor.

#include <array>

#include "gpu/filter/dense_tile.h"
#include "tests/gpu/posing_engine.h"
#include "tests/support/catch.h"

namespace sscope::test {

TEST_CASE("dense tiles that stick out touch nothing but their arrays", "[tiles][tiny]") {
  SSCOPE_POSING_ENGINE(posing);
  const Volume input = randomVolume({70, 33, 1, 1}, ElementType::u8, 3);
  const FilterWorkload workload({faintFilter({5, 3, 1}, {4, 1, 0})}, Boundary::constant, 0.75, input.spec(),
                                ElementType::i16);
  requireRight(workload, input, runOn(*posing.engine, workload, input, "dense"));
}

TEST_CASE("filters of one size and anchor gather once for all", "[tiles]") {
  SSCOPE_POSING_ENGINE(posing);
  const Volume input = randomVolume({33, 21, 9, 1}, ElementType::f32, 2);
  const auto launches = [&](const std::vector<Operator>& bank, const PrepareOptions& options) {
    const FilterWorkload workload(bank, Boundary::wrap, 0, input.spec(), ElementType::f32);
    posing.counted.launched = 0;
    const PlanRun run = runOn(*posing.engine, workload, input, "dense", options);
    requireRight(workload, input, run);
    return std::pair{posing.counted.launched, run.report.tiles};
  };
  const auto some = [](std::array<std::int64_t, 3> size, std::array<std::int64_t, 3> anchor, double factor) {
    Stencil filter = faintFilter(size, anchor);
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

TEST_CASE("tiles follow the shape, and pieces the size of the taps alone", "[tiles]") {
  SSCOPE_POSING_ENGINE(posing);
  const auto tileOf = [&](VolumeShape shape, std::array<std::int64_t, 3> size) {
    const FilterWorkload workload({faintFilter(size, {0, 0, 0})}, Boundary::nearest, 0,
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
