#include "core/lattice/job/solve_run.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/base/words.h"
#include "core/engine/run_report.h"
#include "core/lattice/correlator.h"
#include "core/lattice/job/lattice_solver.h"
#include "core/lattice/observables.h"
#include "core/lattice/solver.h"
#include "core/lattice/vector_space.h"
#include "core/measure/kernel_trace.h"

namespace sscope {

namespace {

// A timeline of a solver on the host: the operator's applications as reported by the engine, and the host's work
// between them.
class HostTrace {
 public:
  // The operator, with every application or hop recorded. `report` is that of the last application. Both arguments and
  // this object must outlive the result.
  [[nodiscard]] lattice::WilsonSystem watch(lattice::WilsonSystem system, const RunReport& report);
  // The iteration of the following spans.
  void setIteration(int iteration) { iteration_ = iteration; }
  // Records host work from the end of the last span until now.
  void bookHost();
  // Ignores the time since the last span, which the solver did not use.
  void skip() { last_ = watch_.seconds(); }
  [[nodiscard]] KernelTrace take() { return std::move(trace_); }
  // Whether spans were dropped because there were too many.
  [[nodiscard]] bool full() const { return full_; }

 private:
  // Records the host's work until now, and then `work`.
  template <class Work>
  void bookEngine(const char* kernel, const RunReport& report, const Work& work);
  void book(const char* kernel, double start, double end);

  Stopwatch watch_;
  KernelTrace trace_;
  double last_ = 0;  // where the last span ended
  int iteration_ = 0;
  bool full_ = false;
};

constexpr std::size_t kMostSpans = 200'000;

void HostTrace::book(const char* kernel, double start, double end) {
  if (trace_.spans.size() >= kMostSpans) {
    full_ = true;
    return;
  }
  trace_.spans.push_back({kernel, start, end, iteration_});
}

void HostTrace::bookHost() {
  const double now = watch_.seconds();
  book("vectors (host)", last_, now);
  last_ = now;
}

template <class Work>
void HostTrace::bookEngine(const char* kernel, const RunReport& report, const Work& work) {
  bookHost();
  const double start = last_;
  work();
  last_ = watch_.seconds();
  // The report has durations only: the upload is first, the download last, the kernel directly before it.
  const Phases& phases = report.phases;
  if (phases.upload <= 0 && phases.download <= 0) {
    book(kernel, start, last_);
    return;
  }
  const double uploaded = std::min(start + phases.upload, last_);
  const double computed = std::max(uploaded, last_ - phases.download);
  const double began = std::max(uploaded, computed - phases.kernel);
  book("upload", start, uploaded);
  if (began > uploaded) book("driver", uploaded, began);
  book(kernel, began, computed);
  book("download", computed, last_);
}

lattice::WilsonSystem HostTrace::watch(lattice::WilsonSystem system, const RunReport& report) {
  using lattice::SpinorField;
  system.dirac = [this, dirac = std::move(system.dirac), &report](bool adjoint, const SpinorField& in, SpinorField& out,
                                                                  const Control& control) {
    bookEngine(adjoint ? "adjoint operator" : "operator", report, [&] { dirac(adjoint, in, out, control); });
  };
  if (system.hops)
    system.hops = [this, hop = std::move(system.hops), &report](const lattice::Hops& hops, const SpinorField& in,
                                                                SpinorField& out, const Control& control) {
      bookEngine(hops.parity == 0 ? "hops to even sites" : "hops to odd sites", report,
                 [&] { hop(hops, in, out, control); });
    };
  return system;
}

}  // namespace

using namespace lattice;

namespace {

constexpr int kTracedIterations = 32;
constexpr std::size_t kMostReferenceBytes = std::size_t{1} << 30;

std::int64_t siteOf(const Lattice& lattice, const SolveSource& source) {
  for (int mu = 0; mu < kDirections; ++mu) {
    const int at = source.site[static_cast<std::size_t>(mu)];
    if (at < 0 || at >= lattice.extent(mu))
      throw Error(ErrorKind::Usage, "the source is outside the lattice of " + lattice.text() + " sites",
                  "give coordinates from 0 to the extents minus 1");
  }
  return lattice.site(source.site);
}

SpinorField sourceOf(const Lattice& lattice, const SolveJob& job, int system) {
  const SolveSource& source = job.source;
  if (job.propagator) return pointSource(lattice, siteOf(lattice, source), system / kSpins, system % kSpins);
  if (!source.point) return hashSource(lattice, source.seed);
  if (source.color < 0 || source.color >= kColors || source.spin < 0 || source.spin >= kSpins)
    throw Error(ErrorKind::Usage, "there is no such color and spin", "give a color of 0 to 2 and a spin of 0 to 3");
  return pointSource(lattice, siteOf(lattice, source), source.color, source.spin);
}

void addDensities(const Lattice& lattice, const SpinorField& psi, std::vector<double>& sum) {
  const std::vector<double> more = densities(lattice, psi);
  sum.resize(more.size());
  for (std::size_t k = 0; k < more.size(); ++k) sum[k] += more[k];
}

// One place's systems, solved one after the other.
class Systems {
 public:
  Systems(const SolveJob& job, LatticeSolver& solver, SolveReference& reference, const Control& control,
          const SolveWatch& watch, SolveRun& run)
      : job_(job),
        lattice_(job.field->lattice()),
        solver_(solver),
        reference_(reference),
        control_(control),
        watch_(watch),
        run_(run),
        comparing_(!reference.solutions.empty()) {}

