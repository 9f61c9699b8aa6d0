// Order statistics in every way to find them: right in the elements' own width, at every level, boundary and type.
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "core/filter/method/method.h"
#include "tests/cpu/cpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::test;

namespace {

const CpuMachine& rankLevels() {
  static const CpuMachine one;
  return one;
}

// What each way takes, from the smallest window on.
std::vector<Operator> windowsFor(MethodKind kind, int dimensions) {
  constexpr auto kBox = WindowShape::Box, kBall = WindowShape::Ball, kCross = WindowShape::Cross;
  switch (kind) {
    case MethodKind::Merging:
      if (dimensions == 3) return {medianWindow(kBox, 3, 3)};
      return {medianWindow(kBox, 3, 2), medianWindow(kBox, 5, 2)};
    case MethodKind::Selection:
      return {medianWindow(kBox, 3, dimensions), medianWindow(kCross, 5, dimensions),
              medianWindow(kBall, 5, dimensions)};
    case MethodKind::Histogram:
      return {medianWindow(kBox, 3, dimensions), percentileWindow(kBox, 7, dimensions, 80),
              minimumWindow(kBox, 4, dimensions), percentileWindow(kBox, 31, dimensions, 10)};
    case MethodKind::Bisection:
      return {percentileWindow(kBox, 3, dimensions, 30), percentileWindow(kBall, 5, dimensions, 99),
              medianWindow(kBox, 7, dimensions), minimumWindow(kBox, 2, dimensions)};
    default:
      return {minimumWindow(kBox, 1, dimensions),   minimumWindow(kBox, 6, dimensions),
              maximumWindow(kBox, 21, dimensions),  maximumWindow(kBall, 7, dimensions),
              minimumWindow(kCross, 9, dimensions), percentileWindow(kBall, 5, dimensions, 0)};
  }
}

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();

// Noise with the type's ends in it.
Volume noiseWithEnds(const VolumeShape& shape, ElementType type, std::uint64_t seed) {
  Volume volume = randomVolume(shape, type, seed);
  dispatch(type, [&](auto tag) {
    using T = decltype(tag);
    const auto elements = volume.elements<T>();
    for (std::size_t i = 0; i < elements.size(); i += 7)
      elements[i] = i % 2 == 0 ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
  });
  return volume;
}

constexpr std::array kWays{MethodKind::Merging, MethodKind::Selection, MethodKind::Bisection, MethodKind::Histogram,
                           MethodKind::Lines};

// Empty: the way gives what the reference does on every engine that is there; where the case has a number, on those
// whose turn it is.
std::string wrongAnywhere(MethodKind kind, const FilterWorkload& workload, const Volume& input,
                          std::optional<std::size_t> number = {}) {
  const Variant& row = rankLevels().variants.at("filter", EngineKind::Cpu, std::string(toString(kind)));
  if (!row.unsupported({}, workload).empty())
    return kind == MethodKind::Histogram && bytesOf(workload.orderedAs()) > 1 ? "" : "refused";
  const std::vector<Engine*> engines = rankLevels().engines.available();
  const auto sampling = Sampling::ofRun().named("levels of order statistics");
  for (std::size_t level = 0; level < engines.size(); ++level) {
    if (number && !inShare(*number + level, engines.size(), sampling)) continue;
    const Engine* engine = engines[level];
    const CpuRun run = runOnCpu(rankLevels(), engine->info().id, std::string(toString(kind)), workload, input);
    const std::string wrong = run.report.variant == toString(kind) ? wrongIn(workload, input, run) : run.report.variant;
    if (!wrong.empty()) return engine->info().id + ": " + wrong;
  }
  return {};
}

}  // namespace

TEST_CASE("order statistics equal the reference on every CPU engine, in every way to find them") {
  // Odd extents, windows wider than the data, slices across x, colors side by side and too many of them for that.
  const VolumeShape shapes[] = {{67, 9, 6, 1},  {1, 40, 7, 1}, {2, 3, 2, 1}, {21, 7, 1, 3},
                                {130, 5, 1, 1}, {5, 4, 3, 17}, {1, 1, 1, 1}};
  std::size_t turn = 0;
  for (const Combination& one :
       coveringArray({std::size(shapes), std::size(kElementTypes), kWays.size(), std::size(kBoundaries), 3},
                     Sampling::ofRun().named("order statistics"))) {
    const VolumeShape& shape = shapes[one[0]];
    const ElementType type = kElementTypes[one[1]];
    const MethodKind kind = kWays[one[2]];
    const Boundary boundary = kBoundaries[one[3]];
    const ElementType output = std::array{ElementType::f32, type, ElementType::i16}[one[4]];
    const Volume input = noiseWithEnds(shape, type, ++turn);
    const FilterWorkload workload(windowsFor(kind, shape.dimensions()), boundary, 7, input.spec(), output);
    INFO(toString(kind) << " of " << shape.text() << " " << toString(type) << " to " << toString(output) << ", "
                        << toString(boundary) << ", " << Sampling::howToRepeat());
    CHECK(wrongAnywhere(kind, workload, input, turn) == "");
  }
}

