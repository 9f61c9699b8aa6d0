#pragma once
// Wilson's operator inverted on one engine, with all that is told of it afterward: residuals, what took the time,
// |psi|^2 of what went in and came out, and the pion correlator.

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
  bool point = true;                             // else random numbers from the seed, everywhere
  std::array<int, lattice::kDirections> site{};  // x, y, z, t
  int color = 0, spin = 0;                       // of a point
  std::uint64_t seed = 0;
  bool operator==(const SolveSource&) const = default;
};

// The engine and how it applies the operator; an empty variant is the engine's first.
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

// After `iteration` iterations of a system, as the recursion has it.
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
  std::string engine, variant;  // what ran
  // Empty, or why there is no solution, or none that is good enough, as one sentence.
  std::string failure;
  Verification check;                              // one application of the operator against the formula
  lattice::Solver solver = lattice::Solver::Auto;  // what ran
  lattice::Preconditioner preconditioner = lattice::Preconditioner::None;
  std::string preconditionerNote;  // empty, or why even-odd was not possible, as half a sentence
  bool converged = false;
  int threads = 1, systems = 0, iterations = 0;  // of all systems
  std::vector<SolvePoint> points;                // of all systems, one after the other
  double trueResidual = 0;                       // |b - D x| / |b| computed anew, the worst of the systems
  double setupSeconds = 0;                       // compile, allocate, upload the links
  double solveSeconds = 0;                       // from the source to the solution and its true residual
  std::vector<double> correlator;                // of a propagator
  bool resident = false;                         // all of the solver ran on the engine, not the operator alone
  KernelTrace trace;                             // seconds from its own beginning
  std::string traceNote;                         // what the trace is of or leaves out, why there is none; may be empty
  std::shared_ptr<const SolveDensities> densities;
  // |x - x of the first engine| / |that|, the worst of the systems; NaN: there is nothing to compare with.
  double difference = std::numeric_limits<double>::quiet_NaN();
};

// Solutions kept to compare the following engines with: one a system, as far as 1 GiB reaches.
struct SolveReference {
  bool wanted = true;  // others follow
  std::vector<lattice::SpinorField> solutions;
};

// Called on the thread that solves; each may be empty.
struct SolveWatch {
  std::function<void(const SolvePoint&)> point;
  std::function<void(std::string_view)> step;  // what is done now
  // The run as solveOn() would return it, before the second run that times its kernels.
  std::function<void(const SolveRun&)> untraced;
};

// Does not throw for what the engine cannot do or what does not converge: see SolveRun::failure. The solutions
// are kept in `reference` where it holds none and they are wanted, and compared with it else. Throws Canceled,
// Error(Usage) for a source outside the lattice.
[[nodiscard]] SolveRun solveOn(const EngineSet& engines, const VariantTable& variants, const SolvePlace& place,
                               const SolveJob& job, SolveReference& reference, const std::stop_token& stop,
                               const SolveWatch& watch);

}  // namespace sscope
