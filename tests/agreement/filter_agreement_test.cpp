// One test body for every row of the variant table on every engine of this machine.
#include <algorithm>
#include <functional>
#include <map>

#include "core/filter/method/method_choice.h"
#include "tests/agreement/coverage.h"
#include "tests/agreement/filter_cases.h"
#include "tests/agreement/machine.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"

using namespace sscope;
using test::allFilters;
using test::Combination;
using test::Coverage;
using test::coveringArray;
using test::describe;
using test::deviceFilters;
using test::eachValue;
using test::infosOf;
using test::kFilterShapes;
using test::runAndCheck;
using test::sampleOf;
using test::Sampling;
using test::takesFloats;
using test::TestMachine;
using test::wholeProduct;

namespace {

// What a run compares: engine x row x input type x output type x boundary x shape.
enum Dimension : std::size_t { kEngine, kRow, kInput, kOutput, kBoundary, kShape, kFilter };

// Every available engine of one kind. Processors take a covering array of all that is above, and compute all filters
// that have the row's method, and two that have not, always. Devices compile for each filter, type and boundary anew:
// there each filter is a workload of its own, and a run takes every row and every value of each dimension once, over
// the rows together. Where everything is wanted, the shapes take turns in the product with outputs of f32 and the
// input's type, and a covering array has the other outputs.
class Agreement {
 public:
  Agreement(const TestMachine& machine, EngineKind kind, const std::function<std::vector<Operator>(int)>& filters)
      : engines_(machine.engines.available()),
        rows_(machine.variants.rows("filter", kind)),
        eachFilter_(isDevice(kind)),
        sampling_(Sampling::ofRun().named(std::string(toString(kind)))) {
    std::erase_if(engines_, [&](const Engine* engine) { return engine->info().kind != kind; });
    for (const int dimensions : {2, 3}) filters_[dimensions] = filters(dimensions);
  }
  [[nodiscard]] const std::vector<Engine*>& engines() const { return engines_; }

  // Every row on every device: they are compared one after the other.
  void compare(Coverage& coverage) {
    if (!eachFilter_ || sampling_.all) return compareTogether(coverage);
    const std::vector<Engine*> all = engines_;
    for (Engine* engine : all) {
      engines_ = {engine};
      compareTogether(coverage);
    }
    engines_ = all;
  }

 private:
  void compareTogether(Coverage& coverage) {
    std::vector<std::size_t> sizes{engines_.size(), rows_.size(), std::size(kElementTypes), std::size(kElementTypes),
                                   std::size(kBoundaries)};
    if (sampling_.all) {
      std::size_t turn = 0;
      for (Combination one : wholeProduct(sizes, isCommon)) {
        one.push_back(turn++ % std::size(kFilterShapes));
        compareOne(coverage, one);
      }
    }
    sizes.push_back(std::size(kFilterShapes));
    if (eachFilter_) sizes.push_back(filters_.at(3).size());
    std::map<Combination, bool> known;
    const test::Allowed allowed = [&](const Combination& one) {
      const auto [place, isNew] = known.try_emplace(one);
      if (isNew) place->second = !(sampling_.all && isCommon(one)) && !bankOf(coverage, one).empty();
      return place->second;
    };
    const Sampling sample{sampling_.seed, false};
    for (const Combination& one :
         eachFilter_ ? eachValue(sizes, sample, allowed) : coveringArray(sizes, sample, allowed))
      compareOne(coverage, one);
  }

  // What people mostly ask for.
  static bool isCommon(const Combination& one) {
    return kElementTypes[one[kOutput]] == ElementType::f32 || one[kOutput] == one[kInput];
  }

  [[nodiscard]] FilterWorkload workloadOf(const Combination& one, std::vector<Operator> bank) const {
    const VolumeShape& shape = kFilterShapes[one[kShape]];
    return {std::move(bank),
            kBoundaries[one[kBoundary]],
            11,
            {kElementTypes[one[kInput]], {shape.nx, shape.ny, shape.nz, shape.components}},
            kElementTypes[one[kOutput]]};
  }

