// The lattice on engines that are named together, "a+b": through the table of variants and through the solver.
#include <algorithm>

#include "core/engine/joined_parts.h"
#include "core/engine/run_report.h"
#include "core/lattice/heat_bath.h"
#include "core/lattice/job/lattice_solver.h"
#include "tests/agreement/lattice/cr_runs.h"
#include "tests/agreement/machine.h"

namespace sscope {

namespace {

using namespace lattice;

SpinorField appliedBy(Engine& engine, const VariantTable& variants, const DiracWorkload& workload,
                      const SpinorField& in, RunReport& report) {
  const auto plan = variants.prepare(engine, workload, "", {}, {});
  return test::applied(*plan, workload.field().lattice(), in, &report);
}

}  // namespace

TEST_CASE("Wilson's operator on engines named together has the bits of one") {
  const test::TestMachine machine;
  const auto field = std::make_shared<GaugeField>(hotStart(Lattice({4, 3, 2, 5}), 7));
  const DiracWorkload workload(field, {0.12, -1, false});
  const SpinorField psi = hashSource(field->lattice(), 3);
  for (Engine* engine : machine.chosen()) {
    const std::string& id = engine->info().id;
    INFO(id);
    if (machine.variants.rows("dirac", engine->info().kind).empty()) continue;
    RunReport alone, shared;
    const SpinorField expected = appliedBy(*engine, machine.variants, workload, psi, alone);
    Engine& both = machine.engines.at(id + "+" + id);
    CHECK(test::sameBits(appliedBy(both, machine.variants, workload, psi, shared), expected));
    CHECK(shared.engine == id + "+" + id);
    CHECK(shared.operations == Approx(alone.operations));
    const auto shares = sharesIn(shared.launch, shared.engine);
    REQUIRE(shares.size() == 2);
    CHECK(shares[0].share + shares[1].share == 1);
    CHECK(shares[0].planes + shares[1].planes == 10);
    PrepareOptions recorded;
    recorded.trace = std::make_shared<RunTrace>();
    const auto plan = machine.variants.prepare(both, workload, "", recorded, {});
    CHECK(test::sameBits(test::applied(*plan, field->lattice(), psi, &shared), expected));
    CHECK(shared.engine == id + "+" + id);
    CHECK_FALSE(recorded.trace->take().empty());
  }
}

TEST_CASE("the conjugate residual is recorded on engines named together") {
  const test::TestMachine machine;
  const auto field = std::make_shared<GaugeField>(hotStart(Lattice({4, 3, 2, 6}), 7));
  const CrWorkload workload(field, {{0.12, -1, false}, 3});
  const SpinorField source = hashSource(field->lattice(), 3);
  PrepareOptions options;
  options.trace = std::make_shared<RunTrace>();
  const auto plan = machine.variants.prepare(machine.engines.at("cpu:scalar+cpu:scalar"), workload, "", options, {});
  static_cast<void>(test::applied(*plan, field->lattice(), source));
  CHECK(options.trace->take().size() == 1);
  // By itself, kernel by kernel.
  const auto alone = machine.variants.prepare(machine.engines.at("cpu:scalar"), workload, "", options, {});
  static_cast<void>(test::applied(*alone, field->lattice(), source));
  const std::vector<RunSpan> spans = options.trace->take();
  CHECK(std::ranges::count(spans, "residual", &RunSpan::what) == 3);
  CHECK(std::ranges::count(spans, "directions", &RunSpan::what) == 2);
  for (const RunSpan& span : spans) CHECK((span.end >= span.begin && span.end <= options.trace->now()));
}

TEST_CASE("a system is solved on engines named together") {
  const test::TestMachine machine;
  const auto field = std::make_shared<GaugeField>(hotStart(Lattice({4, 4, 4, 6}), 11));
  const SpinorField source = hashSource(field->lattice(), 5);
  SolverOptions options;
  options.solver = Solver::Cr;
  options.tolerance = 1e-10;
  std::string all;  // one for each of the six time slices at most
  std::size_t count = 0;
  for (const Engine* engine : machine.chosen())
    if (count++ < 6) all += (all.empty() ? "" : "+") + engine->info().id;
  for (const std::string& name : {std::string("cpu:scalar+cpu:scalar"), all}) {
    INFO(name);
    LatticeSolver solver(machine.engines.at(name), machine.variants, "", field, {0.11, -1, false}, options, {}, {});
    const SolverResult result = solver.solve(source, {});
    CHECK(result.failure == "");
    CHECK(result.converged);
    CHECK(result.trueResidual < 2e-10);
    CHECK(solver.dirac().verified({}).verified);
  }
}

}  // namespace sscope
