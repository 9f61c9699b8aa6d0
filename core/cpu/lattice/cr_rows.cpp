#include "core/cpu/lattice/cr_rows.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/cpu/cpu_engine.h"
#include "core/cpu/lattice/cr_loops.h"
#include "core/cpu/lattice/dirac_kernels.h"
#include "core/cpu/step_plan.h"
#include "core/engine/cr_plan.h"
#include "core/engine/plan_arrays.h"
#include "core/workload/cr_workload.h"

namespace sscope::cpu {

namespace {

using lattice::kSpinorElements;

constexpr const char* kPaper = "A. Cassagne et al., Portage d'un code de lattice QCD sur GPU (2013), algorithm 1";
// Sums are added up piece by piece, so that they do not depend on the number of threads.
constexpr std::int64_t kRowsPerPiece = 32;

struct Sweeps {
  DiracRows dirac = nullptr;
  bool fused = false;
};

// One run: the fields, the loops over all sites, and their times.
class Run {
 public:
  Run(DiracJob job, double twist, Sweeps sweeps, int threads, tbb::task_arena& arena, const CrRequest& request,
      const Control& control)
      : job_(job),
        twist_(twist),
        sweeps_(sweeps),
        threads_(threads),
        arena_(arena),
        request_(request),
        control_(control),
        rows_(job.lattice.volume() / job.lattice.extent(0)),
        pieces_((rows_ + kRowsPerPiece - 1) / kRowsPerPiece),
        sums_(static_cast<std::size_t>(pieces_)),
        r_(static_cast<std::size_t>(job.lattice.volume() * kSpinorComponents)),
        p_(r_.size()),
        ap_(r_.size()),
        ar_(r_.size()) {}

  // From the source to the solution; both dense.
  CrOutcome run(const double* source, double* x);

 private:
  // body(rows of a piece, elements of a piece) gives what is added up. Each thread walks its own part in order.
  template <class Body>
  Complex sweep(const char* name, Body&& body);
  template <class Body>
  void each(const char* name, Body&& body) {
    static_cast<void>(sweep(name, [&](ElementRange, ElementRange elements) {
      body(elements);
      return Complex(0);
    }));
  }
  void start(const double* source, double* x);
  // out <- A in; gives (r|out).
  Complex apply(const std::vector<double>& in, std::vector<double>& out);
  // Books the residual; true when it is the last.
  bool over(double rr, CrOutcome& outcome);
  bool plainIteration(double* x, CrOutcome& outcome);
  bool fusedIteration(double* x, CrOutcome& outcome);
  bool end(CrOutcome& outcome, CrEnd why) {
    outcome.end = why;
    return true;
  }
  // Of the product before the residual was updated.
  [[nodiscard]] static bool vanished(Complex rar, double rr) { return std::abs(rar) <= kCrBreakdown * rr; }

  DiracJob job_;
  double twist_;
  Sweeps sweeps_;
  int threads_;
  tbb::task_arena& arena_;
  const CrRequest& request_;
  const Control& control_;
  std::int64_t rows_, pieces_;
  std::vector<Complex> sums_;
  std::vector<double> r_, p_, ap_, ar_;
  Stopwatch clock_;
  double bb_ = 0, apap_ = 0;
  Complex rar_;
};

template <class Body>
Complex Run::sweep(const char* name, Body&& body) {
  const double start = clock_.seconds();
  const std::int64_t perRow = job_.lattice.extent(0) * std::int64_t{kSpinorElements};
  arena_.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::int64_t>(0, threads_, 1),
        [&](const tbb::blocked_range<std::int64_t>& range) {
          for (std::int64_t part = range.begin(); part != range.end(); ++part)
            for (std::int64_t piece = pieces_ * part / threads_; piece < pieces_ * (part + 1) / threads_; ++piece) {
              control_.check();
              const std::int64_t begin = piece * kRowsPerPiece, last = std::min(rows_, begin + kRowsPerPiece);
              sums_[static_cast<std::size_t>(piece)] =
                  body(ElementRange{begin, last}, ElementRange{begin * perRow, last * perRow});
            }
        },
        tbb::simple_partitioner());
  });
  const Complex total = std::accumulate(sums_.begin(), sums_.end(), Complex(0));
  if (request_.trace != nullptr) request_.trace->spans.push_back({name, start, clock_.seconds(), 0});
  return total;
}

void Run::start(const double* source, double* x) {
  each("start", [&](ElementRange range) {
    for (std::int64_t k = range.begin; k < range.end; ++k)
      for (std::int64_t part = 2 * k; part < 2 * k + 2; ++part) {
        const auto at = static_cast<std::size_t>(part);
        r_[at] = p_[at] = k % 4 < 2 ? source[part] : -source[part];
        x[part] = 0;
      }
  });
  bb_ = sweep("xnrm2", [&](ElementRange, ElementRange range) { return plain::norm2(r_.data(), range); }).real();
}