  // What is computed; empty where the row refuses all of it.
  [[nodiscard]] std::vector<Operator> bankOf(Coverage& coverage, const Combination& one) const {
    const EngineInfo& engine = engines_[one[kEngine]]->info();
    const Variant& row = *rows_[one[kRow]];
    if (!row.belongsTo(engine)) return {};  // before many filters are made
    const auto takes = [&](std::vector<Operator> some) {
      return coverage.takes(engine, row, workloadOf(one, std::move(some)));
    };
    std::vector<Operator> all = filters_.at(kFilterShapes[one[kShape]].dimensions());
    if (one.size() > kFilter) {
      std::vector<Operator> bank{all[one[kFilter]]};
      if (!takes(bank)) return {};
      if (row.name == toString(MethodKind::FusedBank))  // one kernel of all
        for (std::size_t i = 0; i < all.size(); ++i)
          if (i != one[kFilter] && takes({all[i]})) bank.push_back(all[i]);
      return bank;
    }
    if (sampling_.all || row.name == "auto") return takes(all) ? all : suited(all, takes);
    std::vector<Operator> bank = suited(all, takes);
    if (bank.empty()) return bank;
    Sampling others = sampling_;
    for (const std::size_t index : one) others.seed = others.seed * 31 + index;
    for (const Operator& other : sampleOf(2, all, others)) bank.push_back(other);
    return takes(bank) ? bank : suited(bank, takes);
  }
  template <class Takes>
  static std::vector<Operator> suited(std::vector<Operator> filters, const Takes& takes) {
    std::erase_if(filters, [&](const Operator& filter) { return !takes({filter}); });
    return filters;
  }

  void compareOne(Coverage& coverage, const Combination& one) const {
    Engine& engine = *engines_[one[kEngine]];
    const Variant& row = *rows_[one[kRow]];
    const std::vector<Operator> bank = bankOf(coverage, one);
    if (bank.empty()) return;
    const FilterWorkload workload = workloadOf(one, bank);
    const Volume volume =
        test::randomVolume(kFilterShapes[one[kShape]], workload.input().type, one[kBoundary] + one[kShape]);
    INFO(describe(engine, row, workload) << " " << bank.front().name << ", " << Sampling::howToRepeat());
    CHECK(runAndCheck(engine, row, workload, volume) == "");
    coverage.compared(engine.info(), row);
  }

  std::vector<Engine*> engines_;
  std::vector<const Variant*> rows_;
  bool eachFilter_;
  Sampling sampling_;
  std::map<int, std::vector<Operator>> filters_;  // by dimensions
};

void agree(const TestMachine& machine, EngineKind kind, const std::function<std::vector<Operator>(int)>& filters) {
  Agreement agreement(machine, kind, filters);
  if (agreement.engines().empty() && kind != EngineKind::Cpu)
    SSCOPE_SKIP("no " + std::string(toString(kind)) + " engine on this machine");
  Coverage coverage(machine.variants, infosOf(agreement.engines()), "filter");
  agreement.compare(coverage);
  coverage.requireAll();
}

}  // namespace

TEST_CASE_METHOD(TestMachine, "every CPU engine, row, type and boundary agrees with the reference") {
  agree(*this, EngineKind::Cpu, allFilters);
}

TEST_CASE_METHOD(TestMachine, "every OpenCL engine, row, type and boundary agrees with the reference") {
  agree(*this, EngineKind::OpenCl, deviceFilters);
}

TEST_CASE_METHOD(TestMachine, "every CUDA engine, row, type and boundary agrees with the reference") {
  agree(*this, EngineKind::Cuda, deviceFilters);
}

TEST_CASE_METHOD(TestMachine, "every CPU level agrees on every shape") {
  std::vector<Engine*> levels = engines.available();
  std::erase_if(levels, [](const Engine* engine) { return engine->info().kind != EngineKind::Cpu; });
  std::vector<const Variant*> rows = variants.rows("filter", EngineKind::Cpu);
  std::erase_if(rows, [](const Variant* row) { return !takesFloats(*row); });
  Coverage coverage(variants, infosOf(levels), "filter", takesFloats);
  for (const Combination& one :
       coveringArray({std::size(kFilterShapes), levels.size(), rows.size(), std::size(kBoundaries)},
                     Sampling::ofRun().named("shapes"))) {
    const VolumeShape& shape = kFilterShapes[one[0]];
    Engine* engine = levels[one[1]];
    const Variant* row = rows[one[2]];
    const Volume volume = test::randomVolume(shape, ElementType::f32, 77);
    const FilterWorkload workload(allFilters(shape.dimensions()), kBoundaries[one[3]], -3, volume.spec(),
                                  ElementType::f32);
    if (!coverage.takes(engine->info(), *row, workload)) continue;
    INFO(describe(*engine, *row, workload) << ", " << Sampling::howToRepeat());
    CHECK(runAndCheck(*engine, *row, workload, volume) == "");
    coverage.compared(engine->info(), *row);
  }
  coverage.requireAll();
}
