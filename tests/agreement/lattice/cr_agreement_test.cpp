// The conjugate residual: every rung on every engine against the reference, and against what is known of a real
// configuration.

#include <cmath>
#include <filesystem>
#include <limits>

#include "core/base/error.h"
#include "core/io/lattice/configuration_io.h"
#include "core/lattice/heat_bath.h"
#include "core/lattice/workload/cr_reference.h"
#include "core/lattice/workload/cr_workload.h"
#include "core/measure/verify.h"
#include "tests/agreement/coverage.h"
#include "tests/agreement/lattice/cr_runs.h"
#include "tests/agreement/machine.h"
#include "tests/agreement/turns.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

namespace sscope {

namespace {

using namespace lattice;

using test::distance;
using test::prepared;
using test::Sampling;
using test::solved;
using test::TestMachine;
using test::viewOf;

const std::array<int, 4> kCrLattices[] = {{4, 4, 4, 4}, {4, 4, 4, 8}, {6, 4, 2, 8},
                                          {2, 2, 2, 2}, {1, 3, 2, 5}, {5, 1, 1, 1}};

// A source of one chirality: gamma_5 D is nearly definite on it, so that nothing cancels in the products and the
// solution is found to its last digits after few iterations, too.
SpinorField chiralSource(const Lattice& lattice, std::uint64_t seed) {
  SpinorField psi = hashSource(lattice, seed);
  for (std::size_t k = 0; k < psi.size(); ++k)
    if (k % kSpins >= 2) psi[k] = 0;
  return psi;
}

}  // namespace

TEST_CASE("every rung of the conjugate residual agrees with the reference") {
  const TestMachine machine;
  const CrParameters kParameters[] = {{{0.12, -1, false}, 4, 0}, {{0.1, 1, false}, 7, 0}, {{-0.11, -1, false}, 5, 0.3}};
  const std::vector<Engine*> engines = machine.chosen();
  if (engines.empty()) SSCOPE_SKIP("no engine that SSCOPE_TEST_ENGINES names");
  // The others: cr_precision_test.cpp.
  test::Coverage coverage(machine.variants, test::infosOf(engines), "cr",
                          [](const Variant& row) { return !row.lower; });
  const auto sampling = Sampling::ofRun().named("cr");
  for (std::size_t l = 0; l < std::size(kCrLattices); ++l) {
    const Lattice lattice(kCrLattices[l]);
    const CrParameters& parameters = kParameters[l % std::size(kParameters)];
    const CrWorkload workload(std::make_shared<GaugeField>(hotStart(lattice, 7)), parameters);
    const SpinorField source = chiralSource(lattice, 3);
    const CrReference truth =
        crReference(workload.field(), parameters.wilson, parameters.twist, source, parameters.iterations, {});
    REQUIRE(truth.cancellation < 1000);
    for (Engine* engine : engines) {
      for (const Variant* row : machine.variants.rows("cr", engine->info().kind)) {
        if (row->lower || !coverage.takes(engine->info(), *row, workload)) continue;
        // Devices compile for every lattice anew: there a run has one lattice, for which rungs share most kernels; the
        // thin ones they see with the operator alone.
        if (engine->info().isDevice() && (l >= 4 || !test::inShare(l, 4, sampling))) continue;
        INFO(engine->info().id << " " << row->name << " " << lattice.text() << ", " << Sampling::howToRepeat());
        SpinorField solution;
        const auto plan = prepared(*engine, *row, workload);
        CrRequest request;
        request.iterations = parameters.iterations;
        std::vector<double> told;
        request.onIteration = [&](int iteration, double residual) {
          CHECK(iteration == static_cast<int>(told.size()) + 1);
          told.push_back(residual);
        };
        const CrOutcome outcome = solved(*plan, lattice, source, solution, request);
        CHECK(outcome.end == CrEnd::Iterations);
        CHECK(outcome.iterations == parameters.iterations);
        CHECK(distance(solution, truth.solution) < 1e-12);
        REQUIRE(outcome.residuals.size() == truth.residuals.size());
        CHECK(told.size() == truth.residuals.size() - 1);
        for (std::size_t k = 0; k < truth.residuals.size(); ++k)
          CHECK(outcome.residuals[k] == Approx(truth.residuals[k]).epsilon(1e-11).margin(1e-15));
        CHECK(outcome.report.engine == engine->info().id);
        CHECK(outcome.report.variant == row->name);
        // The workload's own run, again, and the same bytes.
        const ConstArrayView from = viewOf(lattice, source), to = viewOf(lattice, std::as_const(solution));
        CHECK(verify(workload, {&from, 1}, {&to, 1}, {1e9, 1}, {}).verified);
        SpinorField again(source.size());
        const ArrayView target = viewOf(lattice, again);
        static_cast<void>(plan->run({{&from, 1}, 0}, {&target, 1}, {}));
        CHECK(again == solution);
        coverage.compared(engine->info(), *row);
      }
    }
  }
  coverage.requireAll();
}

TEST_CASE("the conjugate residual stops where it has converged and where it breaks down") {
  const TestMachine machine;
  const Lattice lattice({4, 2, 2, 4});
  const CrWorkload workload = test::likeSingularOn(lattice, 200), singular = test::singularOn(lattice);
  const SpinorField source = hashSource(lattice, 3);
  const auto sampling = Sampling::ofRun().named("ends of cr");
  for (Engine* engine : machine.chosen()) {
    std::size_t number = 0;
    for (const Variant* row : machine.variants.rows("cr", engine->info().kind)) {
      if (row->lower) continue;  // cr_precision_test.cpp
      // Of devices a share of the rungs in each run.
      if (engine->info().isDevice() && !test::inShare(number++, 6, sampling)) continue;
      INFO(engine->info().id << " " << row->name << ", " << Sampling::howToRepeat());
      SpinorField solution;
      const auto plan = prepared(*engine, *row, workload);
      const CrOutcome converged = solved(*plan, lattice, source, solution, {200, 1e-8, {}, nullptr});
      CHECK(converged.end == CrEnd::Converged);
      CHECK(converged.iterations < 200);
      CHECK(converged.residuals.size() == static_cast<std::size_t>(converged.iterations) + 1);
      CHECK(converged.residuals.back() <= 1e-8);
      CHECK(converged.residuals[converged.residuals.size() - 2] > 1e-8);
      SpinorField exact;
      const CrOutcome fixed = solved(*plan, lattice, source, exact, {converged.iterations, 0, {}, nullptr});
      CHECK(fixed.end == CrEnd::Iterations);
      CHECK(distance(solution, exact) < 1e-12);
      SpinorField traced;
      static_cast<void>(test::requireTrace(*plan, lattice, source, traced, 5, true));
      test::requireZero(*plan, lattice);
      test::requireBreakdown(*prepared(*engine, *row, singular), lattice);
    }
  }
}

TEST_CASE("the conjugate residual finds the numbers of the real configuration") {
  const auto shared = test::sharedData();
  if (!shared || !std::filesystem::exists(*shared / "lattice"))
    SSCOPE_SKIP("no real configurations beside the checkout");
  const TestMachine machine;
  const auto io = makeConfigurationIo();
  const auto field = std::make_shared<GaugeField>(io->read(*shared / "lattice" / "atb_nersc.l8t4b3360", {}, {}).field);
  const CrWorkload workload(field, {{0.12, -1, false}, 200, 0});
  const SpinorField source = hashSource(field->lattice(), 0);
  const test::Turns turns(machine.chosen(), 1, "cr of the real configuration");
  for (Engine* engine : machine.chosen()) {
    std::size_t number = 0;
    std::vector<const Variant*> rows = machine.variants.rows("cr", engine->info().kind);
    std::erase_if(rows, [](const Variant* row) { return row->lower.has_value(); });  // cr_precision_test.cpp
    // One rung of each device in a run: 146 iterations of kernels that are not optimized take seconds.
    if (engine->info().isDevice()) rows = test::sampleOf(1, rows, turns.sampling());
    for (const Variant* row : rows) {
      if (!turns.takes(*engine, number++, *row)) continue;
      INFO(engine->info().id << " " << row->name << ", " << Sampling::howToRepeat());
      SpinorField solution;
      const CrOutcome outcome =
          solved(*prepared(*engine, *row, workload), field->lattice(), source, solution, {200, 1e-10, {}, nullptr});
      CHECK(outcome.end == CrEnd::Converged);
      CHECK(outcome.iterations == 146);
      CHECK(outcome.residuals[10] == Approx(0.0931).margin(5e-5));
    }
  }
}

TEST_CASE("the conjugate residual is canceled at once") {
  const TestMachine machine;
  const Lattice lattice({4, 4, 4, 4});
  const CrWorkload workload(std::make_shared<GaugeField>(lattice), {{0.12, -1, false}, 100000, 0});
  const SpinorField source = hashSource(lattice, 3);
  for (Engine* engine : machine.chosen()) {
    const Variant& row = *machine.variants.rows("cr", engine->info().kind).front();
    INFO(engine->info().id);
    test::requireCanceled(*prepared(*engine, row, workload), lattice, source);
  }
}

TEST_CASE("the conjugate residual refuses what it cannot do") {
  const auto field = std::make_shared<GaugeField>(Lattice({2, 2, 2, 2}));
  CHECK_THROWS_AS(CrWorkload(field, {{0.1, -1, true}, 5, 0}), Error);
  CHECK_THROWS_AS(CrWorkload(field, {{0.1, -1, false}, 0, 0}), Error);
  CHECK_THROWS_AS(CrWorkload(field, {{0.1, -1, false}, 5, std::nan("")}), Error);
  CHECK_THROWS_AS(CrWorkload(field, {{0.1, 0, false}, 5, 0}), Error);
}

}  // namespace sscope
