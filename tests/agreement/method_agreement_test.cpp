// Every case of every method agrees with the reference, computed by the method that it is about.
#include <algorithm>
#include <sstream>

#include "core/filter/method/method_choice.h"
#include "core/filter/workload/filter_workload.h"
#include "tests/agreement/method_cases.h"
#include "tests/support/catch.h"
#include "tests/support/runs.h"
#include "tests/support/sampling.h"

using namespace sscope;
using test::Combination;
using test::MethodCase;
using test::Place;
using test::PlanRun;
using test::Sampling;

namespace {

// What a run compares of a case: engine x input type x result type x what lies outside.
enum Choice : std::size_t { kEngineAt, kInputAt, kResultAt, kOutsideAt };

struct Outside {
  Boundary boundary;
  double constant;
};

std::vector<Outside> outsidesOf(const MethodCase& one) {
  std::vector<Outside> outsides;
  for (const Boundary boundary : kBoundaries)
    if (boundary != Boundary::constant) outsides.push_back({boundary, 0});
  for (const double constant : one.outside) outsides.push_back({Boundary::constant, constant});
  return outsides;
}

// A case on the engines of its place.
class Comparison {
 public:
  Comparison(const test::MethodMachine& machine, const MethodCase& one)
      : machine_(machine), case_(one), engines_(machine.at(one.place)), outsides_(outsidesOf(one)) {}

  // Whether the row takes the case at all.
  [[nodiscard]] bool isTaken() const {
    return std::ranges::any_of(all(), [&](const auto& any) { return takes(any); });
  }

  // On processors each engine, input type, result type and value outside once; of devices, which compile each of them,
  // one combination.
  void compare(const Sampling& sampling) const {
    std::size_t results = 0;
    for (const ElementType input : case_.inputs) results = std::max(results, case_.outputs(input).size());
    auto chosen = test::eachValue({engines_.size(), case_.inputs.size(), results, outsides_.size()}, sampling,
                                  [&](const Combination& any) { return takes(any); });
    if (case_.place != Place::Processors) chosen = test::sampleOf(1, chosen, sampling);
    for (const Combination& any : chosen) compareOne(any);
    INFO(case_.what);
    if (case_.alone) CHECK(comparedAlone_ > 0);
  }

 private:
  [[nodiscard]] std::vector<Combination> all() const {
    return test::wholeProduct({1, case_.inputs.size(), 1, outsides_.size()});
  }
  [[nodiscard]] FilterWorkload workloadOf(const Combination& any) const {
    const ElementType input = case_.inputs[any[kInputAt]];
    const VolumeShape& shape = case_.shape;
    return {case_.bank,
            outsides_[any[kOutsideAt]].boundary,
            outsides_[any[kOutsideAt]].constant,
            {input, {shape.nx, shape.ny, shape.nz, shape.components}},
            case_.outputs(input)[any[kResultAt]]};
  }
  [[nodiscard]] const Variant& row(const Engine& engine, const std::string& name) const {
    return machine_.variants.at("filter", engine.info().kind, name);
  }
  [[nodiscard]] bool takes(const Combination& any) const {
    const Engine& engine = *engines_[any[kEngineAt]];
    return any[kResultAt] < case_.outputs(case_.inputs[any[kInputAt]]).size() &&
           row(engine, case_.row).unsupported(engine.info(), workloadOf(any)).empty();
  }
  [[nodiscard]] PlanRun ran(Engine& engine, const std::string& name, const Workload& workload, const Volume& input,
                            const PrepareOptions& options) const {
    const auto plan = machine_.variants.prepare(engine, workload, name, options, {});
    test::forgetBuffers(engine);
    return test::runOnce(*plan, workload, input);
  }