  void solveAll() {
    const WilsonSystem system = trace_.watch(solver_.system(), solver_.dirac().report());
    auto seen = std::make_shared<SolveDensities>();
    seen->lattice = lattice_;
    const int systems = job_.propagator ? kSpinorElements : 1;
    run_.converged = true;
    for (int number = 0; number < systems && run_.converged; ++number) {
      const SpinorField source = sourceOf(lattice_, job_, number);
      SolverResult result = solveOne(system, source, number);
      addDensities(lattice_, source, seen->source);
      addDensities(lattice_, result.solution, seen->solution);
      addDensities(lattice_, residualOf(source, result.solution), seen->residual);
      if (job_.propagator) addToPionCorrelator(lattice_, result.solution, job_.source.site[3], run_.correlator);
      compare(std::move(result.solution), number);
      control_.check();
    }
    if (!run_.converged) run_.correlator.clear();
    // A resident solver cannot be watched from here: see traceAgain().
    if (!solver_.resident()) run_.trace = trace_.take();
    if (trace_.full()) run_.traceNote = "only the beginning is traced";
    run_.densities = std::move(seen);
  }

 private:
  SolverResult solveOne(const WilsonSystem& system, const SpinorField& source, int number) {
    const int before = run_.iterations;
    book({number, 0, 1});
    trace_.skip();
    trace_.setIteration(before + 1);
    const OnIteration onIteration = [this, before, number](int iteration, double residual) {
      trace_.bookHost();
      trace_.setIteration(before + iteration + 1);
      book({number, iteration, residual});
    };
    SolverResult result = solver_.resident() ? solver_.solve(source, control_, onIteration)
                                             : solve(system, source, job_.solver, control_, onIteration);
    trace_.bookHost();
    if (!solver_.resident()) solver_.recheck(source, control_, result);
    run_.systems = number + 1;
    run_.solver = result.solver;
    run_.preconditioner = result.preconditioner;
    run_.preconditionerNote = result.preconditionerNote;
    run_.iterations += result.iterations;
    run_.solveSeconds += result.seconds;
    run_.trueResidual = std::max(run_.trueResidual, result.trueResidual);
    run_.converged = result.converged;
    if (!result.converged) run_.failure = result.failure + "; the best solution that it found is shown";
    return result;
  }

  void book(const SolvePoint& point) {
    run_.points.push_back(point);
    if (watch_.point) watch_.point(point);
  }

  SpinorField residualOf(const SpinorField& source, const SpinorField& solution) {
    SpinorField residual(source.size());
    solver_.truth()(false, solution, residual, control_);
    scaleAdd(source, -1, residual, control_);
    return residual;
  }

