// Filters in passes that share them in a bank: the bits that each has alone, whatever is shared.

#include <cmath>
#include <cstring>
#include <limits>

#include "core/cpu/filter/separable_step.h"
#include "core/cpu/filter/tile_space.h"
#include "tests/cpu/cpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::test;

namespace {

const CpuMachine& bankMachine() {
  static const CpuMachine one;
  return one;
}

// Derivatives of a gaussian; order 0 is the gaussian itself.
AxisTaps derivativeTaps(double sigma, int order) {
  const auto radius = static_cast<std::int64_t>(std::ceil(3 * sigma));
  AxisTaps taps{{}, radius};
  for (std::int64_t i = -radius; i <= radius; ++i) {
    const double x = static_cast<double>(i) / sigma, factor[] = {1, -x, x * x - 1};
    taps.weights.push_back(factor[order] * std::exp(-x * x / 2));
  }
  return taps;
}

SeparableTerm derivativeTerm(double sigma, const std::array<int, 3>& orders) {
  return {{derivativeTaps(sigma, orders[0]), derivativeTaps(sigma, orders[1]), derivativeTaps(sigma, orders[2])}};
}

Operator termsFilter(std::string name, std::vector<SeparableTerm> terms) {
  Stencil stencil;
  stencil.terms = std::move(terms);
  return {std::move(name), stencil};
}

std::vector<Operator> gradientBank(double sigma) {
  return {termsFilter("x", {derivativeTerm(sigma, {1, 0, 0})}), termsFilter("y", {derivativeTerm(sigma, {0, 1, 0})}),
          termsFilter("z", {derivativeTerm(sigma, {0, 0, 1})})};
}

std::vector<Operator> hessianBank(double sigma) {
  std::vector<Operator> filters;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = a; b < 3; ++b) {
      std::array<int, 3> orders{};
      ++orders[a];
      ++orders[b];
      filters.push_back(termsFilter(std::to_string(a) + std::to_string(b), {derivativeTerm(sigma, orders)}));
    }
  return filters;
}

// Two and three terms, axes untouched, equal taps, an anchor outside, other extents.
std::vector<Operator> mixedBank() {
  const AxisTaps even{std::vector<double>(9, 0.125), 4}, shifted{{0.5, -1, 2}, -2};
  const SeparableTerm narrow = derivativeTerm(0.6, {0, 0, 0});
  return {
      termsFilter("log", {derivativeTerm(1, {2, 0, 0}), derivativeTerm(1, {0, 2, 0}), derivativeTerm(1, {0, 0, 2})}),
      termsFilter("nothing", {{}}),
      termsFilter("sharpen", {{}, narrow}),
      termsFilter("box", {{{even, even, even}}}),
      termsFilter("box and gaussian", {{{even, even, derivativeTaps(1, 0)}}}),
      termsFilter("shifted", {{{shifted, {}, derivativeTaps(1, 0)}}}),
      termsFilter("along x", {{{derivativeTaps(1, 1), {}, {}}}}),
      termsFilter("gaussian", {derivativeTerm(1, {0, 0, 0})}),
      termsFilter("again", {derivativeTerm(1, {0, 0, 0})}),
      termsFilter("derivative", {derivativeTerm(1, {1, 0, 0})})};
}

FilterWorkload bankOn(const std::vector<Operator>& operators, const Volume& input,
                      Boundary boundary = Boundary::nearest, ElementType output = ElementType::f32) {
  return {operators, boundary, 0.75, input.spec(), output};
}

std::string planOf(const FilterWorkload& workload) {
  const Engine& engine = bankMachine().engines.preferred();
  return bankMachine()
      .variants.prepare(bankMachine().engines.at(engine.info().id), workload, "separable", {}, {})
      ->description();
}

bool equalBits(const Volume& a, const Volume& b) {
  return std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.bytes())) == 0;
}

}  // namespace

TEST_CASE("filters of a bank that share passes have the bits that they have alone, and are right") {
  const VolumeShape shapes[] = {{70, 41, 39, 1}, {150, 67, 1, 1}, {65, 40, 3, 3}, {3, 50, 37, 2}, {1, 1, 40, 1}};
  std::size_t turn = 0;
  for (const VolumeShape& shape : shapes)
    for (const auto& filters : {gradientBank(0.8), hessianBank(1.2), mixedBank()})
      for (int repeat = 0; repeat < 3; ++repeat) {
        const Boundary boundary = kBoundaries[turn % std::size(kBoundaries)];
        const ElementType type = kElementTypes[turn++ % std::size(kElementTypes)];
        const Volume input = randomVolume(shape, type, turn);
        const ElementType output = turn % 3 == 0 ? type : ElementType::f32;
        for (const Engine* engine : bankMachine().engines.available()) {
          const std::string id = engine->info().id;
          const FilterWorkload bank = bankOn(filters, input, boundary, output);
          const CpuRun together = runOnCpu(bankMachine(), id, "separable", bank, input);
          INFO(id << " " << shape.text() << " " << toString(boundary) << " " << toString(type) << " to "
                  << toString(output) << " " << filters.size());
          CHECK(check(bank, input, together).failure.empty());
          for (std::size_t f = 0; f < filters.size(); ++f) {
            const FilterWorkload one = bankOn({filters[f]}, input, boundary, output);
            const CpuRun alone = runOnCpu(bankMachine(), id, "separable", one, input, 1);
            INFO(filters[f].name);
            CHECK(equalBits(together.outputs[f], alone.outputs[0]));
          }
        }
      }
}

