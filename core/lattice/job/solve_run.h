#pragma once
// A solve with Wilson's operator on one engine, and its results: residuals, times, |psi|^2 of source and solution, and
// the pion correlator.

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/lattice/solver.h"
#include "core/lattice/wilson.h"
#include "core/measure/kernel_trace.h"
#include "core/measure/verify.h"

namespace sscope {

struct SolveSource {
  bool point = true;                             // else random numbers from the seed at all sites
  std::array<int, lattice::kDirections> site{};  // x, y, z, t
  int color = 0, spin = 0;                       // of a point
  std::uint64_t seed = 0;
  bool operator==(const SolveSource&) const = default;
};

// The engine and the operator's variant; an empty variant means the engine's first.
struct SolvePlace {
  std::string engine, variant;
  bool operator==(const SolvePlace&) const = default;
};

struct SolveJob {
  std::shared_ptr<const lattice::GaugeField> field;
  lattice::WilsonParameters wilson;
  SolveSource source;
  lattice::SolverOptions solver;
  // All twelve colors and spins of the point source, and the pion correlator.
  bool propagator = false;
  int threads = 0;  // of CPU engines, 0 for all
};

// The recursion's residual after `iteration` iterations of a system.
struct SolvePoint {
  int system = 0, iteration = 0;
  double residual = 1;  // |r| / |b|
};

// Values at sites.
struct SolveDensities {
  lattice::Lattice lattice;
  std::vector<double> source, solution, residual;  // |psi|^2, summed over the systems
};

struct SolveRun {
  std::string engine, variant;  // that actually ran
  // Empty, or one sentence on why there is no sufficiently accurate solution.
  std::string failure;
  Verification check;                              // one application of the operator against the formula
  lattice::Solver solver = lattice::Solver::Auto;  // what ran
  lattice::Preconditioner preconditioner = lattice::Preconditioner::None;
  std::string preconditionerNote;  // empty, or why even-odd was not possible, as half a sentence
  bool converged = false;
  int threads = 1, systems = 0, iterations = 0;  // of all systems
  std::vector<SolvePoint> points;                // of all systems, one after the other
  double trueResidual = 0;                       // |b - D x| / |b| recomputed; the worst of the systems
  double setupSeconds = 0;                       // compile, allocate, upload the links
  double solveSeconds = 0;                       // from the source to the solution and its true residual
  std::vector<double> correlator;                // of a propagator, else empty
  bool resident = false;                         // the whole solver ran on the engine, not only the operator
  KernelTrace trace;                             // seconds since its own start
  std::string traceNote;                         // what the trace covers or omits, or why there is none; may be empty
  std::shared_ptr<const SolveDensities> densities;
  // |x - x1| / |x1| with x1 the solution of the first engine, the worst of the systems; NaN: no solution to compare
  // with.
  double difference = std::numeric_limits<double>::quiet_NaN();
};

// Solutions for comparison with later engines: one per system, at most 1 GiB in total.
struct SolveReference {
  bool wanted = true;  // later engines will be compared
  std::vector<lattice::SpinorField> solutions;
};

// Called on the thread that solves; each may be empty.
struct SolveWatch {
  std::function<void(const SolvePoint&)> point;
  std::function<void(std::string_view)> step;  // the current step
  // Called with the run that solveOn() will return, before the second run that times its kernels.
  std::function<void(const SolveRun&)> untraced;
};

// Does not throw if the engine cannot run the solver or it does not converge: see SolveRun::failure. The solutions are
// stored in `reference` if it is empty and wanted, else compared with it. Throws Canceled, Error(Usage) for a source
// outside the lattice.
[[nodiscard]] SolveRun solveOn(const EngineSet& engines, const VariantTable& variants, const SolvePlace& place,
                               const SolveJob& job, SolveReference& reference, const std::stop_token& stop,
                               const SolveWatch& watch);

}  // namespace sscope
