// Data that a method could lose: what transforms spoil is summed, what terms cancel is not, and the rest is right.
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "core/filter/method/method_choice.h"
#include "tests/agreement/method_cases.h"
#include "tests/support/catch.h"
#include "tests/support/runs.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"
#include "tests/support/taps.h"

using namespace sscope;
using test::Place;
using test::PlanRun;
using test::Sampling;

namespace {

// Tiles that are summed instead of transformed.
enum class Summed { Unknown, None, Some, All };

// `x`, `y`, `z` from 0, `noise` from -1 to 1.
using Number = std::function<double(std::int64_t x, std::int64_t y, std::int64_t z, double noise)>;

struct Data {
  const char* what;
  Number number;
  Summed onProcessors = Summed::Unknown, onCards = Summed::Unknown;  // by transforms
};

constexpr double kHuge = std::numeric_limits<double>::infinity(), kNone = std::numeric_limits<double>::quiet_NaN();

// Errors of transforms are a share of the largest numbers in a tile, or in the one beside it.
std::vector<Data> dataForTransforms() {
  using enum Summed;
  const auto one = [](auto x, auto y, auto z) { return x == 40 && y == 31 && z == 8; };
  return {
      {"noise", [](auto, auto, auto, double noise) { return noise; }, Unknown, None},
      {"zeros", [](auto, auto, auto, double) { return 0.0; }, Unknown, None},
      {"zeros in one half", [](auto x, auto, auto, double noise) { return x < 60 ? 0 : noise; }, Unknown, All},
      {"zeros in a corner", [](auto x, auto y, auto, double noise) { return x < 40 && y < 40 ? 0 : noise; }, Unknown,
       Some},
      {"a dark half", [](auto x, auto, auto, double noise) { return x < 60 ? 1e-5 * noise : 1e4 * noise; }, Unknown,
       All},
      {"brighter along x", [](auto x, auto, auto, double noise) { return std::exp(0.2 * double(x)) * noise; }, Unknown,
       All},
      {"1e30 in one voxel", [=](auto x, auto y, auto z, double noise) { return one(x, y, z) ? 1e30 : noise; }, Unknown,
       Some},
      {"1e6 in one voxel", [=](auto x, auto y, auto z, double noise) { return one(x, y, z) ? 1e6 : noise; }, Unknown,
       Some},
      {"Inf in one voxel", [=](auto x, auto y, auto z, double noise) { return one(x, y, z) ? kHuge : noise; }, Unknown,
       Some},
      {"NaN in one voxel", [=](auto x, auto y, auto z, double noise) { return one(x, y, z) ? kNone : noise; }, Some,
       Some},
      {"NaN", [](auto, auto, auto, double) { return kNone; }, All, All},
      {"huge", [](auto, auto, auto, double noise) { return 1e30 * noise; }, All, All},
      {"tiny", [](auto, auto, auto, double noise) { return 1e-30 * noise; }, All, All},
      {"below normal", [](auto, auto, auto, double noise) { return 1e-40 * noise; }, All, Unknown},
      {"few nonzero", [](auto, auto, auto, double noise) { return noise > 0.999 ? 1.0 : 0.0; }, All, All},
      {"nearly constant", [](auto, auto, auto, double noise) { return 1000 + 1e-3 * noise; }, None, None},
  };
}

std::vector<Data> dataForTerms() {
  return {
      {"an impulse", [](auto x, auto y, auto, double) { return x == 40 && y == 31 ? 1.0 : 0.0; }},
      {"a bright half", [](auto x, auto, auto, double noise) { return x < 45 ? 1e6 * noise : 1e-6 * noise; }},
      {"points", [](auto x, auto y, auto, double) { return x % 17 == 3 && y % 13 == 5 ? 1e10 : 0.0; }},
      {"small numbers", [](auto, auto, auto, double noise) { return 1e-36 * noise; }},
      {"large numbers", [](auto, auto, auto, double noise) { return 1e37 * noise; }},
      {"the largest numbers", [](auto, auto, auto, double noise) { return noise > 0 ? 3e38 : -3e38; }},
  };
}

// Sums of magnitudes stay in the range of f32, and small ones do not get lost.
std::vector<Data> dataForMeans() {
  constexpr double kMost = 0.9 * static_cast<double>(std::numeric_limits<float>::max());
  return {{"huge numbers", [](auto, auto, auto, double noise) { return noise < 0.1 ? -kMost : kMost; }},
          {"tiny numbers", [](auto, auto, auto, double noise) { return noise < 0.1 ? -1e-36 : 1e-36; }}};
}

Volume volumeOf(const Data& data, const VolumeShape& shape) {
  Volume volume = test::randomVolume(shape, ElementType::f32, 6);
  const auto values = volume.elements<float>();
  std::size_t i = 0;
  for (std::int64_t z = 0; z < shape.nz; ++z)
    for (std::int64_t y = 0; y < shape.ny; ++y)
      for (std::int64_t x = 0; x < shape.nx; ++x, ++i)
        values[i] = static_cast<float>(data.number(x, y, z, static_cast<double>(values[i])));
  return volume;
}

// Filters that one method computes on data of one shape.
struct DataOfMethod {
  Place place;
  const char* row;
  VolumeShape shape;
  std::vector<Operator> filters;  // each by itself
  std::vector<Data> data;
};

std::vector<DataOfMethod> methods() {
  const test::Extent size{15, 13, 1}, anchor{7, 6, 0};
  return {
      {Place::Processors,
       "fft",
       {131, 90, 31, 1},
       {test::denseFilter({7, 7, 7}, {3, 0, 0}), test::denseFilter({11, 12, 1}, {5, 0, 0})},
       dataForTransforms()},
      {Place::Cards,
       "fft",
       {231, 190, 13, 1},
       {test::faintFilter({9, 9, 3}, {4, 0, 0}), test::faintFilter({11, 12, 1}, {5, 0, 0})},
       dataForTransforms()},
      {Place::Processors,
       "low-rank",
       {90, 60, 1, 1},
       {test::twoBumps(size, anchor), test::obliqueWave(size, anchor)},
       dataForTerms()},
      {Place::Processors,
       "separable",
       {80, 40, 40, 1},
       {test::boxOf({31, 31, 31}), test::boxOf({9, 9, 9})},
       dataForMeans()},
      {Place::Processors, "dense", {80, 30, 20, 1}, {test::radialTaps(7, 3), test::radialTaps(21, 2)}, dataForMeans()},
  };
}

PlanRun ranBy(const test::MethodMachine& machine, Engine& engine, const char* row, const Workload& workload,
              const Volume& input) {
  const auto plan = machine.variants.prepare(engine, workload, row, {}, {});
  test::forgetBuffers(engine);
  return test::runOnce(*plan, workload, input);
}

void requireSummed(Summed wanted, const test::MethodMachine& machine, Engine& engine, const FilterWorkload& workload,
                   const Volume& input, const PlanRun& run) {
  const auto summed = run.report.launch.find(kSummedTiles);
  const bool some = summed != run.report.launch.end();
  CHECK((run.report.why.find("sums in ") != std::string::npos) == some);
  if (wanted == Summed::Unknown) return;
  REQUIRE(some == (wanted != Summed::None));
  if (wanted != Summed::All) return;
  CHECK(test::sameBits(run, ranBy(machine, engine, "dense", workload, input)));
  if (!engine.info().isDevice()) CHECK(summed->second == run.report.launch.at(kLookedAtTiles));
}

}  // namespace