TEST_CASE("the derivatives of a gradient and of a Hessian are computed together") {
  const Volume input = randomVolume({96, 96, 96, 1}, ElementType::f32, 4);
  CHECK(planOf(bankOn(gradientBank(1), input)).find(" separable filters in columns") != std::string::npos);
  CHECK(planOf(bankOn(hessianBank(1.5), input)).find(" separable filters in columns") != std::string::npos);
  CHECK(planOf(bankOn({gradientBank(1)[0]}, input)).starts_with("separable in columns"));
}

TEST_CASE("passes that are alike are made once") {
  const Volume input = randomVolume({40, 40, 40, 1}, ElementType::f32, 5);
  const auto passes = [&](const std::vector<Operator>& operators) {
    const FilterWorkload workload = bankOn(operators, input);
    std::vector<std::size_t> all;
    for (std::size_t f = 0; f < operators.size(); ++f) all.push_back(f);
    const cpu::TileSpace space(workload, {0, 1, 2}, {13, 13, 13}, {6, 6, 6}, cpu::Components::SideBySide);
    const cpu::SeparablePasses<float> made(workload, all, space);
    return std::array<std::size_t, 3>{made.rows.size(), made.planes.size(), made.sums};
  };
  CHECK(passes(gradientBank(1)) == std::array<std::size_t, 3>{2, 3, 3});
  CHECK(passes(hessianBank(1)) == std::array<std::size_t, 3>{3, 6, 6});
  CHECK(passes({mixedBank()[0]}) == std::array<std::size_t, 3>{2, 3, 3});
  CHECK(passes({mixedBank()[6], mixedBank()[1]}) == std::array<std::size_t, 3>{1, 1, 0});
  CHECK(passes({mixedBank()[7], mixedBank()[8], mixedBank()[9]}) == std::array<std::size_t, 3>{1, 1, 1});
}

TEST_CASE("NaN and Inf reach no further in a bank than alone") {
  Volume input = randomVolume({66, 40, 38, 1}, ElementType::f32, 6);
  input.elements<float>()[30 * 66 * 40 / 2 + 700] = std::numeric_limits<float>::quiet_NaN();
  input.elements<float>()[20 * 66 * 40 / 3 + 19] = std::numeric_limits<float>::infinity();
  const std::vector<Operator> filters = mixedBank();
  for (const Engine* engine : bankMachine().engines.available()) {
    const std::string id = engine->info().id;
    const CpuRun together = runOnCpu(bankMachine(), id, "separable", bankOn(filters, input, Boundary::wrap), input);
    for (std::size_t f = 0; f < filters.size(); ++f) {
      const CpuRun alone = runOnCpu(bankMachine(), id, "separable", bankOn({filters[f]}, input, Boundary::wrap), input);
      INFO(id << " " << filters[f].name);
      bool same = true;
      for (std::size_t i = 0; i < together.outputs[f].elements<float>().size(); ++i) {
        const float a = together.outputs[f].elements<float>()[i], b = alone.outputs[0].elements<float>()[i];
        same = same && (a == b || (std::isnan(a) && std::isnan(b)));
      }
      CHECK(same);
    }
  }
}

TEST_CASE("plans of banks take new weights as long as the same passes are alike") {
  const Volume input = randomVolume({80, 64, 40, 1}, ElementType::f32, 7);
  const auto prepared = [&](const std::vector<Operator>& filters) {
    const Engine& engine = bankMachine().engines.preferred();
    return bankMachine().variants.prepare(bankMachine().engines.at(engine.info().id), bankOn(filters, input),
                                          "separable", {}, {});
  };
  std::vector<Operator> one = hessianBank(1.05), other = hessianBank(1.2), mixed = one;
  mixed[1] = other[1];
  REQUIRE(one[0].size() == other[0].size());
  const auto plan = prepared(one);
  REQUIRE(plan->adopt(bankOn(other, input), {}));
  std::vector<Volume> outputs;
  std::vector<ArrayView> views;
  for (std::size_t f = 0; f < other.size(); ++f) outputs.emplace_back(input.shape(), ElementType::f32);
  for (Volume& output : outputs) views.push_back(output.view());
  const ConstArrayView in = input.view();
  static_cast<void>(plan->run({{&in, 1}, 0}, views, {}));
  const CpuRun fresh =
      runOnCpu(bankMachine(), bankMachine().engines.preferred().info().id, "separable", bankOn(other, input), input);
  for (std::size_t f = 0; f < other.size(); ++f) CHECK(equalBits(outputs[f], fresh.outputs[f]));
  CHECK_FALSE(plan->adopt(bankOn(mixed, input), {}));
}
