// Solvers over ranks: the bits of one process, for every solver, with and without even-odd preconditioning.

#include <cstring>
#include <limits>
#include <string>

#include "core/base/error.h"
#include "core/engine/joined_parts.h"
#include "core/lattice/heat_bath.h"
#include "core/lattice/job/lattice_solver.h"
#include "core/lattice/ranks/rank_solver.h"
#include "core/parts/thread_ranks.h"
#include "tests/agreement/lattice/cr_runs.h"
#include "tests/agreement/machine.h"
#include "tests/agreement/turns.h"
#include "tests/support/support.h"

namespace sscope {

namespace {

using namespace lattice;
using Catch::Matchers::ContainsSubstring;
using test::TestMachine;

constexpr WilsonParameters kWilson{0.12, -1, false};

struct System {
  std::shared_ptr<const GaugeField> links;
  SpinorField source;
};

System systemOn(const std::array<int, 4>& extents) {
  const Lattice lattice(extents);
  return {std::make_shared<GaugeField>(hotStart(lattice, 7)), hashSource(lattice, 3)};
}

SolverResult solvedByRanks(const TestMachine& machine, Engine& engine, const std::string& variant, const System& system,
                           const SolverOptions& options, int ranks, const Control& control = {},
                           const OnIteration& onIteration = {}) {
  SolverResult result;
  const std::vector<PrepareOptions> shares =
      threadSharesOf(std::vector<Engine*>(static_cast<std::size_t>(ranks), &engine), {});
  reach::ThreadRanks threads(ranks);
  threads.run(control, [&](reach::Communicator& communicator, const Control& own) {
    const auto rank = static_cast<std::size_t>(communicator.rank());
    std::vector<LatticePart> parts = latticeParts(system.links->lattice(), ranks);
    const GaugeField links = linksOf(*system.links, parts[rank], own);
    RankSolver solver(communicator, std::move(parts), links, kWilson, options, engine, machine.variants, variant,
                      shares[rank], own);
    SolverResult mine = solver.solve(communicator, rank == 0 ? system.source : SpinorField(), onIteration, own);
    if (rank == 0) result = std::move(mine);
  });
  return result;
}

SolverResult solvedAlone(const TestMachine& machine, Engine& engine, const std::string& variant, const System& system,
                         const SolverOptions& options) {
  LatticeSolver solver(engine, machine.variants, variant, system.links, kWilson, options, {}, {});
  return solver.solve(system.source, {});
}

// By the vectors of this process, also where the engine could iterate by itself.
SolverResult solvedHere(const TestMachine& machine, Engine& engine, const std::string& variant, const System& system,
                        const SolverOptions& options) {
  LatticeSolver solver(engine, machine.variants, variant, system.links, kWilson, options, {}, {});
  SolverResult result = solve(solver.system(), system.source, options, {});
  solver.recheck(system.source, {}, result);
  return result;
}

std::string differenceOf(const SolverResult& a, const SolverResult& b) {
  const auto same = [](const auto& x, const auto& y) {
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(x[0])) == 0;
  };
  if (a.solver != b.solver) return "another solver, " + std::string(toString(a.solver));
  if (a.preconditioner != b.preconditioner) return "another preconditioner";
  if (a.preconditionerNote != b.preconditionerNote) return "another note: " + a.preconditionerNote;
  if (a.converged != b.converged || a.failure != b.failure) return "another end: " + a.failure;
  if (a.iterations != b.iterations) return std::to_string(a.iterations) + " iterations";
  if (!same(a.residuals, b.residuals)) return "another residual";
  if (std::memcmp(&a.trueResidual, &b.trueResidual, sizeof a.trueResidual) != 0) return "another true residual";
  return same(a.solution, b.solution) ? "" : "another solution";
}

SolverOptions optionsOf(Solver solver, Preconditioner preconditioner, int most = 10000) {
  SolverOptions options;
  options.solver = solver;
  options.preconditioner = preconditioner;
  options.maxIterations = most;
  return options;
}

std::string textOf(const SolverOptions& options) {
  return std::string(toString(options.solver)) + " " + std::string(toString(options.preconditioner));
}

std::vector<Engine*> processors(const TestMachine& machine) {
  std::vector<Engine*> result;
  for (Engine* engine : machine.chosen())
    if (engine->info().kind == EngineKind::Cpu) result.push_back(engine);
  return result;
}

}  // namespace

