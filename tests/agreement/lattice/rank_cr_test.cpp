// The conjugate residual over ranks: the same bits as one engine gives, for every rung.

#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <string>

#include "core/base/error.h"
#include "core/lattice/heat_bath.h"
#include "core/lattice/ranks/joined_lattice.h"
#include "core/lattice/ranks/rank_space.h"
#include "core/parts/thread_ranks.h"
#include "tests/agreement/lattice/cr_runs.h"
#include "tests/agreement/machine.h"
#include "tests/agreement/turns.h"

namespace sscope {

namespace {

using namespace lattice;
using Catch::Matchers::ContainsSubstring;
using test::differenceOf;
using test::sameBits;
using test::TestMachine;

struct RanksCase {
  std::array<int, 4> extents;
  int ranks;
  CrParameters parameters;
};

// Equal parts and unequal ones, of one slice, along t and along z and t; two ranks are each other's neighbors twice.
const RanksCase kRanksCases[] = {
    {{4, 4, 4, 4}, 2, {{0.12, -1, false}, 12, 0}},  {{1, 3, 2, 5}, 3, {{0.1, 1, false}, 6, 0}},
    {{3, 2, 5, 4}, 4, {{-0.1, -1, false}, 9, 0.3}}, {{2, 3, 5, 3}, 6, {{0.12, -1, false}, 8, 0}},
    {{3, 2, 4, 1}, 2, {{0.12, -1, false}, 7, 0}},   {{2, 2, 2, 3}, 1, {{0.12, 1, false}, 5, -0.2}},
    {{2, 2, 3, 7}, 7, {{0.11, -1, false}, 10, 0}}};

bool sharesCr(const Engine& engine) { return engine.info().kind == EngineKind::Cpu; }

}  // namespace

TEST_CASE("the conjugate residual over ranks gives the bits of one engine, for every rung") {
  const TestMachine machine;
  std::set<const Variant*> compared;
  // The processor's levels take turns with the cases.
  const test::Turns turns(machine.chosen(), 1, "ranks of cr");
  std::size_t number = 0;
  for (const RanksCase& one : kRanksCases) {
    const Lattice lattice(one.extents);
    const CrWorkload workload(std::make_shared<GaugeField>(hotStart(lattice, 7)), one.parameters);
    const SpinorField source = hashSource(lattice, 3);
    for (Engine* engine : machine.chosen()) {
      if (!sharesCr(*engine)) continue;
      std::size_t turn = number;
      for (const Variant* row : machine.variants.rows("cr", engine->info().kind)) {
        if (!row->belongsTo(engine->info()) || !turns.takes(*engine, turn++, *row)) continue;
        INFO(engine->info().id << " " << row->name << " " << lattice.text() << " on " << one.ranks << ", "
                               << test::Sampling::howToRepeat());
        const auto alone = test::prepared(*engine, *row, workload);
        const std::vector<Engine*> members(static_cast<std::size_t>(one.ranks), engine);
        const auto joined = prepareJoinedCr(members, machine.variants, row->name, workload, {}, {}, {});
        test::requireSame(*joined, *alone, lattice, source, one.parameters.iterations);
        compared.insert(row);
      }
    }
    ++number;
  }
  for (Engine* engine : machine.chosen())
    for (const Variant* row : machine.variants.rows("cr", engine->info().kind))
      if (sharesCr(*engine) && row->belongsTo(engine->info()))
        CHECK((compared.contains(row) ? "" : engine->info().id + " " + row->name + " was not compared") == "");
}

TEST_CASE("unequal shares of the conjugate residual change no bit") {
  const TestMachine machine;
  Engine& engine = machine.engines.preferred();
  const Lattice lattice({4, 2, 3, 9});
  const CrWorkload workload(std::make_shared<GaugeField>(hotStart(lattice, 7)), {{0.12, -1, false}, 20, 0});
  const SpinorField source = hashSource(lattice, 3);
  Engine* const members[] = {&engine, &engine, &engine};
  const double weights[] = {3, 1, 5};
  const auto joined = prepareJoinedCr(members, machine.variants, "", workload, weights, {}, {});
  CHECK_THAT(joined->description(), ContainsSubstring("4x2x3x3") && ContainsSubstring("4x2x3x5"));
  const auto alone = test::prepared(engine, machine.variants.at("cr", engine.info().kind, ""), workload);
  SpinorField expected, solution;
  const CrOutcome single = test::solved(*alone, lattice, source, expected, {20, 0, {}, nullptr});
  const CrOutcome outcome = test::requireTrace(*joined, lattice, source, solution, 20);
  CHECK(differenceOf(outcome, single) == "");
  CHECK(sameBits(solution, expected));
  CHECK(outcome.report.launch.at("halo bytes") > 0);
}

TEST_CASE("the conjugate residual over ranks ends as one engine does where it breaks down, and without a source") {
  const TestMachine machine;
  Engine& engine = machine.engines.preferred();
  const Lattice lattice({4, 2, 2, 4});
  Engine* const members[] = {&engine, &engine};
  const auto joined = prepareJoinedCr(members, machine.variants, "", test::singularOn(lattice), {}, {}, {});
  test::requireBreakdown(*joined, lattice);
  test::requireZero(*joined, lattice);
}

TEST_CASE("ranks that solve stop together when canceled, and solve again") {
  const TestMachine machine;
  Engine& engine = machine.engines.preferred();
  const Lattice lattice({4, 4, 4, 6});
  const CrWorkload workload(std::make_shared<GaugeField>(hotStart(lattice, 7)), {{0.12, -1, false}, 100000, 0});
  const SpinorField source = hashSource(lattice, 3);
  Engine* const members[] = {&engine, &engine, &engine};
  const auto joined = prepareJoinedCr(members, machine.variants, "", workload, {}, {}, {});
  test::requireCanceled(*joined, lattice, source);
  SpinorField expected, solution;
  const auto alone = test::prepared(engine, machine.variants.at("cr", engine.info().kind, ""), workload);
  static_cast<void>(test::solved(*alone, lattice, source, expected, {30, 0, {}, nullptr}));
  static_cast<void>(test::solved(*joined, lattice, source, solution, {30, 0, {}, nullptr}));
  CHECK(sameBits(solution, expected));
}

TEST_CASE("sums over ranks are those of one, whichever way the lattice is cut") {
  const Lattice whole({2, 1, 5, 6});
  std::vector<Complex> planes;
  for (int k = 0; k < 30; ++k) planes.emplace_back(std::sin(k) * std::pow(10.0, k % 7), 1.0 / (1 + k));
  const Complex expected = sumInOrder(planes, 5);
  Complex plainly = 0;
  for (const Complex& plane : planes) plainly += plane;
  CHECK(std::abs(expected - plainly) < 1e-9 * std::abs(plainly));
  for (const int count : {1, 2, 3, 6, 12, 30}) {
    const std::vector<LatticePart> parts = latticeParts(whole, count);
    reach::ThreadRanks ranks(count);
    std::vector<Complex> sums(static_cast<std::size_t>(count));
    ranks.run({}, [&](reach::Communicator& communicator, const Control& control) {
      const auto rank = static_cast<std::size_t>(communicator.rank());
      const LatticePart& part = parts[rank];
      std::vector<Complex> own;
      for (int t = part.begin[3]; t < part.end(3); ++t)
        for (int z = part.begin[2]; z < part.end(2); ++z) own.push_back(planes[static_cast<std::size_t>(z + 5 * t)]);
      sums[rank] = OrderedSum(part, communicator, control).ofPlanes(own, communicator, control);
    });
    for (const Complex& sum : sums) CHECK(std::memcmp(&sum, &expected, sizeof sum) == 0);
  }
}

}  // namespace sscope
