// A kept plan takes the next weights of a filter where its method allows it, with the bits of a new plan.
#include <cmath>
#include <utility>

#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/workload/filter_workload.h"
#include "tests/agreement/method_cases.h"
#include "tests/support/catch.h"
#include "tests/support/runs.h"
#include "tests/support/support.h"
#include "tests/support/taps.h"

using namespace sscope;
using test::Place;

namespace {

using Bank = std::vector<Operator>;

// `row`: of the table of variants. Types: of the data and the results.
struct NextWeights {
  const char* what;
  Place place;
  const char* row;
  VolumeShape shape;
  ElementType type, result;
  Bank first, next;
  std::vector<Bank> refused;
};

// A table that grows.
class Rows {
 public:
  Rows(Place place, const VolumeShape& shape) : place_(place), shape_(shape) {}
  // Of f32 unless the type is named.
  void add(const char* what, const char* row, Bank first, Bank next, std::vector<Bank> refused = {},
           ElementType type = ElementType::f32) {
    all_.push_back({what, place_, row, shape_, type, type, std::move(first), std::move(next), std::move(refused)});
  }
  Rows& on(const VolumeShape& shape) { return shape_ = shape, *this; }
  [[nodiscard]] std::vector<NextWeights> all() const { return all_; }

 private:
  Place place_;
  VolumeShape shape_;
  std::vector<NextWeights> all_;
};

// The filter with one factor on some of its taps: all of dense ones, those along some axes of the first term.
Operator scaled(Operator op, double factor, std::initializer_list<std::size_t> axes = {0, 1, 2}) {
  auto& stencil = std::get<Stencil>(op.kind);
  if (!stencil.separable())
    for (double& weight : stencil.dense.weights) weight *= factor;
  else
    for (const std::size_t axis : axes)
      for (double& weight : stencil.terms[0].axis[axis].weights) weight *= factor;
  return op;
}

Bank scaled(Bank bank, double factor, std::size_t from = 0) {
  for (std::size_t f = from; f < bank.size(); ++f) bank[f] = scaled(bank[f], factor);
  return bank;
}

Operator withTap(Operator op, std::size_t at, double weight) {
  auto& stencil = std::get<Stencil>(op.kind);
  (stencil.separable() ? stencil.terms[0].axis[2].weights : stencil.dense.weights)[at] = weight;
  return op;
}

// The same size, other taps.
Operator reshaped(Stencil stencil, double (*tap)(double x, double y, double before)) {
  const auto width = static_cast<std::size_t>(stencil.dense.size[0]);
  const auto half = static_cast<double>(width / 2);
  for (std::size_t i = 0; i < stencil.dense.weights.size(); ++i)
    stencil.dense.weights[i] =
        tap(static_cast<double>(i % width) - half, static_cast<double>(i / width) - half, stencil.dense.weights[i]);
  return {"taps", stencil};
}

Bank mean(const char* spec) {
  Operator op = makeOperator(parseFilterSpec(spec), {3, {1, 1, 1}});
  op.name = "mean";
  return {op};
}

Bank rounded(double tap) { return {test::product("rounded", {{tap, 0.3, tap}, 1}, {{0.25, 0.5, 0.25}, 1}, {{1}, 0})}; }

std::vector<NextWeights> onProcessors() {
  const Operator box = test::boxOf({31, 31, 31}), radial = test::radialTaps(7, 3);
  const Operator wave{"taps", test::obliqueWave({15, 15, 1}, {7, 7, 0})};
  const Operator more = reshaped(*wave.stencil(), [](double x, double y, double) {
    return std::exp(-0.05 * (x * x + y * y + 0.3 * x * y) + 0.01 * x);
  });
  const Stencil taps = test::denseFilter({27, 27, 1}, {13, 13, 0});
  const Operator wide =
      reshaped(taps, [](double x, double y, double) { return 1 + 0.001 * std::sin(std::pow(x + 27 * y, 2)); });
  const Operator narrow =
      reshaped(taps, [](double x, double y, double) { return std::exp(-(x * x + y * y + 0.1 * x + 0.2 * y) / 2); });
  const Bank hessian = test::gaussianHessian(1.05), other = test::gaussianHessian(1.2);
  Bank mixed = hessian;
  mixed[1] = other[1];
  Rows rows(Place::Processors, {64, 64, 64, 1});
  rows.add("equal taps", "separable", {box}, {scaled(box, 2, {2})}, {{withTap(box, 7, 0.5)}});
  rows.on({64, 40, 32, 1})
      .add("folded taps", "auto", {radial}, {scaled(radial, 2)},
           {{withTap(radial, 5, radial.stencil()->dense.weights[5] + 0.125)}});
  rows.on({80, 70, 1, 1})
      .add("few terms", "auto", {wave}, {scaled(wave, -0.5)},
           {{{"taps", test::fullRank({15, 15, 1}, {7, 7, 0})}}, {more}});
  rows.on({150, 140, 1, 1}).add("transforms", "fft", {narrow}, {wide});
  rows.add("transforms that need more scratch", "fft", {wide}, {}, {{narrow}});
  rows.on({33, 12, 9, 1})
      .add("bilateral", "", mean("bilateral:sigma=1,range=0.2,radius=2"), mean("bilateral:sigma=2,range=0.7,radius=2"),
           {mean("bilateral:sigma=1,radius=3")});
  rows.add("non-local means", "", mean("nlmeans:sigma=0.1,search=2"), mean("nlmeans:sigma=0.3,strength=2,search=2"),
           {mean("bilateral:sigma=1,radius=3")});
  rows.on({80, 64, 40, 1}).add("shared passes", "separable", hessian, other, {mixed});
  for (const char* row : {"separable", "dense"})
    rows.on({90, 40, 30, 1}).add("integers", row, rounded(0.2), rounded(-0.7), {}, ElementType::u8);
  return rows.all();
}

std::vector<NextWeights> onCards() {
  const Operator bumps{"taps", test::twoBumps({12, 14, 11}, {5, 6, 5})}, waves = test::waves({{5, 5, 5}}),
                                                                         bright = test::brightBox();
  const Bank gradient = test::gradient(5);
  Rows rows(Place::Cards, {40, 24, 20, 1});
  rows.add("few terms", "auto", {bumps}, {scaled(bumps, 1.25)}, {{{"taps", test::fullRank({12, 14, 11}, {5, 6, 5})}}});
  for (const char* row : {"fused", "separable"}) rows.add("lines", row, {waves}, {scaled(waves, 1.25)});
  const Operator tile{"taps", test::faintFilter({5, 5, 3}, {2, 2, 1})};
  rows.add("tiles", "dense", {tile}, {scaled(tile, 1.25)});
  // Refused for the line along x that the last two have in common.
  rows.add("a bank in one kernel", "fused-bank", gradient, scaled(gradient, 1.25), {scaled(gradient, 1.5, 2)});
  // Refused because too many sums would be in doubt.
  rows.add("integers", "fused", {bright}, {scaled(bright, 0.7, {0})}, {{scaled(bright, 30, {0})}}, ElementType::u8);
  return rows.all();
}

// What is wrong; empty: nothing.
std::string wrongAfterAdopting(const test::MethodMachine& machine, Engine& engine, const NextWeights& one,
                               const Volume& input) {
  const auto workloadOf = [&](const Bank& bank) {
    return FilterWorkload(bank, Boundary::wrap, 0, input.spec(), one.result);
  };
  const auto prepared = [&](const Bank& bank) {
    return machine.variants.prepare(engine, workloadOf(bank), one.row, {.threads = 2}, {});
  };
  for (const Bank& bank : one.refused)
    if (prepared(one.first)->adopt(workloadOf(bank), {})) return "it takes what it should refuse";
  if (one.next.empty()) return {};
  const FilterWorkload next = workloadOf(one.next);
  const auto kept = prepared(one.first);
  const int compiled = machine.counted.compiled;
  if (!kept->adopt(next, {})) return "it refuses the next weights";
  const test::PlanRun run = test::runOnce(*kept, next, input);
  if (std::string(one.row) == "dense" && machine.counted.compiled != compiled) return "it compiles for other weights";
  const test::PlanRun fresh = test::runOnce(*prepared(one.next), next, input);
  if (!test::sameBits(run, fresh)) return "a new plan has other bits";
  if (run.report.saturated != fresh.report.saturated) return "other elements saturate";
  return test::wrongIn(next, input, run);
}

void requireEach(const std::vector<NextWeights>& all) {
  const test::MethodMachine machine;
  for (const NextWeights& one : all) {
    if (machine.at(one.place).empty()) SSCOPE_SKIP(test::kNoDevice);
    const Volume input = test::randomVolume(one.shape, one.type, 7);
    for (Engine* engine : machine.at(one.place)) {
      INFO(one.what << " on " << engine->info().id);
      CHECK(wrongAfterAdopting(machine, *engine, one, input) == "");
    }
  }
}

}  // namespace

TEST_CASE("kept plans of the processor take the next weights with the bits of new plans") {
  requireEach(onProcessors());
}
TEST_CASE("kept plans of a card take the next weights with the bits of new plans") { requireEach(onCards()); }
