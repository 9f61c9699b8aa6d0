// Which methods the processor and the devices choose, and what they predict.
#include <cmath>
#include <map>

#include "core/cpu/filter/methods.h"
#include "core/filter/method/method_choice.h"
#include "gpu/filter/methods.h"
#include "tests/agreement/machine.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"
#include "tests/support/taps.h"

using namespace sscope;

namespace {

AxisTaps evenTaps(std::int64_t size) {
  if (size == 1) return {};
  return {std::vector<double>(static_cast<std::size_t>(size), 0.5), size / 2};
}

// A sum of boxes.
Operator boxes(const std::vector<std::array<std::int64_t, 3>>& sizes) {
  Stencil stencil;
  for (const auto& size : sizes) stencil.terms.push_back({{evenTaps(size[0]), evenTaps(size[1]), evenTaps(size[2])}});
  return {"boxes", stencil};
}

// A sum of products of lines with no two taps alike.
Operator ramps(int terms, std::int64_t size) {
  Stencil stencil;
  for (int t = 0; t < terms; ++t) {
    AxisTaps line;
    line.anchor = size / 2;
    line.weights.clear();
    for (std::int64_t i = 0; i < size; ++i) line.weights.push_back(1 + static_cast<double>(i + t) / 100);
    stencil.terms.push_back({{line, line, {}}});
  }
  return {"ramps", stencil};
}

// Dense taps: all equal, or such that are no sum of few products of lines.
Operator denseTapsOf(const std::array<std::int64_t, 3>& size, bool equal) {
  Stencil stencil;
  stencil.dense = {size, {size[0] / 2, size[1] / 2, size[2] / 2}, {}};
  for (std::int64_t i = 0; i < stencil.dense.count(); ++i)
    stencil.dense.weights.push_back(equal ? 0.5 : static_cast<double>(1 + i * i * i % 101));
  return {"taps", stencil};
}

EngineInfo engineOf(EngineKind kind) {
  EngineInfo info;
  info.kind = kind;
  info.computeUnits = 4;
  info.nominal.gflopsF32 = 200;
  info.nominal.gflopsF64 = 100;
  info.nominal.gbs = 20;
  return info;
}

FilterWorkload oneFilter(const Operator& op, ElementType input, const std::array<std::int64_t, 3>& extent) {
  const ElementType output = input == ElementType::f64 ? ElementType::f64 : ElementType::f32;
  return {{op}, Boundary::nearest, 0, {input, {extent[0], extent[1], extent[2], 1}}, output};
}

MethodChoice chosenOn(EngineKind kind, const FilterWorkload& workload, const std::optional<Ceilings>& ceilings = {},
                      MethodRequest request = {}) {
  const CostModel model(engineOf(kind), workload.precision(), 0, ceilings);
  return chooseMethods(workload, isDevice(kind) ? deviceFilterMethods() : cpu::filterMethods(cpu::SimdLevel::Avx2),
                       model, request);
}

struct Chosen {
  std::string name;
  Operator op;
  std::array<std::int64_t, 3> extent;
  // On processors and on devices, of f32, of f64, and of u8 to f32.
  std::array<MethodKind, 3> processor, device;
};

constexpr auto kDense = MethodKind::Dense, kPasses = MethodKind::Separable, kFft = MethodKind::Fft,
               kFew = MethodKind::LowRank, kFused = MethodKind::Fused, kBank = MethodKind::FusedBank,
               kSelect = MethodKind::Selection, kBisect = MethodKind::Bisection, kMerge = MethodKind::Merging,
               kLines = MethodKind::Lines, kCount = MethodKind::Histogram, kWeigh = MethodKind::Weighted,
               kEntropy = MethodKind::Counting;

std::array<MethodKind, 3> eachType(MethodKind kind) { return {kind, kind, kind}; }

std::vector<Chosen> choices() {
  const std::array<std::int64_t, 3> volume{64, 64, 64}, image{512, 512, 1};
  return {
      {"box 3^3", boxes({{3, 3, 3}}), volume, eachType(kPasses), eachType(kFused)},
      {"box 9^3", boxes({{9, 9, 9}}), volume, eachType(kPasses), eachType(kFused)},
      {"box 3x3", boxes({{3, 3, 1}}), image, eachType(kDense), eachType(kFused)},
      {"box 4x4", boxes({{4, 4, 1}}), image, eachType(kDense), eachType(kFused)},
      {"box 5x5", boxes({{5, 5, 1}}), image, eachType(kPasses), eachType(kFused)},
      {"line along x", boxes({{9, 1, 1}}), image, eachType(kDense), eachType(kPasses)},
      {"line along z", boxes({{1, 1, 3}}), volume, eachType(kDense), eachType(kPasses)},
      {"box 31^3", boxes({{31, 31, 31}}), volume, eachType(kPasses), eachType(kPasses)},
      // One sum would be faster where passes keep NaN and Inf in place; integers have neither.
      {"laplacian", boxes({{3, 1, 1}, {1, 3, 1}, {1, 1, 3}}), volume, {kPasses, kPasses, kDense}, eachType(kBank)},
      {"two boxes 9^3", boxes({{9, 9, 9}, {5, 5, 5}}), volume, eachType(kPasses), eachType(kBank)},
      {"noise 3^3", denseTapsOf({3, 3, 3}, false), volume, eachType(kDense), eachType(kDense)},
      {"noise 5^3", denseTapsOf({5, 5, 5}, false), volume, eachType(kDense), eachType(kDense)},
      {"noise 7^3", denseTapsOf({7, 7, 7}, false), volume, eachType(kDense), eachType(kDense)},
      {"noise 15^3", denseTapsOf({15, 15, 15}, false), volume, eachType(kFft), eachType(kDense)},
      {"noise 7x7", denseTapsOf({7, 7, 1}, false), image, eachType(kDense), eachType(kDense)},
      {"noise 27x27", denseTapsOf({27, 27, 1}, false), image, eachType(kFft), eachType(kDense)},
      {"bumps 15x15", {"taps", test::twoBumps({15, 15, 1}, {7, 7, 0})}, image, eachType(kFew), eachType(kDense)},
      {"bumps 25x25", {"taps", test::twoBumps({25, 25, 1}, {12, 12, 0})}, image, eachType(kFft), eachType(kFew)},
      {"bumps 5x5", {"taps", test::twoBumps({5, 5, 1}, {2, 2, 0})}, image, eachType(kDense), eachType(kDense)},
      // Terms that cancel are summed in double precision, and not where everything is.
      {"wave 27x27", {"taps", test::obliqueWave({27, 27, 1}, {13, 13, 0})}, image, eachType(kFft), eachType(kDense)},
      {"wave 7^3", {"taps", test::obliqueWave({7, 7, 7}, {3, 3, 3})}, volume, eachType(kDense), eachType(kDense)},
      {"wave 15^3", {"taps", test::obliqueWave({15, 15, 15}, {7, 7, 7})}, volume, eachType(kFft), {kFew, kDense, kFew}},
      // Transforms are expected to be faster, but where the data do not suit them much slower.
      {"eight terms of 61x61", ramps(8, 61), image, eachType(kPasses), eachType(kPasses)},
      // On devices transforms take as long on data as small as the above.
      {"noise 7^3 of 256^3", denseTapsOf({7, 7, 7}, false), {256, 256, 256}, eachType(kFft), eachType(kDense)},
      {"noise 11^3 of 256^3", denseTapsOf({11, 11, 11}, false), {256, 256, 256}, eachType(kFft), eachType(kFft)},
      {"noise 13x13 of 4096^2", denseTapsOf({13, 13, 1}, false), {4096, 4096, 1}, eachType(kFft), eachType(kDense)},
      {"noise 27x27 of 4096^2", denseTapsOf({27, 27, 1}, false), {4096, 4096, 1}, eachType(kFft), eachType(kFft)},
      // One slice: most of a tile would be its surroundings.
      {"noise 9^3 of one slice", denseTapsOf({9, 9, 9}, false), {64, 64, 1}, eachType(kDense), eachType(kDense)},
      {"dense taps of rank one", denseTapsOf({7, 7, 1}, true), image, eachType(kDense), eachType(kFused)},
      {"median 3x3", medianWindow(WindowShape::Box, 3, 2), image, eachType(kMerge), eachType(kMerge)},
      {"median 5x5", medianWindow(WindowShape::Box, 5, 2), image, eachType(kMerge), eachType(kMerge)},
      {"median 3^3", medianWindow(WindowShape::Box, 3, 3), volume, eachType(kMerge), eachType(kMerge)},
      {"median of a ball", medianWindow(WindowShape::Ball, 5, 3), volume, eachType(kSelect), eachType(kSelect)},
      // Few bits are bisected in few steps.
      {"median 7x7",
       medianWindow(WindowShape::Box, 7, 2),
       image,
       {kSelect, kSelect, kBisect},
       {kSelect, kSelect, kBisect}},
      {"median 9x9", medianWindow(WindowShape::Box, 9, 2), image, {kSelect, kSelect, kBisect}, eachType(kBisect)},
      {"median 5^3", medianWindow(WindowShape::Box, 5, 3), volume, {kSelect, kSelect, kBisect}, eachType(kBisect)},
      {"median 7^3", medianWindow(WindowShape::Box, 7, 3), volume, eachType(kBisect), eachType(kBisect)},
      {"median 9^3", medianWindow(WindowShape::Box, 9, 3), volume, {kBisect, kBisect, kCount}, eachType(kBisect)},
      {"median 31^3", medianWindow(WindowShape::Box, 31, 3), volume, {kBisect, kBisect, kCount}, eachType(kBisect)},
      {"percentile 3^3", percentileWindow(WindowShape::Box, 3, 3, 20), volume, eachType(kBisect), eachType(kBisect)},
      {"minimum 3x3", minimumWindow(WindowShape::Box, 3, 2), image, eachType(kLines), eachType(kLines)},
      {"maximum of a ball", maximumWindow(WindowShape::Ball, 31, 3), volume, eachType(kLines), eachType(kLines)},
      {"percentile 100", percentileWindow(WindowShape::Cross, 3, 3, 100), volume, eachType(kLines), eachType(kLines)},
      {"entropy 5x5", entropyWindow(WindowShape::Box, 5, 2, 256, 0, 256), image, eachType(kEntropy),
       eachType(kEntropy)},
      {"bilateral 11^3", bilateralWindow({2, 2, 2}, 20, 5, 1), volume, eachType(kWeigh), eachType(kWeigh)},
      {"non-local means 7x7", nonLocalWindow(10, 1, 3, 1, 2), image, eachType(kWeigh), eachType(kWeigh)},
  };
}

constexpr std::array kInputs{ElementType::f32, ElementType::f64, ElementType::u8};

}  // namespace

