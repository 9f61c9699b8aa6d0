#include <cmath>

#include "core/base/error.h"
#include "core/lattice/correlator.h"
#include "core/lattice/vector_space.h"
#include "tests/lattice/lattice_support.h"
#include "tests/support/catch.h"

namespace sscope::lattice {

using test::smoothField;

TEST_CASE("Every solver solves") {
  const GaugeField field = smoothField(Lattice({4, 4, 4, 4}));
  const ApplyDirac dirac = test::referenceOperator(field, {0.12, -1, false});
  const SpinorField source = hashSource(field.lattice(), 4);
  for (const Solver solver : {Solver::Auto, Solver::Cr, Solver::Gcr, Solver::BiCgStab, Solver::Cgnr}) {
    INFO(toString(solver));
    SolverOptions options;
    options.solver = solver;
    int calls = 0;
    const SolverResult result = solve(dirac, source, options, {}, [&](int iteration, double residual) {
      CHECK(iteration == ++calls);
      CHECK(std::isfinite(residual));
    });
    CHECK(result.converged);
    CHECK(result.failure.empty());
    CHECK(result.iterations == calls);
    CHECK(result.residuals.size() == static_cast<std::size_t>(calls) + 1);
    CHECK(result.residuals.front() == 1);
    CHECK(result.trueResidual < 2e-10);
    SpinorField image(source.size());
    dirac(false, result.solution, image, {});
    CHECK(test::relativeDistance(image, source) < 2e-10);
  }
}

TEST_CASE("A point source does not break the default solver") {
  const GaugeField field = smoothField(Lattice({4, 4, 4, 4}));
  const SolverResult result =
      solve(test::referenceOperator(field, {0.12, -1, false}), pointSource(field.lattice(), 0, 0, 0), {}, {});
  CHECK(result.converged);
  CHECK(result.trueResidual < 2e-10);
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

TEST_CASE("A solver that is not let run says so and keeps its best iterate") {
  const GaugeField field = smoothField(Lattice({4, 4, 4, 4}));
  const ApplyDirac dirac = test::referenceOperator(field, {0.12, -1, false});
  const SpinorField source = hashSource(field.lattice(), 4);
  for (const Solver solver : {Solver::Auto, Solver::Cr, Solver::Gcr, Solver::BiCgStab, Solver::Cgnr}) {
    INFO(toString(solver));
    SolverOptions options;
    options.solver = solver;
    options.maxIterations = 5;
    const SolverResult result = solve(dirac, source, options, {});
    CHECK_FALSE(result.converged);
    CHECK(result.failure.find("5 iterations") != std::string::npos);
    CHECK(result.trueResidual < 1);
    CHECK(result.trueResidual > 1e-10);
  }
}

TEST_CASE("A singular system is a breakdown, not a hang or a NaN") {
  // kappa = 1/8 on unit links with periodic time: constant spinors are mapped to zero.
  const GaugeField field(Lattice({2, 2, 2, 2}));
  const ApplyDirac dirac = test::referenceOperator(field, {0.125, 1, false});
  SpinorField constant(static_cast<std::size_t>(field.lattice().volume()) * kSpinorElements, Complex(1));
  for (const Solver solver : {Solver::Auto, Solver::Cr, Solver::Gcr, Solver::BiCgStab, Solver::Cgnr}) {
    INFO(toString(solver));
    SolverOptions options;
    options.solver = solver;
    options.maxIterations = 50;
    const SolverResult result = solve(dirac, constant, options, {});
    CHECK_FALSE(result.converged);
    CHECK_FALSE(result.failure.empty());
    for (const Complex& value : result.solution) CHECK(std::isfinite(std::abs(value)));
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

TEST_CASE("A stop is heard") {
  const GaugeField field = smoothField(Lattice({4, 4, 4, 4}));
  const ApplyDirac dirac = test::referenceOperator(field, {0.12, -1, false});
  std::stop_source stop;
  Control control;
  control.stop = stop.get_token();
  CHECK_THROWS_AS(solve(dirac, hashSource(field.lattice(), 1), {}, control,
                        [&](int iteration, double) {
                          if (iteration == 3) stop.request_stop();
                        }),
                  Canceled);
}

TEST_CASE("The free pion correlator is the known one") {
  const Lattice lattice({4, 4, 4, 8});
  const GaugeField field(lattice);
  const ApplyDirac dirac = test::referenceOperator(field, {0.11, -1, false});
  SolverOptions options;
  options.tolerance = 1e-13;
  std::vector<double> correlator;
  for (int k = 0; k < kSpinorElements; ++k)
    addToPionCorrelator(lattice, solve(dirac, pointSource(lattice, 0, k / kSpins, k % kSpins), options, {}).solution, 0,
                        correlator);
  const std::array<double, 5> known{14.375349357663, .77604657133790, .17341591811124, .069104941616893,
                                    .047555928050247};
  for (std::size_t t = 0; t < known.size(); ++t) CHECK(correlator[t] == Approx(known[t]).epsilon(1e-11));
  for (std::size_t t = 1; t < 4; ++t) CHECK(correlator[8 - t] == Approx(correlator[t]).epsilon(1e-11));
}

}  // namespace sscope::lattice