  void compareOne(const Combination& any) const {
    Engine& engine = *engines_[any[kEngineAt]];
    const FilterWorkload workload = workloadOf(any);
    const Volume input = case_.data(case_.shape, workload.input().type, any[kInputAt] + any[kOutsideAt]);
    INFO(case_.what << ", " << case_.row << " on " << engine.info().id << ", " << case_.shape.text() << " "
                    << toString(workload.input().type) << " -> " << toString(workload.outputType()) << ", "
                    << toString(workload.boundary()) << " " << workload.constant() << ", " << Sampling::howToRepeat());
    const PlanRun run = ran(engine, case_.row, workload, input, {.threads = 2});
    CHECK((case_.anySaturation ? test::wrongIn(workload, input, run)
                               : test::wrongIn(engine.info(), row(engine, case_.row), workload, input, run)) == "");
    if (case_.row == "fused-bank") {
      CHECK(run.report.variant.find(case_.row) != std::string::npos);
    } else if (case_.row != "auto") {
      CHECK(run.report.variant == case_.row);
    }
    if (case_.precision) CHECK(run.report.precision == case_.precision);
    if (case_.place == Place::Processors) {
      CHECK(run.scratchBytes < (64 << 20));
      CHECK(test::sameBits(run, ran(engine, case_.row, workload, input, {.threads = 1})));
    }
    if (!case_.sameAs.empty()) CHECK(test::sameBits(run, ran(engine, case_.sameAs, workload, input, {})));
    if (case_.alone) compareAlone(engine, workload, input, run);
    compareParts(engine, workload, input, run);
  }

  void compareAlone(Engine& engine, const FilterWorkload& bank, const Volume& input, const PlanRun& together) const {
    for (std::size_t f = 0; f < case_.bank.size(); ++f) {
      INFO(case_.bank[f].name);
      const FilterWorkload one({case_.bank[f]}, bank.boundary(), bank.constant(), bank.input(), bank.outputType());
      const PlanRun alone = ran(engine, case_.row, one, input, {.threads = 1});
      // What is summed everywhere by itself may be transformed where that is shared
      // (docs/dev/decisions/029-what-the-filters-of-a-bank-share.md).
      const auto in = [&](const char* tiles) {
        const auto found = alone.report.launch.find(tiles);
        return found == alone.report.launch.end() ? 0.0 : found->second;
      };
      if (in(kSummedTiles) > 0 && in(kSummedTiles) == in(kLookedAtTiles)) continue;
      CHECK(test::sameBits(together.outputs[f], alone.outputs[0]));
      ++comparedAlone_;
    }
  }

  void compareParts(Engine& engine, const FilterWorkload& workload, const Volume& input, const PlanRun& whole) const {
    for (const Box& region : case_.regions) {
      INFO("region from " << region.begin[0] << " " << region.begin[1] << " " << region.begin[2]);
      const PlanRun part = ran(engine, case_.row, *workload.restrictedTo(region), input, {});
      for (std::size_t f = 0; f < case_.bank.size(); ++f)
        CHECK(test::differentElements(part.outputs[f], whole.outputs[f], region) == 0);
    }
    if (case_.memory == 0) return;
    const PlanRun parts = ran(engine, case_.row, workload, input, {.deviceMemoryLimit = case_.memory});
    CHECK(parts.report.tiles > 1);
    CHECK(test::sameBits(whole, parts));
  }

  const test::MethodMachine& machine_;
  const MethodCase& case_;
  std::vector<Engine*> engines_;
  std::vector<Outside> outsides_;
  mutable int comparedAlone_ = 0;  // filters whose bits alone were compared with those in the bank
};

// Of devices, which compile every case, a third in a run.
void compareAll(Place place) {
  const test::MethodMachine machine;
  if (machine.at(place).empty()) SSCOPE_SKIP(test::kNoDevice);
  std::vector<const MethodCase*> cases;
  for (const MethodCase& one : test::methodCases())
    if (one.place == place) cases.push_back(&one);
  REQUIRE_FALSE(cases.empty());
  for (const MethodCase* one : cases) {
    INFO(one->what << ", " << one->row << ", " << one->shape.text() << ": the row refuses it for every type");
    CHECK(Comparison(machine, *one).isTaken());
  }
  const Sampling sampling = Sampling::ofRun().named("methods" + std::to_string(static_cast<int>(place)));
  const std::size_t share = place == Place::Processors ? cases.size() : (cases.size() + 2) / 3;
  std::size_t number = 0;
  for (const MethodCase* one : test::sampleOf(share, cases, sampling))
    Comparison(machine, *one).compare(sampling.named(std::to_string(number++)));
}

}  // namespace

TEST_CASE("every method agrees with the reference in its own cases on every level of the processor") {
  compareAll(Place::Processors);
}

TEST_CASE("dense sums and passes agree with the reference on every device") { compareAll(Place::Devices); }

TEST_CASE("the kernels for graphics processors agree with the reference in the cases of each method") {
  compareAll(Place::Cards);
}