TEST_CASE("the methods that processors and devices choose") {
  for (const Chosen& one : choices())
    for (std::size_t i = 0; i < kInputs.size(); ++i) {
      INFO(one.name << " of " << toString(kInputs[i]));
      const FilterWorkload workload = oneFilter(one.op, kInputs[i], one.extent);
      const auto nameOn = [&](EngineKind kind) { return toString(chosenOn(kind, workload).methods.at(0)); };
      CHECK(nameOn(EngineKind::Cpu) == toString(one.processor[i]));
      CHECK(nameOn(EngineKind::OpenCl) == toString(one.device[i]));
      CHECK(nameOn(EngineKind::Cuda) == toString(one.device[i]));
    }
}

// Gaussian derivatives along each axis, and of second order.
TEST_CASE("filters of a bank are computed together on devices where that is expected to be faster") {
  const auto line = [](std::int64_t size, int kind) {
    AxisTaps taps = evenTaps(size);
    if (size > 1) taps.weights[0] += kind;
    return taps;
  };
  const auto derivative = [&](std::int64_t size, const std::array<int, 3>& order) {
    Stencil stencil;
    stencil.terms = {{{line(size, order[0]), line(size, order[1]), line(size, order[2])}}};
    return Operator("derivative", stencil);
  };
  const auto bankOf = [&](std::int64_t size, std::vector<Operator> more) {
    more.insert(more.begin(), {derivative(size, {1, 0, 0}), derivative(size, {0, 1, 0}), derivative(size, {0, 0, 1})});
    return FilterWorkload(more, Boundary::nearest, 0, {ElementType::f32, {64, 64, 64, 1}}, ElementType::f32);
  };
  using Groups = std::vector<std::vector<std::size_t>>;
  const auto groups = [&](const FilterWorkload& workload, MethodRequest request = {}) {
    return chosenOn(EngineKind::Cuda, workload, {}, request).together;
  };
  CHECK(groups(bankOf(3, {})) == Groups{{0, 1, 2}});
  CHECK(groups(bankOf(13, {})) == Groups{{0, 1, 2}});
  CHECK(groups(bankOf(17, {})) == Groups{{1, 2}});  // which have a line along x in common
  CHECK(groups(bankOf(25, {})).empty());            // their sums along z would take all registers
  CHECK(groups(bankOf(25, {}), kBank) == Groups{{0, 1, 2}});
  CHECK(groups(bankOf(3, {denseTapsOf({3, 3, 3}, false), derivative(3, {1, 1, 0})})) == Groups{{0, 1, 2, 4}});
  CHECK(groups(bankOf(3, std::vector<Operator>(8, derivative(3, {2, 0, 0})))) ==
        Groups{{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10}});
  CHECK(groups(bankOf(31, {})).empty());
  CHECK(groups(bankOf(31, {derivative(3, {1, 1, 0})})).empty());
  const FilterWorkload three = bankOf(3, {});
  const MethodChoice together = chosenOn(EngineKind::Cuda, three),
                     apart = chosenOn(EngineKind::Cuda, three, {}, kFused);
  CHECK(together.methods == std::vector(3, kBank));
  CHECK(together.seconds < apart.seconds);
  CHECK(together.executed < apart.executed);
  CHECK(together.why.find("fused-bank: derivative, derivative, derivative") != std::string::npos);
  EngineInfo processor = engineOf(EngineKind::OpenCl);
  processor.isProcessor = true;
  const CostModel model(processor, Precision::f32);
  CHECK(chooseMethods(three, deviceFilterMethods(true), model, {}).together.empty());
  CHECK(chooseMethods(three, deviceFilterMethods(true), model, kBank).together == Groups{{0, 1, 2}});
}

