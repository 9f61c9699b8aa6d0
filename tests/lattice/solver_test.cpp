#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/error.h"
#include "core/lattice/vector_space.h"
#include "tests/lattice/lattice_support.h"
#include "tests/support/catch.h"

namespace sscope::lattice {

using test::smoothField;

namespace {

struct Way {
  Solver solver;
  Preconditioner preconditioner;
};
constexpr Way kWays[] = {{Solver::Auto, Preconditioner::None},     {Solver::Auto, Preconditioner::EvenOdd},
                         {Solver::Gcr, Preconditioner::None},      {Solver::Gcr, Preconditioner::EvenOdd},
                         {Solver::BiCgStab, Preconditioner::None}, {Solver::BiCgStab, Preconditioner::EvenOdd},
                         {Solver::Cgnr, Preconditioner::None},     {Solver::Cgnr, Preconditioner::EvenOdd},
                         {Solver::Cr, Preconditioner::None}};

std::string textOf(const Way& way) {
  return std::string(toString(way.solver)) + ", " + std::string(toString(way.preconditioner));
}
SolverOptions optionsFor(const Way& way) {
  SolverOptions options;
  options.solver = way.solver;
  options.preconditioner = way.preconditioner;
  return options;
}

}  // namespace

TEST_CASE("Every solver solves, preconditioned or not") {
  const GaugeField field = smoothField(Lattice({4, 4, 4, 4}));
  const Lattice& lattice = field.lattice();
  const WilsonSystem system = test::referenceSystem(field, {0.12, -1, false});
  for (const Way& way : kWays)
    for (const SpinorField& source :
         {hashSource(lattice, 4), pointSource(lattice, 0, 0, 0), pointSource(lattice, 1, 2, 3)}) {
      // Which point sources break.
      if (way.solver == Solver::Cr && norm2(source, {}) == 1) continue;
      INFO(textOf(way));
      int calls = 0;
      const SolverResult result = solve(system, source, optionsFor(way), {}, [&](int iteration, double residual) {
        CHECK(iteration == ++calls);
        CHECK(std::isfinite(residual));
      });
      CHECK(result.converged);
      CHECK(result.failure.empty());
      CHECK(result.preconditioner == way.preconditioner);
      CHECK(result.preconditionerNote.empty());
      CHECK(result.iterations == calls);
      CHECK(result.residuals.size() == static_cast<std::size_t>(calls) + 1);
      CHECK(result.residuals.front() == 1);
      CHECK(result.trueResidual < 2e-10);
      SpinorField image(source.size());
      system.dirac(false, result.solution, image, {});
      CHECK(test::relativeDistance(image, source) < 2e-10);
    }
}

TEST_CASE("The conjugate residual solves the twisted system too") {
  const GaugeField field = smoothField(Lattice({4, 4, 4, 4}));
  const ApplyDirac dirac = test::referenceOperator(field, {0.12, -1, false});
  const SpinorField source = hashSource(field.lattice(), 4);
  SolverOptions options;
  options.solver = Solver::Cr;
  options.twist = 0.3;
  const SolverResult result = solve(dirac, source, options, {});
  CHECK(result.residuals.back() < 1e-10);
  // (gamma_5 D + i twist) x = gamma_5 b.
  SpinorField left(source.size()), right = source;
  dirac(false, result.solution, left, {});
  applyGamma5(left, {});
  addScaled({0, options.twist}, result.solution, left, {});
  applyGamma5(right, {});
  CHECK(test::relativeDistance(left, right) < 2e-10);
}

TEST_CASE("What does not converge or breaks down says so and keeps its best iterate") {
  const GaugeField field = smoothField(Lattice({4, 4, 4, 4}));
  const WilsonSystem system = test::referenceSystem(field, {0.12, -1, false});
  const SpinorField source = hashSource(field.lattice(), 4);
  // kappa = 1/8 on unit links with periodic time: constant spinors are mapped to zero, also by the half operator.
  const GaugeField unit(Lattice({2, 2, 2, 2}));
  const WilsonSystem singular = test::referenceSystem(unit, {0.125, 1, false});
  const SpinorField constant(static_cast<std::size_t>(unit.lattice().volume()) * kSpinorElements, Complex(1));
  for (const Way& way : kWays) {
    INFO(textOf(way));
    SolverOptions options = optionsFor(way);
    options.maxIterations = 5;
    const SolverResult stopped = solve(system, source, options, {});
    CHECK_FALSE(stopped.converged);
    CHECK(stopped.failure.find("5 iterations") != std::string::npos);
    CHECK(stopped.preconditioner == way.preconditioner);
    CHECK(stopped.trueResidual < 1);
    CHECK(stopped.trueResidual > 1e-10);
    if (way.preconditioner == Preconditioner::EvenOdd)
      CHECK(stopped.trueResidual <= 1.001 * *std::ranges::min_element(stopped.residuals));
    CHECK(stopped.solution.size() == source.size());
    options.maxIterations = 50;
    const SolverResult broken = solve(singular, constant, options, {});
    CHECK_FALSE(broken.converged);
    CHECK_FALSE(broken.failure.empty());
    CHECK(broken.solution.size() == constant.size());
    for (const Complex& value : broken.solution) CHECK(std::isfinite(std::abs(value)));
  }
}

TEST_CASE("Zero has the solution zero, a source that is not finite and bad options are refused") {
  const GaugeField field(Lattice({2, 2, 2, 2}));
  const ApplyDirac dirac = test::referenceOperator(field, {0.1, -1, false});
  const SolverResult result = solve(dirac, zeroSpinor(field.lattice()), {}, {});
  CHECK(result.converged);
  CHECK(norm2(result.solution, {}) == 0);
  SpinorField bad = zeroSpinor(field.lattice());
  bad[3] = std::nan("");
  CHECK_THROWS_AS(solve(dirac, bad, {}, {}), Error);
  SolverOptions options;
  options.tolerance = 0;
  CHECK_THROWS_AS(solve(dirac, pointSource(field.lattice(), 0, 0, 0), options, {}), Error);
  options = {};
  options.solver = Solver::Cr;
  options.twist = 1e300;  // whose squares are infinite
  CHECK_THROWS_AS(solve(dirac, pointSource(field.lattice(), 0, 0, 0), options, {}), Error);
  CHECK_THROWS_AS(solverNamed("magic"), Error);
}

TEST_CASE("Every solver hears a stop, preconditioned or not") {
  const GaugeField field = smoothField(Lattice({4, 4, 4, 4}));
  const WilsonSystem system = test::referenceSystem(field, {0.12, -1, false});
  for (const Way& way : kWays) {
    INFO(textOf(way));
    std::stop_source stop;
    CHECK_THROWS_AS(solve(system, hashSource(field.lattice(), 1), optionsFor(way), {stop.get_token(), {}},
                          [&](int iteration, double) {
                            if (iteration == 3) stop.request_stop();
                          }),
                    Canceled);
  }
}

}  // namespace sscope::lattice