  // A solution that did not converge is no reference for others.
  void compare(SpinorField solution, int system) {
    const auto index = static_cast<std::size_t>(system);
    if (!comparing_) {
      const std::size_t bytes = (index + 1) * solution.size() * sizeof(Complex);
      if (run_.converged && reference_.wanted && bytes <= kMostReferenceBytes)
        reference_.solutions.push_back(std::move(solution));
      return;
    }
    if (index >= reference_.solutions.size()) return;
    const SpinorField& other = reference_.solutions[index];
    const double norm = std::sqrt(norm2(other, control_));
    addScaled(-1, other, solution, control_);
    const double difference = std::sqrt(norm2(solution, control_)) / norm;
    run_.difference = std::isnan(run_.difference) ? difference : std::max(run_.difference, difference);
  }

  const SolveJob& job_;
  const Lattice lattice_;
  LatticeSolver& solver_;
  SolveReference& reference_;
  const Control& control_;
  const SolveWatch& watch_;
  SolveRun& run_;
  const bool comparing_;
  HostTrace trace_;
};

// A resident solver is slower while its kernels are timed, so they are timed in a second, short run.
void traceAgain(Engine& engine, const VariantTable& variants, const SolvePlace& place, const SolveJob& job,
                const PrepareOptions& options, const Control& control, SolveRun& run) {
  SolverOptions shorter = job.solver;
  shorter.maxIterations = std::min(run.points.empty() ? 1 : run.iterations, kTracedIterations);
  try {
    LatticeSolver solver(engine, variants, place.variant, job.field, job.wilson, shorter, options, control);
    static_cast<void>(solver.solve(sourceOf(job.field->lattice(), job, 0), control, {}, &run.trace));
  } catch (const Canceled&) {
    throw;
  } catch (const std::exception& error) {  // the solution is complete
    run.traceNote = wordsOf(error);
    return;
  }
  run.traceNote = "of a second run of up to " + std::to_string(shorter.maxIterations) +
                  " iterations, which timing its kernels makes slower";
}

void solveIn(Engine& engine, const VariantTable& variants, const SolvePlace& place, const SolveJob& job,
             SolveReference& reference, const Control& control, const SolveWatch& watch, SolveRun& run) {
  const auto reportStep = [&](std::string_view step) {
    if (watch.step) watch.step(step);
  };
  reportStep("preparing");
  PrepareOptions options;
  options.threads = job.threads;
  const Stopwatch setup;
  auto solver = std::make_unique<LatticeSolver>(engine, variants, place.variant, job.field, job.wilson, job.solver,
                                                options, control);
  DiracOperator& dirac = solver->dirac();
  run.setupSeconds = setup.seconds();
  reportStep("checking");
  run.check = dirac.verified(control);
  run.engine = dirac.report().engine;
  run.variant = dirac.report().variant;
  run.threads = dirac.report().threads;
  if (!run.check.verified)
    throw Error(ErrorKind::Device, place.engine + " does not agree with the formula: " + run.check.failure,
                "choose another engine or variant");
  // The adjoint is prepared on first use; that time belongs to the setup.
  if (job.solver.solver == Solver::Cgnr && !usesEvenOdd(solver->system(), job.solver)) {
    const Stopwatch adjoint;
    SpinorField in = zeroSpinor(job.field->lattice()), out(in.size());
    dirac.apply()(true, in, out, control);
    run.setupSeconds += adjoint.seconds();
  }
  reportStep("solving");
  Systems(job, *solver, reference, control, watch, run).solveAll();
  run.resident = solver->resident();
  if (!run.resident) return;
  run.traceNote = "the second, short run that times the kernels did not end";
  if (watch.untraced) watch.untraced(run);
  reportStep("tracing");
  solver.reset();  // its memory may be needed
  traceAgain(engine, variants, place, job, options, control, run);
}

}  // namespace

SolveRun solveOn(const EngineSet& engines, const VariantTable& variants, const SolvePlace& place, const SolveJob& job,
                 SolveReference& reference, const std::stop_token& stop, const SolveWatch& watch) {
  static_cast<void>(siteOf(job.field->lattice(), job.source));
  SolveRun run;
  run.engine = place.engine;
  run.variant = place.variant;
  const Control control{stop, {}};
  try {
    solveIn(engines.at(place.engine), variants, place, job, reference, control, watch, run);
  } catch (const Canceled&) {
    throw;
  } catch (const std::bad_alloc&) {
    run.failure = "there is no memory to solve on " + job.field->lattice().text() + " sites; use a smaller lattice";
  } catch (const std::exception& error) {
    run.failure = wordsOf(error);
  }
  return run;
}

}  // namespace sscope