TEST_CASE("integers are never computed by transforms") {
  const FilterWorkload workload({denseTapsOf({27, 27, 1}, false)}, Boundary::nearest, 0,
                                {ElementType::u8, {512, 512, 1, 1}}, ElementType::u8);
  CHECK(chosenOn(EngineKind::Cpu, workload).methods == std::vector{kDense});
  CHECK(chosenOn(EngineKind::Cpu, workload, {}, kFft).methods == std::vector{kDense});
  CHECK(methodRestriction(workload, cpu::filterMethods(cpu::SimdLevel::Avx2), kFft) == "integers must be exact");
}

TEST_CASE("the chosen method has the shortest predicted time, whatever was measured") {
  std::vector<std::optional<Ceilings>> measured{std::nullopt};
  for (const double gflops : {1.0, 1e5})
    for (const double gbs : {1.0, 1e4}) measured.emplace_back(Ceilings{gflops, gflops / 30, gbs, 1, "2026-01-01"});
  for (const Chosen& one : choices())
    for (const auto& ceilings : measured)
      for (const EngineKind kind : {EngineKind::Cpu, EngineKind::OpenCl}) {
        INFO(one.name << " on " << toString(kind));
        const FilterWorkload workload = oneFilter(one.op, ElementType::u8, one.extent);
        const MethodChoice best = chosenOn(kind, workload, ceilings);
        CHECK(best.methods == chosenOn(kind, workload).methods);
        for (const Method& method : isDevice(kind) ? deviceFilterMethods() : cpu::filterMethods(cpu::SimdLevel::Avx2)) {
          if (!method.takes(one.op, Precision::f64) || method.onlyAsked) continue;
          if (method.mixesOutputs && one.op.stencil()->separable()) continue;
          const MethodChoice asked = chosenOn(kind, workload, ceilings, method.kind);
          CHECK(asked.methods == std::vector{method.kind});
          CHECK(best.seconds <= asked.seconds);
        }
      }
}

