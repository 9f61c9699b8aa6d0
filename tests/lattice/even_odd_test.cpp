// Even-odd preconditioning: the half operator against the whole one, and solvers on it.

#include <array>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/io/lattice/configuration_io.h"
#include "core/lattice/correlator.h"
#include "core/lattice/heat_bath.h"
#include "core/lattice/job/lattice_solver.h"
#include "core/lattice/vector_space.h"
#include "tests/lattice/lattice_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

namespace sscope::lattice {

namespace {

constexpr std::array kRobust{Solver::Auto, Solver::Gcr, Solver::BiCgStab, Solver::Cgnr};

SpinorField halfSource(const Lattice& lattice, std::uint64_t seed) {
  SpinorField half(static_cast<std::size_t>(lattice.volume()) * kSpinorElements / 2);
  hashFill(half, seed);
  return half;
}

SolverOptions optionsFor(Solver solver, Preconditioner preconditioner) {
  SolverOptions options;
  options.solver = solver;
  options.preconditioner = preconditioner;
  return options;
}

double distanceBetween(const SpinorField& a, const SpinorField& b) { return test::relativeDistance(a, b); }

// Solves on every engine of the processor.
struct Processor {
  EngineSet engines;
  VariantTable variants;
  Processor() {
    addCpuEngines(engines);
    addCpuVariants(variants);
  }
  // visit(engine, variant) for all that are there, but the extras of lower precision.
  template <class Visit>
  void forAll(const Visit& visit) {
    for (Engine* engine : engines.available())
      for (const Variant* row : variants.rows("dirac", engine->info().kind))
        if (row->belongsTo(engine->info()) && !row->lower) visit(*engine, row->name);
  }
};

std::vector<double> pionCorrelator(const WilsonSystem& system, double tolerance) {
  SolverOptions options;
  options.tolerance = tolerance;
  std::vector<double> correlator;
  for (int k = 0; k < kSpinorElements; ++k) {
    const SolverResult result = solve(system, pointSource(system.lattice, 0, k / kSpins, k % kSpins), options, {});
    CHECK(result.converged);
    CHECK(result.preconditioner == Preconditioner::EvenOdd);
    addToPionCorrelator(system.lattice, result.solution, 0, correlator);
  }
  return correlator;
}

}  // namespace

TEST_CASE("Half fields hold the sites of one parity in order") {
  const Lattice lattice({4, 2, 6, 2});
  const SpinorField whole = hashSource(lattice, 3);
  SpinorField again = zeroSpinor(lattice);
  for (const int parity : {0, 1}) {
    const SpinorField half = halfOf(lattice, parity, whole, {});
    REQUIRE(half.size() == whole.size() / 2);
    for (std::int64_t site = 0; site < lattice.volume(); ++site)
      if (lattice.parity(site) == parity)
        CHECK(half[static_cast<std::size_t>(site / 2 * kSpinorElements)] ==
              whole[static_cast<std::size_t>(site * kSpinorElements)]);
    putHalf(lattice, parity, half, again, {});
  }
  CHECK(again == whole);
}

TEST_CASE("Hops between parities are those of the formula on every level of the processor") {
  Processor processor;
  for (const Extents& extents : {Extents{4, 4, 4, 4}, Extents{4, 4, 4, 8}, Extents{6, 4, 2, 8}, Extents{2, 2, 2, 2}})
    for (const int boundary : {-1, 1}) {
      const Lattice lattice(extents);
      const auto field = std::make_shared<const GaugeField>(hotStart(lattice, 7));
      const WilsonParameters parameters{0.13, boundary, false};
      const WilsonSystem truth = test::referenceSystem(*field, parameters);
      const SpinorField in = halfSource(lattice, 1), center = halfSource(lattice, 2);
      processor.forAll([&](Engine& engine, const std::string& variant) {
        INFO(lattice.text() << ' ' << boundary << ' ' << engine.info().id << ' ' << variant);
        DiracOperator dirac(engine, processor.variants, variant, field, parameters, {}, {});
        const WilsonSystem system = dirac.system();
        REQUIRE(system.hops);
        CHECK(system.lattice == lattice);
        for (const int parity : {0, 1})
          for (const int sign : {-1, 1})
            for (const bool adjoint : {false, true})
              for (const SpinorField* middle : {static_cast<const SpinorField*>(nullptr), &center}) {
                const Hops hops{parity, sign, adjoint, middle};
                SpinorField expected(in.size()), found(in.size(), std::numeric_limits<double>::quiet_NaN());
                truth.hops(hops, in, expected, {});
                system.hops(hops, in, found, {});
                CHECK(distanceBetween(found, expected) < 1e-14);
              }
        CHECK(dirac.applications() == 8);
      });
    }
}

TEST_CASE("The half operator is what elimination of the odd sites leaves of the whole one") {
  Processor processor;
  for (const Extents& extents : {Extents{4, 4, 4, 4}, Extents{4, 4, 4, 8}, Extents{6, 4, 2, 8}, Extents{2, 2, 2, 2}})
    for (const int boundary : {-1, 1})
      for (const bool adjoint : {false, true}) {
        const Lattice lattice(extents);
        const auto field = std::make_shared<const GaugeField>(hotStart(lattice, 8));
        const WilsonParameters parameters{0.13, boundary, false};
        const ApplyDirac whole = test::referenceOperator(*field, parameters);
        // D (x_e, kappa H x_e) is (S x_e, 0).
        const SpinorField even = halfSource(lattice, 4);
        SpinorField psi = zeroSpinor(lattice), image(psi.size());
        putHalf(lattice, 0, even, psi, {});
        whole(adjoint, psi, image, {});
        SpinorField odd = halfOf(lattice, 1, image, {});
        for (Complex& value : odd) value = -value;
        putHalf(lattice, 1, odd, psi, {});
        whole(adjoint, psi, image, {});
        CHECK(norm2(halfOf(lattice, 1, image, {}), {}) < 1e-28 * norm2(image, {}));
        const SpinorField expected = halfOf(lattice, 0, image, {});
        processor.forAll([&](Engine& engine, const std::string& variant) {
          INFO(lattice.text() << ' ' << boundary << ' ' << adjoint << ' ' << engine.info().id << ' ' << variant);
          DiracOperator dirac(engine, processor.variants, variant, field, parameters, {}, {});
          const WilsonSystem system = dirac.system();
          EvenOdd evenOdd(lattice, system.hops);
          SpinorField found(even.size());
          evenOdd.apply(adjoint, even, found, {});
          CHECK(distanceBetween(found, expected) < 1e-14);
        });
      }
}

TEST_CASE("Hops refuse fields that are not halves of their lattice") {
  Processor processor;
  const auto field = std::make_shared<const GaugeField>(hotStart(Lattice({4, 4, 4, 4}), 1));
  DiracOperator dirac(processor.engines.at("cpu:scalar"), processor.variants, "", field, {}, {}, {});
  const WilsonSystem system = dirac.system();
  const SpinorField half = halfSource(field->lattice(), 1), whole = zeroSpinor(field->lattice());
  SpinorField out(half.size()), wholeOut(whole.size());
  CHECK_THROWS_AS(system.hops({}, whole, wholeOut, {}), Error);
  CHECK_THROWS_AS(system.hops({}, half, wholeOut, {}), Error);
  CHECK_THROWS_AS(system.hops({0, 1, false, &whole}, half, out, {}), Error);
}

TEST_CASE("Preconditioned solvers find the same solution in fewer iterations") {
  const GaugeField field = test::smoothField(Lattice({4, 4, 4, 8}));
  const Lattice& lattice = field.lattice();
  const WilsonSystem system = test::referenceSystem(field, {0.13, -1, false});
  for (const Solver solver : kRobust)
    for (const SpinorField& source :
         {hashSource(lattice, 4), pointSource(lattice, 0, 0, 0), pointSource(lattice, 1, 2, 3)}) {
      INFO(toString(solver));
      const SolverResult plain = solve(system, source, optionsFor(solver, Preconditioner::None), {});
      int calls = 0;
      const SolverResult halved =
          solve(system, source, optionsFor(solver, Preconditioner::Auto), {}, [&](int iteration, double residual) {
            CHECK(iteration == ++calls);
            CHECK(std::isfinite(residual));
          });
      CHECK(plain.preconditioner == Preconditioner::None);
      CHECK(plain.preconditionerNote.empty());
      CHECK(halved.preconditioner == Preconditioner::EvenOdd);
      CHECK(halved.preconditionerNote.empty());
      CHECK(plain.converged);
      CHECK(halved.converged);
      CHECK(halved.failure.empty());
      CHECK(halved.solver == plain.solver);
      CHECK(halved.iterations == calls);
      CHECK(halved.iterations < 0.75 * plain.iterations);
      CHECK(halved.residuals.size() == static_cast<std::size_t>(calls) + 1);
      CHECK(halved.residuals.front() == 1);
      CHECK(halved.trueResidual <= 1e-10);
      // What the half system's recursion says is the residual of the whole.
      CHECK(halved.trueResidual == Approx(halved.residuals.back()).epsilon(1e-3));
      CHECK(distanceBetween(halved.solution, plain.solution) < 1e-8);
      SpinorField image(source.size());
      system.dirac(false, halved.solution, image, {});
      CHECK(distanceBetween(image, source) == Approx(halved.trueResidual).epsilon(1e-6));
    }
}

TEST_CASE("Where an extent is odd solvers go on without preconditioner and say so") {
  for (const Extents& extents : {Extents{3, 4, 4, 4}, Extents{4, 4, 4, 5}, Extents{1, 2, 3, 4}}) {
    const GaugeField field = test::smoothField(Lattice(extents));
    const WilsonSystem system = test::referenceSystem(field, {0.12, -1, false});
    const SpinorField source = hashSource(field.lattice(), 4);
    for (const Preconditioner wanted : {Preconditioner::Auto, Preconditioner::EvenOdd}) {
      const SolverResult result = solve(system, source, optionsFor(Solver::Auto, wanted), {});
      CHECK(result.converged);
      CHECK(result.trueResidual < 2e-10);
      CHECK(result.preconditioner == Preconditioner::None);
      CHECK(result.preconditionerNote.find(field.lattice().text()) != std::string::npos);
    }
    CHECK(solve(system, source, optionsFor(Solver::Auto, Preconditioner::None), {}).preconditionerNote.empty());
  }
}

TEST_CASE("The solver of the ladder is never preconditioned, nor is an operator without hops") {
  const GaugeField field = test::smoothField(Lattice({2, 4, 2, 4}));
  const WilsonSystem system = test::referenceSystem(field, {0.12, -1, false});
  const SpinorField source = hashSource(field.lattice(), 4);
  const SolverResult ladder = solve(system, source, optionsFor(Solver::Cr, Preconditioner::Auto), {});
  CHECK(ladder.converged);
  CHECK(ladder.preconditioner == Preconditioner::None);
  CHECK(ladder.preconditionerNote.empty());
  CHECK_THROWS_AS(solve(system, source, optionsFor(Solver::Cr, Preconditioner::EvenOdd), {}), Error);
  const SolverResult without = solve(system.dirac, source, optionsFor(Solver::Gcr, Preconditioner::EvenOdd), {});
  CHECK(without.converged);
  CHECK(without.preconditioner == Preconditioner::None);
  CHECK_FALSE(without.preconditionerNote.empty());
  for (const Preconditioner one : {Preconditioner::Auto, Preconditioner::None, Preconditioner::EvenOdd})
    CHECK(preconditionerNamed(toString(one)) == one);
  CHECK_THROWS_AS(preconditionerNamed("ilu"), Error);
}

TEST_CASE("What does not converge or breaks down keeps its best iterate, preconditioned too") {
  const GaugeField field = test::smoothField(Lattice({4, 4, 4, 4}));
  const WilsonSystem system = test::referenceSystem(field, {0.13, -1, false});
  const SpinorField source = hashSource(field.lattice(), 4);
  // kappa = 1/8 on unit links with periodic time: constant spinors are mapped to zero, also by the half operator.
  const GaugeField unit(Lattice({2, 2, 2, 2}));
  const WilsonSystem singular = test::referenceSystem(unit, {0.125, 1, false});
  const SpinorField constant(static_cast<std::size_t>(unit.lattice().volume()) * kSpinorElements, Complex(1));
  for (const Solver solver : kRobust) {
    INFO(toString(solver));
    SolverOptions options = optionsFor(solver, Preconditioner::EvenOdd);
    options.maxIterations = 5;
    const SolverResult stopped = solve(system, source, options, {});
    CHECK_FALSE(stopped.converged);
    CHECK(stopped.failure.find("5 iterations") != std::string::npos);
    CHECK(stopped.preconditioner == Preconditioner::EvenOdd);
    CHECK(stopped.trueResidual < 1);
    CHECK(stopped.trueResidual > 1e-10);
    CHECK(stopped.trueResidual <= 1.001 * *std::min_element(stopped.residuals.begin(), stopped.residuals.end()));
    CHECK(stopped.solution.size() == source.size());
    options.maxIterations = 50;
    const SolverResult broken = solve(singular, constant, options, {});
    CHECK_FALSE(broken.converged);
    CHECK_FALSE(broken.failure.empty());
    CHECK(broken.solution.size() == constant.size());
    for (const Complex& value : broken.solution) CHECK(std::isfinite(std::abs(value)));
  }
}

TEST_CASE("A preconditioned solve never keeps an iterate that is worse than none") {
  const GaugeField field = test::smoothField(Lattice({4, 4, 4, 4}));
  const SpinorField source = hashSource(field.lattice(), 4);
  // Far beyond the critical value x_e = 0 has a residual above that of x = 0.
  for (const double kappa : {0.5, 1.0}) {
    const WilsonSystem system = test::referenceSystem(field, {kappa, -1, false});
    for (const Solver solver : kRobust) {
      INFO(toString(solver) << ", kappa " << kappa);
      SolverOptions options = optionsFor(solver, Preconditioner::EvenOdd);
      options.maxIterations = 3;
      const SolverResult result = solve(system, source, options, {});
      CHECK_FALSE(result.converged);
      CHECK(result.trueResidual <= 1);
      SpinorField image(source.size());
      system.dirac(false, result.solution, image, {});
      double residual = 0, norm = 0;
      for (std::size_t i = 0; i < source.size(); ++i) {
        residual += std::norm(source[i] - image[i]);
        norm += std::norm(source[i]);
      }
      CHECK(std::sqrt(residual / norm) == Approx(result.trueResidual));
    }
  }
}

TEST_CASE("What the recursion lost is found by beginning anew") {
  const GaugeField field = test::smoothField(Lattice({4, 4, 4, 4}));
  const WilsonSystem exact = test::referenceSystem(field, {0.13, -1, false});
  const SpinorField source = hashSource(field.lattice(), 4);
  for (const Solver solver : {Solver::Gcr, Solver::BiCgStab, Solver::Cgnr})
    for (const Preconditioner preconditioner : {Preconditioner::None, Preconditioner::EvenOdd}) {
      INFO(toString(solver) << ' ' << toString(preconditioner));
      // The first iterations' applications (not what makes the half source) are wrong in the eighth digit, as if in
      // float32.
      WilsonSystem rounded = exact;
      int calls = 0;
      const auto spoil = [&calls](SpinorField& out) {
        if (++calls > 1 && calls <= 10)
          for (Complex& value : out) value = test::inFloat32(value);
      };
      rounded.dirac = [&](bool adjoint, const SpinorField& in, SpinorField& out, const Control& control) {
        exact.dirac(adjoint, in, out, control);
        spoil(out);
      };
      rounded.hops = [&](const Hops& hops, const SpinorField& in, SpinorField& out, const Control& control) {
        exact.hops(hops, in, out, control);
        spoil(out);
      };
      const SolverResult result = solve(rounded, source, optionsFor(solver, preconditioner), {});
      CHECK(calls > 10);
      CHECK(result.converged);
      CHECK(result.trueResidual <= 1e-10);
      // The restart shows: the residual rises once by more than a method's own ups and downs.
      double rise = 0;
      for (std::size_t k = 1; k < result.residuals.size(); ++k)
        rise = std::max(rise, result.residuals[k] / result.residuals[k - 1]);
      CHECK(rise > 1.5);
    }
}

TEST_CASE("A source that the odd sites solve alone needs no iteration") {
  const GaugeField field = test::smoothField(Lattice({4, 2, 2, 4}));
  const WilsonSystem system = test::referenceSystem(field, {0, -1, false});  // D is 1
  const SpinorField source = pointSource(field.lattice(), 1, 1, 2);
  for (const Solver solver : kRobust) {
    const SolverResult result = solve(system, source, optionsFor(solver, Preconditioner::EvenOdd), {});
    CHECK(result.converged);
    CHECK(result.iterations == 0);
    CHECK(result.solution == source);
    CHECK(result.trueResidual == 0);
  }
}

TEST_CASE("A preconditioned solve hears a stop") {
  const GaugeField field = test::smoothField(Lattice({4, 4, 4, 4}));
  const WilsonSystem system = test::referenceSystem(field, {0.12, -1, false});
  for (const Solver solver : kRobust) {
    std::stop_source stop;
    const Control control{stop.get_token(), {}};
    CHECK_THROWS_AS(solve(system, hashSource(field.lattice(), 1), optionsFor(solver, Preconditioner::EvenOdd), control,
                          [&](int iteration, double) {
                            if (iteration == 3) stop.request_stop();
                          }),
                    Canceled);
  }
}

TEST_CASE("Correlators are the known ones, preconditioned on every level of the processor") {
  Processor processor;
  const auto unit = std::make_shared<const GaugeField>(Lattice({4, 4, 4, 8}));
  const std::array<double, 5> known{14.375349357663, .77604657133790, .17341591811124, .069104941616893,
                                    .047555928050247};
  processor.forAll([&](Engine& engine, const std::string& variant) {
    INFO(engine.info().id << ' ' << variant);
    DiracOperator dirac(engine, processor.variants, variant, unit, {0.11, -1, false}, {}, {});
    const std::vector<double> correlator = pionCorrelator(dirac.system(), 1e-13);
    for (std::size_t t = 0; t < known.size(); ++t) CHECK(correlator[t] == Approx(known[t]).epsilon(1e-11));
  });
}

TEST_CASE("The pion correlator of the real configuration is the known one, preconditioned") {
  const auto data = test::sharedData();
  if (!data || !std::filesystem::exists(*data / "lattice")) SSCOPE_SKIP("no real configurations beside the checkout");
  const auto field = std::make_shared<const GaugeField>(
      makeConfigurationIo()->read(*data / "lattice" / "atb_nersc.l8t4b3360", {}, {}).field);
  Processor processor;
  const std::array<double, 4> known{14.43822671944, .6258195341392, .1046451731866, .6149939826297};
  for (const char* engine : {"cpu:scalar", processor.engines.preferred().info().id.c_str()}) {
    INFO(engine);
    DiracOperator dirac(processor.engines.at(engine), processor.variants, "", field, {0.12, -1, false}, {}, {});
    const std::vector<double> correlator = pionCorrelator(dirac.system(), 1e-12);
    for (std::size_t t = 0; t < known.size(); ++t) CHECK(correlator[t] == Approx(known[t]).epsilon(1e-10));
  }
}

TEST_CASE("A solver on an engine says how it was preconditioned, and counts its applications") {
  Processor processor;
  const auto field = std::make_shared<const GaugeField>(test::smoothField(Lattice({4, 4, 4, 4})));
  const SpinorField source = hashSource(field->lattice(), 2);
  processor.forAll([&](Engine& engine, const std::string& variant) {
    INFO(engine.info().id << ' ' << variant);
    LatticeSolver solver(engine, processor.variants, variant, field, {0.12, -1, false},
                         optionsFor(Solver::Gcr, Preconditioner::Auto), {}, {});
    const SolverResult result = solver.solve(source, {});
    CHECK(result.converged);
    CHECK(result.preconditioner == Preconditioner::EvenOdd);
    // One an iteration, half of one before and after, and one for the true residual.
    CHECK(solver.applications() == result.iterations + 2);
  });
  // Their fields are converted for each application, all sites at a time.
  SolverOptions rough = optionsFor(Solver::Gcr, Preconditioner::EvenOdd);
  rough.tolerance = 1e-5;
  LatticeSolver solver(processor.engines.preferred(), processor.variants, "tuned-f32", field, {0.12, -1, false}, rough,
                       {}, {});
  const SolverResult result = solver.solve(source, {});
  CHECK(result.converged);
  CHECK(result.preconditioner == Preconditioner::None);
  CHECK(result.preconditionerNote.find("tuned-f32") != std::string::npos);
}

}  // namespace sscope::lattice