TEST_CASE("order statistics take any value outside, whether or not the elements have it") {
  constexpr std::array kTypes{ElementType::u8, ElementType::i16, ElementType::u32, ElementType::f32};
  constexpr std::array kOutside{0.0, -1.0, 0.5, 300.0, 1e300, kNaN, -kInfinity};
  for (const Combination& one :
       coveringArray({kTypes.size(), kOutside.size(), kWays.size(), 2}, Sampling::ofRun().named("values outside"))) {
    const ElementType type = kTypes[one[0]], output = one[3] == 0 ? type : ElementType::f64;
    const MethodKind kind = kWays[one[2]];
    const double outside = kOutside[one[1]];
    const Volume input = noiseWithEnds({9, 8, 5, 1}, type, 3);
    const FilterWorkload workload({windowsFor(kind, 3).back()}, Boundary::constant, outside, input.spec(), output);
    INFO(toString(kind) << " of " << toString(type) << " to " << toString(output) << ", outside " << outside << ", "
                        << Sampling::howToRepeat());
    CHECK(wrongAnywhere(kind, workload, input) == "");
  }
}

TEST_CASE("elements are compared as what they are unless the value outside is none of them") {
  const auto ordered = [](ElementType input, ElementType output, Boundary boundary, double outside) {
    const ArraySpec spec{input, {5, 5, 5, 1}};
    return FilterWorkload({medianWindow(WindowShape::Box, 3, 3)}, boundary, outside, spec, output).orderedAs();
  };
  using enum ElementType;
  for (const ElementType type : kElementTypes) CHECK(ordered(type, type, Boundary::nearest, 0.5) == type);
  CHECK(ordered(u8, f32, Boundary::constant, 255) == u8);
  CHECK(ordered(u8, f32, Boundary::constant, 256) == f32);
  CHECK(ordered(u8, u8, Boundary::constant, 0.5) == f32);
  CHECK(ordered(u8, u8, Boundary::constant, 0.1) == f64);
  CHECK(ordered(i32, f32, Boundary::constant, 0.5) == f64);
  CHECK(ordered(u16, f64, Boundary::constant, NAN) == f64);
  CHECK(ordered(f32, f64, Boundary::constant, 0.1) == f64);
}

TEST_CASE("NaN and the infinities have their places among order statistics, in every way to find them") {
  for (const ElementType type : {ElementType::f32, ElementType::f64})
    for (const int dimensions : {2, 3}) {
      Volume input = randomVolume({70, 12, dimensions == 3 ? 7 : 1, 1}, type, 9);
      const auto put = [&](std::int64_t at, double value) {
        if (type == ElementType::f32) {
          input.elements<float>()[static_cast<std::size_t>(at)] = static_cast<float>(value);
        } else {
          input.elements<double>()[static_cast<std::size_t>(at)] = value;
        }
      };
      put(0, -NAN);
      put(35 + 70 * 6, NAN);
      put(60 + 70 * 3, std::numeric_limits<double>::signaling_NaN());
      for (std::int64_t i = 0; i < 5; ++i) {
        put(20 + i, INFINITY);
        put(90 + i, -INFINITY);
        put(300 + i, i % 2 == 0 ? 0.0 : -0.0);
        put(310 + i, 1e-310);
      }
      for (const MethodKind kind : kWays) {
        const FilterWorkload workload(windowsFor(kind, dimensions), Boundary::mirror, 0, input.spec(), type);
        INFO(toString(kind) << " of " << toString(type) << " in " << dimensions << " dimensions");
        CHECK(wrongAnywhere(kind, workload, input) == "");
      }
    }
}

TEST_CASE("a part of an order statistic is that part of the whole") {
  const Volume input = randomVolume({40, 21, 12, 1}, ElementType::u8, 5);
  for (const MethodKind kind : kWays) {
    const FilterWorkload whole(windowsFor(kind, 3), Boundary::reflect, 0, input.spec(), ElementType::u8);
    for (const Box& box : {Box{{3, 0, 5}, {4, 21, 12}}, Box{{0, 7, 0}, {40, 8, 12}}, Box{{1, 2, 3}, {39, 5, 4}}}) {
      const auto part = whole.restrictedTo(box);
      INFO(toString(kind) << " from " << box.begin[0] << " " << box.begin[1] << " " << box.begin[2]);
      for (const Engine* engine : rankLevels().engines.available())
        CHECK(wrongIn(*part, input,
                      runOnCpu(rankLevels(), engine->info().id, std::string(toString(kind)), *part, input)) == "");
    }
  }
}

TEST_CASE("the widest windows are found, and stop when they are told to") {
  const Volume input = randomVolume({40, 34, 33, 1}, ElementType::f32, 4);
  const FilterWorkload workload({medianWindow(WindowShape::Box, 31, 3)}, Boundary::nearest, 0, input.spec(),
                                ElementType::f32);
  const auto corner = workload.restrictedTo({{0, 0, 0}, {17, 2, 1}});
  CHECK(wrongIn(*corner, input, runOnCpu(rankLevels(), "cpu:scalar", "", *corner, input)) == "");
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(runOnCpu(rankLevels(), "cpu:scalar", "", workload, input, 1, {stop.get_token(), {}}), Canceled);
  const Volume bytes = randomVolume({40, 34, 6, 1}, ElementType::u8, 4);
  const FilterWorkload counted({medianWindow(WindowShape::Box, 31, 3)}, Boundary::nearest, 0, bytes.spec(),
                               ElementType::u8);
  const CpuRun run = runOnCpu(rankLevels(), "cpu:scalar", "", counted, bytes);
  CHECK(run.report.variant == "histogram");
  CHECK(check(counted, bytes, run).failure.empty());
}