TEST_CASE("every solver over ranks gives the bits of one process") {
  const TestMachine machine;
  struct Case {
    std::array<int, 4> extents;
    std::vector<int> ranks;
  };
  // Even extents, whose parts begin at even and odd times and heights, of one slice and more, and odd ones.
  const Case cases[] = {{{4, 2, 2, 8}, {1, 2, 3, 4, 7}}, {{2, 4, 6, 2}, {2, 6, 10}}, {{3, 2, 5, 4}, {3, 4, 8}}};
  const Solver solvers[] = {Solver::Auto, Solver::BiCgStab, Solver::Gcr, Solver::Cgnr, Solver::Cr};
  const test::Turns turns(processors(machine), 1, "ranks of solvers");
  std::size_t number = 0;
  for (const Case& one : cases) {
    const System system = systemOn(one.extents);
    const bool even = system.links->lattice().bipartite();
    for (const Solver solver : solvers)
      for (const Preconditioner preconditioner : {Preconditioner::Auto, Preconditioner::None})
        for (Engine* engine : turns.of(number++)) {
          const SolverOptions options = optionsOf(solver, preconditioner);
          const SolverResult alone = solvedAlone(machine, *engine, "", system, options);
          INFO(engine->info().id << " " << textOf(options) << " " << system.links->lattice().text() << ", "
                                 << test::Sampling::howToRepeat());
          CHECK(alone.converged);
          CHECK((alone.preconditioner == Preconditioner::EvenOdd) ==
                (even && solver != Solver::Cr && preconditioner == Preconditioner::Auto));
          for (const int ranks : test::sampleOf(2, one.ranks, turns.sampling().named(textOf(options)))) {
            INFO(ranks << " ranks");
            CHECK(differenceOf(solvedByRanks(machine, *engine, "", system, options, ranks), alone) == "");
          }
        }
  }
}

TEST_CASE("hops over ranks and their adjoints follow the parity of the whole") {
  const TestMachine machine;
  const System system = systemOn({4, 2, 6, 4});
  const Lattice whole = system.links->lattice();
  for (Engine* engine : processors(machine)) {
    LatticeSolver alone(*engine, machine.variants, "", system.links, kWilson, optionsOf(Solver::Cgnr, {}), {}, {});
    const WilsonSystem one = alone.system();
    for (const int ranks : {1, 3, 4, 8, 12})
      for (const int parity : {0, 1})
        for (const bool adjoint : {false, true}) {
          INFO(engine->info().id << " " << ranks << " ranks, parity " << parity << (adjoint ? ", adjoint" : ""));
          const SpinorField in = halfOf(whole, 1 - parity, system.source, {});
          const SpinorField center = halfOf(whole, parity, system.source, {});
          SpinorField expected(in.size());
          one.hops({parity, -1, adjoint, &center}, in, expected, {});
          SpinorField found = zeroSpinor(whole);
          reach::ThreadRanks threads(ranks);
          threads.run({}, [&](reach::Communicator& communicator, const Control& own) {
            const LatticePart part = latticeParts(whole, ranks)[static_cast<std::size_t>(communicator.rank())];
            const int here = parity ^ part.parityOfFirst();
            RankDirac dirac(communicator, part, linksOf(*system.links, part, own), kWilson, *engine, machine.variants,
                            "", {}, own);
            REQUIRE(dirac.rows() != nullptr);
            RankHops hops(part, kWilson, *dirac.rows(), own);
            const SpinorField mine = takePart(system.source, part);
            const SpinorField from = halfOf(part.own, 1 - here, mine, own), middle = halfOf(part.own, here, mine, own);
            SpinorField to(from.size(), Complex(std::numeric_limits<double>::quiet_NaN()));
            hops.hop(communicator, {parity, -1, adjoint, &middle}, from, to, own);
            SpinorField back = zeroSpinor(part.own);
            putHalf(part.own, here, to, back, own);
            putPart(back, part, found);
          });
          const SpinorField result = halfOf(whole, parity, found, {});
          CHECK(std::memcmp(result.data(), expected.data(), expected.size() * sizeof(Complex)) == 0);
        }
  }
}