TEST_CASE("predicted times are positive and finite, and grow with the data, the work and fewer threads") {
  for (const Chosen& one : choices())
    for (const ElementType input : kInputs)
      for (const EngineKind kind : {EngineKind::Cpu, EngineKind::Cuda})
        for (const Method& method : isDevice(kind) ? deviceFilterMethods() : cpu::filterMethods(cpu::SimdLevel::Avx2)) {
          if (!method.takes(one.op, Precision::f64)) continue;
          INFO(one.name << " of " << toString(input) << " by " << toString(method.kind) << " on " << toString(kind));
          double before = 0;
          for (const std::int64_t edge : {16, 17, 64, 256, 1024}) {
            const double now = chosenOn(kind, oneFilter(one.op, input, {edge, edge, edge}), {}, method.kind).seconds;
            CHECK(std::isfinite(now));
            CHECK(now > before);
            before = now;
          }
        }
  // A slice needs a few slices of the input, not all of it.
  const FilterWorkload whole = oneFilter(boxes({{3, 3, 3}}), ElementType::f32, {256, 256, 256});
  const auto slice = whole.restrictedTo({{0, 0, 100}, {256, 256, 101}});
  CHECK(64 * chosenOn(EngineKind::Cpu, dynamic_cast<const FilterWorkload&>(*slice)).seconds <
        chosenOn(EngineKind::Cpu, whole).seconds);
  const MethodWork work{1e9, 0, 0};
  CHECK(CostModel(engineOf(EngineKind::Cpu), Precision::f32, 1).seconds(work, 1) >
        CostModel(engineOf(EngineKind::Cpu), Precision::f32, 4).seconds(work, 1));
  CHECK(CostModel(engineOf(EngineKind::Cpu), Precision::f64).seconds(work, 1) >
        CostModel(engineOf(EngineKind::Cpu), Precision::f32).seconds(work, 1));
  CHECK(CostModel(EngineInfo{}, Precision::f32).seconds(work, 1) == 0);  // nothing is known
}

TEST_CASE_METHOD(test::TestMachine, "every engine predicts the time of a run, and reports it") {
  const Volume input = test::randomVolume({24, 20, 16, 1}, ElementType::f32, 3);
  const FilterWorkload workload({boxes({{3, 3, 3}})}, Boundary::nearest, 0, input.spec(), ElementType::f32);
  for (Engine* engine : chosen()) {
    if (engine->info().isPeer()) continue;
    INFO(engine->info().id);
    Volume output(input.shape(), ElementType::f32);
    const ConstArrayView in = input.view();
    const ArrayView out = output.view();
    const auto predicted = [&](const std::string& variant) {
      return variants.prepare(*engine, workload, variant, {}, {})->run({{&in, 1}, 0}, {&out, 1}, {}).predictedSeconds;
    };
    CHECK(predicted("separable") > 0);
    CHECK(predicted("") <= predicted("separable"));
    CHECK(predicted("dense") > predicted("separable"));
  }
}
