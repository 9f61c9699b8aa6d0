// The conjugate residual in lower precision on every engine: judged by the true residual in float64.

#include <cmath>
#include <filesystem>

#include "core/io/lattice/configuration_io.h"
#include "core/lattice/heat_bath.h"
#include "core/lattice/job/lattice_solver.h"
#include "core/lattice/workload/lattice_precision.h"
#include "core/measure/verify.h"
#include "tests/agreement/coverage.h"
#include "tests/agreement/lattice/cr_runs.h"
#include "tests/agreement/machine.h"
#include "tests/agreement/turns.h"
#include "tests/lattice/lattice_support.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"

namespace sscope {

namespace {

using namespace lattice;
using test::distance;
using test::prepared;
using test::solved;
using test::viewOf;

const std::array<int, 4> kPrecisionLattices[] = {{4, 4, 4, 4}, {4, 4, 4, 8}, {6, 4, 2, 8}, {2, 2, 2, 2}};

// body(engine, row) for the extras on all engines.
template <class Body>
void forExtras(const test::TestMachine& machine, Body&& body) {
  for (Engine* engine : machine.chosen())
    for (const Variant* row : machine.variants.rows("cr", engine->info().kind)) {
      if (!row->lower) continue;
      INFO(engine->info().id << " " << row->name);
      body(*engine, *row);
    }
}

double residualOf(const CrWorkload& workload, const SpinorField& source, const SpinorField& x) {
  return crResidual(workload.field(), workload.cr().wilson, workload.cr().twist, source, x, {});
}

Verification judged(const LowerPrecision& lower, const CrWorkload& workload, const SpinorField& source,
                    const SpinorField& x) {
  const ConstArrayView from = viewOf(workload.field().lattice(), source), to = viewOf(workload.field().lattice(), x);
  return lower.judge(workload, {&from, 1}, {&to, 1}, {}, {});
}

}  // namespace

TEST_CASE("the conjugate residual in lower precision is as far as the reference after any number of iterations") {
  const test::TestMachine machine;
  if (machine.chosen().empty()) SSCOPE_SKIP("no engine that SSCOPE_TEST_ENGINES names");
  test::Coverage coverage(machine.variants, test::infosOf(machine.chosen()), "cr",
                          [](const Variant& row) { return row.lower.has_value(); });
  const CrParameters kParameters[] = {
      {{0.12, -1, false}, 4, 0}, {{0.1, 1, false}, 40, 0}, {{-0.11, -1, false}, 9, 0.3}};
  const auto sampling = test::Sampling::ofRun().named("cr in lower precision");
  for (std::size_t l = 0; l < std::size(kPrecisionLattices); ++l) {
    const Lattice lattice(kPrecisionLattices[l]);
    const CrWorkload workload(std::make_shared<GaugeField>(hotStart(lattice, 7)), kParameters[l % 3]);
    const SpinorField source = hashSource(lattice, 3);
    std::size_t number = 0;
    forExtras(machine, [&](Engine& engine, const Variant& row) {
      INFO(lattice.text() << ", " << test::Sampling::howToRepeat());
      if (!coverage.takes(engine.info(), row, workload)) return;
      // Devices compile for every lattice anew: there rows take turns with the lattices.
      if (engine.info().isDevice() && !test::inShare(l + number++, std::size(kPrecisionLattices), sampling)) return;
      const auto plan = prepared(engine, row, workload);
      SpinorField solution, again(source.size());
      CrRequest request;
      request.iterations = workload.cr().iterations;
      const CrOutcome outcome = solved(*plan, lattice, source, solution, request);
      CHECK(outcome.report.engine == engine.info().id);
      CHECK(outcome.report.variant == row.name);
      CHECK(outcome.report.bytes == workload.work().bytes / 2);
      CHECK(outcome.residuals.size() == static_cast<std::size_t>(outcome.iterations) + 1);
      const ConstArrayView from = viewOf(lattice, source), to = viewOf(lattice, std::as_const(solution));
      const Verification verdict = verify(row, workload, {&from, 1}, {&to, 1}, {}, {});
      CHECK(verdict.failure == "");
      CHECK(verdict.verified);
      const ArrayView target = viewOf(lattice, again);
      static_cast<void>(plan->run({{&from, 1}, 0}, {&target, 1}, {}));
      CHECK(again == solution);
      coverage.compared(engine.info(), row);
    });
  }
  coverage.requireAll();
}

TEST_CASE("in mixed precision the conjugate residual reaches the tolerance of float64") {
  const test::TestMachine machine;
  const auto sampling = test::Sampling::ofRun().named("cr in mixed precision");
  const test::Turns turns(machine.chosen(), 2, "extras");
  const auto rows = sampling.named("rows");
  std::size_t number = 0, deviceRow = 0;
  for (const double twist : {0.0, 0.2})
    for (const auto& extents : kPrecisionLattices) {
      if (!test::inShare(number++ + (twist != 0 ? 1 : 0), 2, sampling)) continue;  // each lattice with one twist
      const Lattice lattice(extents);
      const CrWorkload workload(std::make_shared<GaugeField>(hotStart(lattice, 7)), {{0.12, -1, false}, 400, twist});
      const SpinorField source = hashSource(lattice, 3);
      const CrReference truth = crReference(workload.field(), workload.cr().wilson, twist, source, 400, {});
      const auto needed = std::find_if(truth.residuals.begin(), truth.residuals.end(),
                                       [](double residual) { return residual <= 1e-10; }) -
                          truth.residuals.begin();
      REQUIRE(needed < 400);
      forExtras(machine, [&](Engine& engine, const Variant& row) {
        // Devices compile for every lattice and twist anew: one of them, with one of the extras, in half of the runs;
        // in the others lattice solve.
        if (engine.info().isDevice() && !turns.takes(engine, 0)) return;
        const bool twisted = &extents == &kPrecisionLattices[2];
        if (engine.info().kind != EngineKind::Cpu &&
            (twisted != (twist != 0) || (!twisted && &extents != kPrecisionLattices)))
          return;
        if (engine.info().isDevice() && !test::inShare(deviceRow++, 2, rows)) return;
        INFO(lattice.text() << " twist " << twist << ", " << test::Sampling::howToRepeat());
        SpinorField solution;
        std::vector<double> told;
        const CrOutcome outcome =
            solved(*prepared(engine, row, workload), lattice, source, solution,
                   {400, 1e-10, [&](int, double residual) { told.push_back(residual); }, nullptr});
        const double residual = residualOf(workload, source, solution);
        INFO("residual " << residual << ", iterations " << outcome.iterations << " instead of " << needed);
        CHECK(outcome.end == CrEnd::Converged);
        CHECK(static_cast<int>(told.size()) == outcome.iterations);
        CHECK(outcome.iterations >= needed * 7 / 8);
        CHECK(outcome.iterations <= needed * 5 / 4 + 3);
        if (row.name == "tuned-mixed") {
          CHECK(residual <= 1.01e-10);
          CHECK(outcome.residuals.back() == Approx(residual).epsilon(1e-3));
          CHECK(distance(solution, truth.solution) < 1e-8);
        } else {
          CHECK(residual > 1e-9);  // whatever its recursion says
          CHECK(residual < 1e-3);
          CHECK(distance(solution, truth.solution) < 1e-2);
        }
      });
    }
}

TEST_CASE("the conjugate residual in lower precision knows zero, what is singular, and a trace") {
  const test::TestMachine machine;
  const Lattice lattice({4, 2, 2, 4});
  const CrWorkload workload = test::likeSingularOn(lattice, 200), singular = test::singularOn(lattice);
  const SpinorField source = hashSource(lattice, 3);
  const test::Turns turns(machine.chosen(), 2, "ends of extras");
  const auto sampling = turns.sampling().named("rows");
  std::size_t number = 0;
  forExtras(machine, [&](Engine& engine, const Variant& row) {
    // On devices one of the extras in half of the runs.
    if (engine.info().isDevice() && (!turns.takes(engine, 0) || !test::inShare(number++, 2, sampling))) return;
    INFO(test::Sampling::howToRepeat());
    SpinorField solution;
    const auto plan = prepared(engine, row, workload);
    test::requireZero(*plan, lattice);
    static_cast<void>(test::requireTrace(*plan, lattice, source, solution, 12));
    test::requireBreakdown(*prepared(engine, row, singular), lattice);
  });
}

TEST_CASE("the bound on true residuals fails what is not solved as far") {
  const Lattice lattice({4, 4, 2, 4});
  const CrWorkload workload(std::make_shared<GaugeField>(hotStart(lattice, 7)), {{0.12, -1, false}, 120, 0});
  const SpinorField source = hashSource(lattice, 3);
  const auto truth = workload.truth(viewOf(lattice, source), {});
  REQUIRE(truth->residuals.back() < 1e-8);
  const LowerPrecision mixed = crMixed(), narrow = crInF32();
  const auto scaled = [&](double factor) {
    SpinorField x = truth->solution;
    for (Complex& value : x) value *= factor;
    return x;
  };
  for (const LowerPrecision* lower : {&mixed, &narrow}) {
    CHECK(judged(*lower, workload, source, truth->solution).verified);
    CHECK_FALSE(judged(*lower, workload, source, scaled(0)).verified);
    CHECK_FALSE(judged(*lower, workload, source, scaled(-1)).verified);
    CHECK_FALSE(judged(*lower, workload, source, scaled(lower == &mixed ? 1 + 1e-7 : 1.01)).verified);
    CHECK_FALSE(judged(*lower, workload, source, scaled(std::nan(""))).verified);
  }
  // What float32 holds of it is enough for float32 alone.
  SpinorField rounded = truth->solution;
  for (Complex& value : rounded) value = test::inFloat32(value);
  CHECK(judged(narrow, workload, source, rounded).verified);
  CHECK_FALSE(judged(mixed, workload, source, rounded).verified);
  // Neither is the reference's solution to double precision.
  const ConstArrayView from = viewOf(lattice, source), to = viewOf(lattice, std::as_const(rounded));
  CHECK_FALSE(verify(workload, {&from, 1}, {&to, 1}, {1e9, 1}, {}).verified);
}

TEST_CASE("lattice solve takes the extras, and says where float32 does not reach the tolerance") {
  const test::TestMachine machine;
  const Lattice lattice({4, 4, 4, 4});
  const auto field = std::make_shared<GaugeField>(hotStart(lattice, 7));
  const SpinorField source = hashSource(lattice, 3);
  SolverOptions options;
  options.solver = Solver::Cr;
  options.maxIterations = 400;
  const test::Turns turns(machine.chosen(), 2, "extras");
  const auto sampling = turns.sampling().named("lattice solve");
  std::size_t number = 0;
  forExtras(machine, [&](Engine& engine, const Variant& row) {
    if (engine.info().isDevice() && (!turns.takes(engine, 1) || !test::inShare(number++, 2, sampling))) return;
    INFO(test::Sampling::howToRepeat());
    LatticeSolver solver(engine, machine.variants, row.name, field, {0.12, -1, false}, options, {}, {});
    CHECK(solver.resident());
    CHECK(solver.dirac().verified({}).verified);
    const SolverResult result = solver.solve(source, {});
    CHECK(solver.report().variant == row.name);
    CHECK(result.converged == (row.name == "tuned-mixed"));
    CHECK(result.trueResidual ==
          Approx(crResidual(*field, {0.12, -1, false}, 0, source, result.solution, {})).epsilon(1e-3));
    if (!result.converged) CHECK(result.failure.find("because of rounding") != std::string::npos);
  });
}

TEST_CASE("mixed precision needs about as many iterations on the real configuration") {
  const auto shared = test::sharedData();
  if (!shared || !std::filesystem::exists(*shared / "lattice"))
    SSCOPE_SKIP("no real configurations beside the checkout");
  const test::TestMachine machine;
  const auto io = makeConfigurationIo();
  const auto field = std::make_shared<GaugeField>(io->read(*shared / "lattice" / "atb_nersc.l8t4b3360", {}, {}).field);
  const CrWorkload workload(field, {{0.12, -1, false}, 400, 0});
  const SpinorField source = hashSource(field->lattice(), 0);
  const test::Turns turns(machine.chosen(), 3, "mixed precision of the real configuration");
  forExtras(machine, [&](Engine& engine, const Variant& row) {
    if (row.name != "tuned-mixed" || !turns.takes(engine, 0)) return;
    INFO(test::Sampling::howToRepeat());
    SpinorField solution;
    const CrOutcome outcome =
        solved(*prepared(engine, row, workload), field->lattice(), source, solution, {400, 1e-10, {}, nullptr});
    CHECK(outcome.end == CrEnd::Converged);
    CHECK(outcome.iterations >= 140);  // 146 in float64
    CHECK(outcome.iterations <= 180);
    CHECK(outcome.residuals[10] == Approx(0.0931).margin(5e-4));
    CHECK(residualOf(workload, source, solution) <= 1.01e-10);
  });
}

}  // namespace sscope