TEST_CASE("ranks on devices iterate with their vectors on the host, and give the bits of one that does") {
  const TestMachine machine;
  if (!test::anyDevice(machine.chosen())) SSCOPE_SKIP(test::kNoDevice);
  const System system = systemOn({4, 2, 2, 6});
  for (Engine* engine : machine.chosen()) {
    if (!engine->info().isDevice()) continue;
    for (const Solver solver : {Solver::Cr, Solver::BiCgStab}) {
      const SolverOptions options = optionsOf(solver, Preconditioner::Auto);
      INFO(engine->info().id << " " << textOf(options));
      const SolverResult here = solvedHere(machine, *engine, "", system, options);
      CHECK(here.converged);
      for (const int ranks : {2, 4})
        CHECK(differenceOf(solvedByRanks(machine, *engine, "", system, options, ranks), here) == "");
      // One device keeps cr to itself, and adds in another order.
      const SolverResult resident = solvedAlone(machine, *engine, "", system, options);
      CHECK(resident.converged);
      CHECK(test::distance(here.solution, resident.solution) < 1e-8);
      if (solver == Solver::BiCgStab) CHECK(differenceOf(resident, here) == "");
    }
  }
}

TEST_CASE("solvers over ranks whose operator rounds have the true residuals of one process") {
  const TestMachine machine;
  const System system = systemOn({4, 2, 2, 6});
  SolverOptions options = optionsOf(Solver::BiCgStab, Preconditioner::EvenOdd, 60);
  for (Engine* engine : processors(machine))
    for (const char* variant : {"tuned-f32", "tuned-mixed"}) {
      INFO(engine->info().id << " " << variant);
      const SolverResult alone = solvedAlone(machine, *engine, variant, system, options);
      CHECK_THAT(alone.preconditionerNote, ContainsSubstring("applies the operator to all sites at a time"));
      CHECK(!alone.converged);
      CHECK(differenceOf(solvedByRanks(machine, *engine, variant, system, options, 3), alone) == "");
    }
}

TEST_CASE("solvers over ranks end as one process does: without a source, too early, with one that is not finite") {
  const TestMachine machine;
  Engine& engine = machine.engines.preferred();
  System system = systemOn({2, 2, 2, 4});
  for (const Solver solver : {Solver::Auto, Solver::Gcr, Solver::Cr}) {
    SolverOptions options = optionsOf(solver, Preconditioner::Auto, 2);
    INFO(textOf(options));
    const SolverResult early = solvedByRanks(machine, engine, "", system, options, 3);
    CHECK_THAT(early.failure, ContainsSubstring("it did not converge in 2 iterations"));
    CHECK(differenceOf(early, solvedAlone(machine, engine, "", system, options)) == "");
    System none = system;
    none.source.assign(none.source.size(), Complex(0));
    const SolverResult zero = solvedByRanks(machine, engine, "", none, options, 3);
    CHECK(zero.converged);
    CHECK(zero.solution == none.source);
    none.source.back() = std::numeric_limits<double>::infinity();  // on the last rank alone
    CHECK_THROWS_WITH(solvedByRanks(machine, engine, "", none, options, 3), ContainsSubstring("NaN or infinite"));
  }
  SolverOptions wrong = optionsOf(Solver::Cr, Preconditioner::EvenOdd);
  CHECK_THROWS_AS(solvedByRanks(machine, engine, "", system, wrong, 2), Error);
  wrong = optionsOf(Solver::Gcr, Preconditioner::Auto);
  wrong.restart = 0;
  CHECK_THROWS_AS(solvedByRanks(machine, engine, "", system, wrong, 2), Error);
}

TEST_CASE("solvers over ranks stop together when canceled") {
  const TestMachine machine;
  Engine& engine = machine.engines.preferred();
  const System system = systemOn({4, 4, 4, 6});
  for (const Solver solver : {Solver::BiCgStab, Solver::Gcr, Solver::Cgnr}) {
    std::stop_source stop;
    const OnIteration onIteration = [&](int iteration, double) {
      if (iteration == 3) stop.request_stop();
    };
    SolverOptions options = optionsOf(solver, Preconditioner::Auto);
    options.tolerance = 1e-14;
    CHECK_THROWS_AS(solvedByRanks(machine, engine, "", system, options, 3, {stop.get_token(), {}}, onIteration),
                    Canceled);
  }
}

}  // namespace sscope
