// A rank's slab of a filter, from a part of the noise and the halo that others send (its bits: also in
// tests/agreement/parts_test.cpp).

#include "core/reach/slab_share.h"
#include "core/filter/families/recipe_text.h"

#include "core/base/error.h"
#include "core/filter/families/family.h"
#include "core/filter/program/program_workload.h"
#include "core/filter/workload/filter_workload.h"
#include "core/workload/catalog.h"
#include "core/workload/noise.h"
#include "tests/reach/shares.h"
#include "tests/support/runs.h"

using namespace sscope;
using Catch::Matchers::ContainsSubstring;
using reach::SlabShare;
using test::CpuMachine;

namespace {

FilterBank bankOf(const std::vector<std::string>& specs, Boundary boundary) {
  FilterBank bank;
  bank.boundary = boundary;
  for (const std::string& spec : specs) {
    FilterRecipe recipe = parseFilterSpec(spec);
    if (recipe.name == recipe.family) recipe.name = uniqueName(bank, recipe.name);
    bank.filters.push_back(std::move(recipe));
  }
  return bank;
}

// Of each rank, output by output.
std::vector<std::vector<std::byte>> partsOf(const CpuMachine& machine, const Workload& whole, Engine& engine, int ranks,
                                            std::size_t output) {
  return test::outputsOf<SlabShare>(
      ranks,
      [&](reach::Communicator& communicator, const Control& control) {
        return std::make_unique<SlabShare>(communicator, whole, engine, machine.variants,
                                           reach::ShareRequest{"", 5, 1, {}}, control);
      },
      [&](const SlabShare& share) { return test::bytesOf(share.outputs()[output].view()); });
}

std::vector<std::byte> wholeOf(const CpuMachine& machine, const Workload& whole, Engine& engine, std::size_t output) {
  const ArraySpec spec = whole.inputs().front();
  const Volume input = noiseVolume({spec.extent[0], spec.extent[1], spec.extent[2], 1}, spec.type, 5, {});
  const test::PlanRun run = test::runOnce(*machine.variants.prepare(engine, whole, "", {}, {}), whole, input);
  return test::bytesOf(run.views()[output]);
}

}  // namespace

TEST_CASE("a slab whose halo is wrong is found wrong, though it agrees with what was computed from it") {
  const CpuMachine machine;
  const ArraySpec spec{ElementType::f32, {9, 8, 12, 1}};
  const auto whole = bankWorkload(bankOf({"gaussian:sigma=1"}, Boundary::nearest), spec, {}, false);
  for (const std::string& found :
       test::foundWhenSpoiled<SlabShare>([&](reach::Communicator&communicator, const Control&control) {
         return std::make_unique<SlabShare>(communicator, *whole, machine.engines.preferred(), machine.variants,
                                            reach::ShareRequest{"", 5, 1, {}}, control);
       }))
    CHECK_THAT(found, ContainsSubstring("that were received are wrong"));
}

TEST_CASE("a halo may come from several ranks, and from both ends") {
  const CpuMachine machine;
  Engine& engine = machine.engines.preferred();
  const ArraySpec spec{ElementType::f32, {9, 8, 7, 1}};
  for (const Boundary boundary : {Boundary::wrap, Boundary::reflect}) {
    const auto whole = bankWorkload(bankOf({"gaussian:sigma=2"}, boundary), spec, {}, false);  // as wide as the data
    CHECK((test::joined(partsOf(machine, *whole, engine, 7, 0)) == wholeOf(machine, *whole, engine, 0)));
  }
}

TEST_CASE("ranks without a plane, and workloads that cannot be cut, are refused") {
  const CpuMachine machine;
  reach::ThreadRanks ranks(3);
  const auto share = [&](const Workload& whole) {
    ranks.run({}, [&](reach::Communicator& communicator, const Control& control) {
      SlabShare(communicator, whole, machine.engines.preferred(), machine.variants, {"", 1, 1, {}}, control);
    });
  };
  const auto thin =
      bankWorkload(bankOf({"gaussian:sigma=1"}, Boundary::nearest), {ElementType::f32, {9, 9, 2, 1}}, {}, false);
  CHECK_THROWS_WITH(share(*thin), ContainsSubstring("fewer planes (2) than ranks (3)"));
}