Complex Run::apply(const std::vector<double>& in, std::vector<double>& out) {
  DiracJob job = job_;
  job.in = in.data();
  job.out = out.data();
  if (sweeps_.fused)
    return sweep("operator and dot", [&](ElementRange rows, ElementRange range) {
      sweeps_.dirac(job, rows.begin, rows.end);
      return fused::gamma5Dot(twist_, job.in, job.out, range);
    });
  static_cast<void>(sweep("stencilCore", [&](ElementRange rows, ElementRange range) {
    sweeps_.dirac(job, rows.begin, rows.end);
    plain::gamma5(twist_, job.in, job.out, range);
    return Complex(0);
  }));
  return sweep("dot", [&](ElementRange, ElementRange range) { return plain::dot(r_.data(), out.data(), range); });
}

bool Run::over(double rr, CrOutcome& outcome) {
  const double residual = std::sqrt(rr / bb_);
  ++outcome.iterations;
  outcome.residuals.push_back(residual);
  if (request_.onIteration) request_.onIteration(outcome.iterations, residual);
  if (!std::isfinite(residual)) return end(outcome, CrEnd::NotFinite);
  if (residual <= request_.tolerance) return end(outcome, CrEnd::Converged);
  return false;
}

// Algorithm 1, an operation at a time.
bool Run::plainIteration(double* x, CrOutcome& outcome) {
  apap_ = sweep("xnrm2", [&](ElementRange, ElementRange range) { return plain::norm2(ap_.data(), range); }).real();
  if (apap_ == 0) return end(outcome, CrEnd::ZeroImage);
  const Complex alpha = std::conj(rar_) / apap_;
  each("xaxpy", [&](ElementRange range) { plain::addScaled(alpha, p_.data(), x, range); });
  each("xaxpy", [&](ElementRange range) { plain::addScaled(-alpha, ap_.data(), r_.data(), range); });
  const double rr =
      sweep("xnrm2", [&](ElementRange, ElementRange range) { return plain::norm2(r_.data(), range); }).real();
  if (over(rr, outcome)) return true;
  const Complex old = rar_;
  rar_ = apply(r_, ar_);
  if (vanished(old, rr)) return end(outcome, CrEnd::ZeroProduct);
  const Complex beta = std::conj(rar_) / old;
  each("xscal", [&](ElementRange range) { plain::scale(beta, p_.data(), range); });
  each("xaxpy", [&](ElementRange range) { plain::addScaled(1, r_.data(), p_.data(), range); });
  each("xscal", [&](ElementRange range) { plain::scale(beta, ap_.data(), range); });
  each("xaxpy", [&](ElementRange range) { plain::addScaled(1, ar_.data(), ap_.data(), range); });
  return false;
}

// The same in three sweeps. The solution is updated where the direction is read anyway.
bool Run::fusedIteration(double* x, CrOutcome& outcome) {
  if (apap_ == 0) return end(outcome, CrEnd::ZeroImage);
  const Complex alpha = std::conj(rar_) / apap_;
  const double rr = sweep("residual", [&](ElementRange, ElementRange range) {
                      return fused::residual(alpha, ap_.data(), r_.data(), range);
                    }).real();
  Complex beta = 0;
  bool last = over(rr, outcome) || outcome.iterations == request_.iterations;
  if (!last) {
    const Complex old = rar_;
    rar_ = apply(r_, ar_);
    last = vanished(old, rr) && end(outcome, CrEnd::ZeroProduct);
    if (!last) beta = std::conj(rar_) / old;
  }
  if (last) {
    each("xaxpy", [&](ElementRange range) { plain::addScaled(alpha, p_.data(), x, range); });
    return true;
  }
  const fused::Directions fields{r_.data(), ar_.data(), x, p_.data(), ap_.data()};
  apap_ = sweep("directions", [&](ElementRange, ElementRange range) {
            return fused::directions(alpha, beta, fields, range);
          }).real();
  return false;
}

CrOutcome Run::run(const double* source, double* x) {
  CrOutcome outcome;
  start(source, x);
  outcome.residuals.push_back(bb_ > 0 ? 1 : 0);
  if (bb_ == 0) {
    outcome.end = CrEnd::Converged;
    return outcome;
  }
  rar_ = apply(p_, ap_);
  if (sweeps_.fused)
    apap_ = sweep("xnrm2", [&](ElementRange, ElementRange range) { return plain::norm2(ap_.data(), range); }).real();
  for (bool done = false; !done && outcome.iterations < request_.iterations;) {
    const std::size_t first = request_.trace == nullptr ? 0 : request_.trace->spans.size();
    control_.report(static_cast<double>(outcome.iterations) / request_.iterations, "iterating");
    done = sweeps_.fused ? fusedIteration(x, outcome) : plainIteration(x, outcome);
    if (request_.trace != nullptr)
      for (std::size_t k = first; k < request_.trace->spans.size(); ++k)
        request_.trace->spans[k].iteration = outcome.iterations;
  }
  return outcome;
}