TEST_CASE(
    "data that a method could lose are right on every engine, and transforms sum the tiles that they would spoil") {
  const test::MethodMachine machine;
  const Sampling sampling = Sampling::ofRun().named("data of methods");
  std::size_t turn = 0;
  for (const DataOfMethod& method : methods()) {
    const std::vector<Engine*> engines = machine.at(method.place);
    const bool card = method.place == Place::Cards;
    for (const Operator& filter : card ? test::sampleOf(1, method.filters, sampling) : method.filters)
      for (const Data& data : card ? test::sampleOf(4, method.data, sampling) : method.data) {
        const Volume input = volumeOf(data, method.shape);
        const FilterWorkload workload({filter}, Boundary::mirror, 0, input.spec(), ElementType::f32);
        ++turn;
        for (std::size_t level = 0; level < engines.size(); ++level) {
          if (!test::inShare(turn + level, engines.size(), sampling)) continue;  // the levels take turns
          Engine& engine = *engines[level];
          INFO(data.what << " by " << method.row << " on " << engine.info().id << ", " << filter.size()[2]
                         << " planes of taps, " << Sampling::howToRepeat());
          const PlanRun run = ranBy(machine, engine, method.row, workload, input);
          CHECK(test::wrongIn(workload, input, run) == "");
          CHECK(run.report.variant == method.row);
          if (std::string_view(method.row) == "fft")
            requireSummed(card ? data.onCards : data.onProcessors, machine, engine, workload, input, run);
        }
      }
  }
}
