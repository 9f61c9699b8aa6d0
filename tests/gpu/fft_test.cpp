// Filters by Fourier transforms on devices, and on one that is a processor and poses as a graphics processor: right on
// every tile, and not used where they would lose too much.

#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "core/filter/method/method_choice.h"
#include "tests/gpu/posing_engine.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"

namespace sscope::test {

namespace {

struct FftCase {
  VolumeShape shape;
  std::array<std::int64_t, 3> size, anchor;
};

// Several tiles along each axis, an odd number of them, edges that no tile divides; all lengths; taps wider than the
// data, along one axis only, with an anchor outside; components.
const FftCase kFftCases[] = {
    {{150, 140, 1, 1}, {27, 27, 1}, {13, 13, 0}}, {{90, 75, 2, 3}, {31, 12, 1}, {0, 11, 0}},
    {{75, 31, 19, 1}, {5, 6, 7}, {2, 0, 6}},      {{41, 40, 30, 1}, {15, 15, 15}, {7, 7, 7}},
    {{20, 90, 33, 2}, {1, 21, 1}, {0, 9, 0}},     {{30, 25, 70, 1}, {3, 1, 19}, {1, 0, 9}},
    {{5, 3, 2, 1}, {40, 33, 9}, {-2, 50, 4}},     {{140, 1, 1, 1}, {64, 1, 1}, {32, 0, 0}},
    {{64, 64, 3, 1}, {64, 63, 2}, {31, 31, 0}},   {{17, 18, 1, 1}, {3, 3, 1}, {1, 1, 0}},
};

}  // namespace

TEST_CASE("transforms on devices agree with the reference for every shape, type and boundary", "[fft]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  INFO(Sampling::howToRepeat());
  std::size_t turn = firstTurn(), number = 0;
  for (const FftCase& c : sampled(kFftCases, 0, 2))
    for (const ElementType type : sampled(std::array{ElementType::f32, ElementType::u16, ElementType::f64}, number++)) {
      const Boundary boundary = kBoundaries[turn++ % std::size(kBoundaries)];
      const Volume input = randomVolume(c.shape, type, turn);
      const ElementType output = type == ElementType::f64 ? ElementType::f64 : ElementType::f32;
      const FilterWorkload workload({denseFilter(c.size, c.anchor)}, boundary, 0.75, input.spec(), output);
      INFO(c.shape.text() << " " << c.size[0] << "x" << c.size[1] << "x" << c.size[2] << " " << toString(type) << " "
                          << toString(boundary));
      const GpuRun run = runOn(*posing.engine, workload, input, "fft");
      requireRight(workload, input, run);
      CHECK(run.report.variant == "fft");
    }
}

// Errors of transforms are a share of the largest numbers in a tile, or in the one beside it.
TEST_CASE("tiles that transforms would spoil are right on devices", "[fft]") {
  PosingEngine posing;
  if (!posing.engine) SSCOPE_SKIP("there is no device");
  using Number = std::function<double(std::int64_t x, std::int64_t y, std::int64_t z, double noise)>;
  enum class Summed { None, Some, Many };  // tiles
  struct Data {
    const char* what;
    Number number;
    Summed summed;
  };
  constexpr double kInf = std::numeric_limits<double>::infinity(), kNaN = std::numeric_limits<double>::quiet_NaN();
  const auto one = [](auto x, auto y, auto z) { return x == 40 && y == 31 && z == 8; };
  const Data all[] = {
      {"noise", [](auto, auto, auto, double noise) { return noise; }, Summed::None},
      {"zeros", [](auto, auto, auto, double) { return 0.0; }, Summed::None},
      {"zeros in one half", [](auto x, auto, auto, double noise) { return x < 60 ? 0 : noise; }, Summed::Many},
      {"zeros in a corner", [](auto x, auto y, auto, double noise) { return x < 40 && y < 40 ? 0 : noise; },
       Summed::Some},
      {"a dark half", [](auto x, auto, auto, double noise) { return x < 60 ? 1e-5 * noise : 1e4 * noise; },
       Summed::Many},
      {"brighter along x", [](auto x, auto, auto, double noise) { return std::exp(0.2 * double(x)) * noise; },
       Summed::Many},
      {"1e30 in one voxel", [&](auto x, auto y, auto z, double noise) { return one(x, y, z) ? 1e30 : noise; },
       Summed::Some},
      {"1e6 in one voxel", [&](auto x, auto y, auto z, double noise) { return one(x, y, z) ? 1e6 : noise; },
       Summed::Some},
      {"Inf in one voxel", [&](auto x, auto y, auto z, double noise) { return one(x, y, z) ? kInf : noise; },
       Summed::Some},
      {"NaN in one voxel", [&](auto x, auto y, auto z, double noise) { return one(x, y, z) ? kNaN : noise; },
       Summed::Some},
      {"NaN", [&](auto, auto, auto, double) { return kNaN; }, Summed::Many},
      {"huge", [](auto, auto, auto, double noise) { return 1e30 * noise; }, Summed::Many},
      {"tiny", [](auto, auto, auto, double noise) { return 1e-30 * noise; }, Summed::Many},
      {"few nonzero", [](auto, auto, auto, double noise) { return noise > 0.999 ? 1.0 : 0.0; }, Summed::Many},
      {"nearly constant", [](auto, auto, auto, double noise) { return 1000 + 1e-3 * noise; }, Summed::None},
  };
  const VolumeShape shape{231, 190, 13, 1};
  const Volume noise = randomVolume(shape, ElementType::f32, 6);
  INFO(Sampling::howToRepeat());
  for (const auto& size : sampled(std::vector<std::array<std::int64_t, 3>>{{9, 9, 3}, {11, 12, 1}}, 0))
    for (const Data& data : sampled(all, 0, 4)) {
      Volume input(shape, ElementType::f32);
      for (std::int64_t z = 0, i = 0; z < shape.nz; ++z)
        for (std::int64_t y = 0; y < shape.ny; ++y)
          for (std::int64_t x = 0; x < shape.nx; ++x, ++i)
            input.elements<float>()[static_cast<std::size_t>(i)] =
                static_cast<float>(data.number(x, y, z, noise.value(x, y, z, 0)));
      const FilterWorkload workload({denseFilter(size, {size[0] / 2, 0, 0})}, Boundary::mirror, 0, input.spec(),
                                    ElementType::f32);
      INFO(data.what << " " << size[2]);
      const GpuRun run = runOn(*posing.engine, workload, input, "fft");
      requireRight(workload, input, run);
      INFO(run.report.why);
      CHECK((run.report.why.find("sums in ") != std::string::npos) == (data.summed != Summed::None));
      CHECK(run.report.launch.contains(kSummedTiles) == (data.summed != Summed::None));
      if (data.summed == Summed::Many)
        CHECK(sameBytes(run.outputs[0], runOn(*posing.engine, workload, input, "dense").outputs[0]));
    }
}

}  // namespace sscope::test