class CpuCrPlan final : public CrPlan {
 public:
  CpuCrPlan(const CrWorkload& workload, Sweeps sweeps, int threads, RunReport report)
      : workload_(workload), sweeps_(sweeps), threads_(threads), arena_(threads), report_(std::move(report)) {
    job_.links = reinterpret_cast<const double*>(workload_.field().links().data());
    job_.lattice = workload_.field().lattice();
    job_.kappa = workload_.cr().wilson.kappa;
    job_.timeBoundary = workload_.cr().wilson.timeBoundary;
    report_.threads = threads;
  }

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    CrRequest request;
    request.iterations = workload_.cr().iterations;
    return solve(inputs, outputs, request, control).report;
  }

  CrOutcome solve(const Inputs& inputs, std::span<const ArrayView> outputs, const CrRequest& request,
                  const Control& control) override {
    requireArrays(workload_, inputs, outputs);
    control.check();
    const Stopwatch clock;
    const WholeSpinor source(inputs.arrays[0]);
    std::vector<double> scattered;
    const bool dense = isWholeSpinor(outputs[0]);
    if (!dense) scattered.resize(static_cast<std::size_t>(outputs[0].elements()));
    double* x = dense ? outputs[0].as<double>() : scattered.data();
    Run run(job_, workload_.cr().twist, sweeps_, threads_, arena_, request, control);
    CrOutcome outcome = run.run(reinterpret_cast<const double*>(source.elements().data()), x);
    if (!dense) scatterSpinor(scattered, outputs[0]);
    outcome.report = report_;
    outcome.report.launch["relative residual"] = outcome.residuals.back();
    outcome.report.phases.kernel = outcome.report.phases.total = clock.seconds();
    return outcome;
  }

  [[nodiscard]] std::int64_t scratchBytes() const override { return 4 * workload_.inputs()[0].bytes(); }
  [[nodiscard]] std::string description() const override {
    return std::string(sweeps_.fused ? "three sweeps an iteration" : "an operation at a time") + ", " +
           std::to_string(threads_) + " threads";
  }

 private:
  CrWorkload workload_;
  Sweeps sweeps_;
  int threads_;
  tbb::task_arena arena_;
  DiracJob job_;
  RunReport report_;
};

const CrWorkload& crWorkload(const Workload& workload) {
  const auto* cr = dynamic_cast<const CrWorkload*>(&workload);
  if (cr == nullptr)
    throw Error(ErrorKind::Unsupported, "this is not the conjugate residual", "choose another variant");
  return *cr;
}

using Choice = Sweeps (*)(SimdLevel);

Variant rowOf(std::string name, std::string explanation, std::string source, bool oneThread, Choice choice) {
  Variant row;
  row.workload = "cr";
  row.name = std::move(name);
  row.kind = EngineKind::Cpu;
  if (row.name != "tuned") row.onlyOn = "cpu:scalar";  // plain loops are the same under every level
  row.explanation = std::move(explanation);
  row.source = std::move(source);
  row.unsupported = [](const EngineInfo&, const Workload& workload) {
    return dynamic_cast<const CrWorkload*>(&workload) == nullptr ? std::string("this is not the conjugate residual")
                                                                 : std::string();
  };
  row.prepare = [name = row.name, oneThread, choice](Engine& engine, const Workload& workload,
                                                     const PrepareOptions& options,
                                                     const Control&) -> std::unique_ptr<Plan> {
    const auto* cpu = dynamic_cast<const CpuEngine*>(&engine);
    if (cpu == nullptr)
      throw Error(ErrorKind::Usage, engine.info().id + " is not a CPU engine", "choose one of the CPU engines");
    const CrWorkload& cr = crWorkload(workload);
    const Work work = workload.work();
    RunReport report;
    report.engine = engine.info().id;
    report.variant = name;
    report.operations = work.operations;
    report.executedOperations = work.operations + CrWorkload::kVectorOperations * cr.cr().iterations *
                                                      static_cast<double>(cr.field().lattice().volume());
    report.bytes = work.bytes;
    return std::make_unique<CpuCrPlan>(cr, choice(cpu->kernels().f64.level),
                                       oneThread ? 1 : threadCount(options.threads), std::move(report));
  };
  return row;
}

}  // namespace

void addCrRows(VariantTable& variants) {
  const Choice plain = [](SimdLevel) { return Sweeps{scalarDiracRows, false}; };
  variants.add(rowOf("tuned",
                     "The operator of dirac's tuned rung, and three sweeps over the fields an iteration instead of "
                     "eleven: the product (r|Ar) is summed up where Ar was just written, (r|r) where r is, and (Ap|Ap) "
                     "with the new directions, when the solution is updated too.",
                     "Stencilscope", false, [](SimdLevel level) {
                       return Sweeps{diracRows(level), true};
                     }));
  variants.add(rowOf("threads",
                     "Algorithm 1 an operation at a time, every operation a plain loop on all threads, as the paper's "
                     "original does with OpenMP.",
                     kPaper, false, plain));
  variants.add(rowOf("scalar",
                     "Algorithm 1 an operation at a time in plain C++ on one core: what the versions' speed-ups are "
                     "counted from.",
                     kPaper, true, plain));
}

}  // namespace sscope::cpu
