#pragma once
// Algorithm 1 of A. Cassagne et al., Portage d'un code de lattice QCD sur GPU (2013), on the processor.

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <type_traits>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/cpu/lattice/cr_loops.h"
#include "core/cpu/lattice/dirac_kernels.h"
#include "core/lattice/workload/cr_plan.h"
#include "core/lattice/workload/cr_workload.h"

namespace sscope::cpu {

// Sums are computed piece by piece, so that they do not depend on the number of threads.
inline constexpr std::int64_t kCrRowsPerPiece = 32;

template <class Stored>
struct Sweeps {
  BasicDiracRows<Stored> dirac = nullptr;
  bool fused = false;
};

// Mixed precision: whenever the recursion's (r|r) has fallen by kCrMixedFall, or has reached the tolerance, the
// solution is accumulated in double precision, and the iterations restart from its true residual (docs/lattice.md).
struct ExactOperator {
  DiracJob job;
  DiracRows rows = nullptr;
};
inline constexpr double kCrMixedFall = 1e-4;

// One run: the fields, the loops over all sites, and their times. `Stored`: the type of fields, links and arithmetic;
// sums are doubles.
template <class Stored>
class Run {
 public:
  Run(BasicDiracJob<Stored> job, double twist, Sweeps<Stored> sweeps, int threads, tbb::task_arena& arena,
      const CrRequest& request, const Control& control)
      : job_(job),
        twist_(twist),
        sweeps_(sweeps),
        threads_(threads),
        arena_(arena),
        request_(request),
        control_(control),
        rows_(job.lattice.volume() / job.lattice.extent(0)),
        pieces_((rows_ + kCrRowsPerPiece - 1) / kCrRowsPerPiece),
        sums_(static_cast<std::size_t>(pieces_)),
        r_(static_cast<std::size_t>(job.lattice.volume() * kSpinorComponents)),
        p_(r_.size()),
        ap_(r_.size()),
        ar_(r_.size()) {}

  // Call before run() to iterate in mixed precision.
  void renewWith(const ExactOperator& exact) { exact_ = exact; }

  // From the source to the solution; both dense.
  CrOutcome run(const double* source, double* solution);

 private:
  // Sums body(rows of a piece, elements of a piece) over all pieces. Each thread processes its part in order.
  template <class Body>
  Complex sweep(const char* name, Body&& body);
  template <class Body>
  void each(const char* name, Body&& body) {
    static_cast<void>(sweep(name, [&](ElementRange, ElementRange elements) {
      body(elements);
      return Complex(0);
    }));
  }
  CrOutcome iterate(const double* source, double* solution, Stored* x);
  void start(const double* source, double* solution, Stored* x);
  // out <- A in; gives (r|out).
  Complex apply(const std::vector<Stored>& in, std::vector<Stored>& out);
  // solution <- solution + x + alpha p, x <- 0, r <- the true residual; gives (r|r).
  double renew(Complex alpha, const double* source, double* solution, Stored* x);
  // Records the residual; true when it is the last.
  bool over(double rr, bool exact, CrOutcome& outcome);
  bool plainIteration(Stored* x, CrOutcome& outcome);
  bool fusedIteration(const double* source, double* solution, Stored* x, CrOutcome& outcome);
  bool end(CrOutcome& outcome, CrEnd why) {
    outcome.end = why;
    return true;
  }
  // Whether the product from before the residual's update is zero up to rounding.
  [[nodiscard]] static bool vanished(Complex rar, double rr) { return std::abs(rar) <= kCrBreakdown * rr; }

  BasicDiracJob<Stored> job_;
  double twist_;
  Sweeps<Stored> sweeps_;
  int threads_;
  tbb::task_arena& arena_;
  const CrRequest& request_;
  const Control& control_;
  std::int64_t rows_, pieces_;
  std::vector<Complex> sums_;
  std::vector<Stored> r_, p_, ap_, ar_;
  Stopwatch clock_;
  double bb_ = 0, apap_ = 0;
  Complex rar_;
  std::optional<ExactOperator> exact_;
  bool due_ = false;  // the next iteration computes the true residual
  double since_ = 0;  // (r|r) of the last one
};

template <class Stored>
template <class Body>
Complex Run<Stored>::sweep(const char* name, Body&& body) {
  const double start = clock_.seconds();
  const std::int64_t perRow = job_.lattice.extent(0) * std::int64_t{lattice::kSpinorElements};
  arena_.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::int64_t>(0, threads_, 1),
        [&](const tbb::blocked_range<std::int64_t>& range) {
          for (std::int64_t part = range.begin(); part != range.end(); ++part)
            for (std::int64_t piece = pieces_ * part / threads_; piece < pieces_ * (part + 1) / threads_; ++piece) {
              control_.check();
              const std::int64_t begin = piece * kCrRowsPerPiece, last = std::min(rows_, begin + kCrRowsPerPiece);
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

template <class Stored>
void Run<Stored>::start(const double* source, double* solution, Stored* x) {
  each("start", [&](ElementRange range) {
    for (std::int64_t k = range.begin; k < range.end; ++k)
      for (std::int64_t part = 2 * k; part < 2 * k + 2; ++part) {
        const auto at = static_cast<std::size_t>(part);
        r_[at] = p_[at] = static_cast<Stored>(k % 4 < 2 ? source[part] : -source[part]);
        x[part] = 0;
        if (exact_) solution[part] = 0;
      }
  });
  since_ = bb_ =
      sweep("xnrm2", [&](ElementRange, ElementRange range) { return plain::norm2(r_.data(), range); }).real();
}

template <class Stored>
Complex Run<Stored>::apply(const std::vector<Stored>& in, std::vector<Stored>& out) {
  BasicDiracJob<Stored> job = job_;
  job.in = in.data();
  job.out = out.data();
  if (sweeps_.fused)
    return sweep("operator and dot", [&](ElementRange rows, ElementRange range) {
      sweeps_.dirac(job, rows.begin, rows.end);
      return fused::gamma5Dot(static_cast<Stored>(twist_), job.in, job.out, range);
    });
  if constexpr (std::is_same_v<Stored, double>) {
    static_cast<void>(sweep("stencilCore", [&](ElementRange rows, ElementRange range) {
      sweeps_.dirac(job, rows.begin, rows.end);
      plain::gamma5(twist_, job.in, job.out, range);
      return Complex(0);
    }));
    return sweep("dot", [&](ElementRange, ElementRange range) { return plain::dot(r_.data(), out.data(), range); });
  }
  return {};
}

template <class Stored>
double Run<Stored>::renew(Complex alpha, const double* source, double* solution, Stored* x) {
  each("collect", [&](ElementRange range) {
    for (std::int64_t k = range.begin; k < range.end; ++k) {
      const auto at = static_cast<std::size_t>(2 * k);
      const Complex more = Complex(x[2 * k], x[2 * k + 1]) + alpha * Complex(p_[at], p_[at + 1]);
      solution[2 * k] += more.real();
      solution[2 * k + 1] += more.imag();
      x[2 * k] = x[2 * k + 1] = 0;
    }
  });
  return sweep("true residual",
               [&](ElementRange rows, ElementRange range) {
                 thread_local std::vector<double> image;
                 image.resize(static_cast<std::size_t>(2 * (range.end - range.begin)));
                 DiracJob job = exact_->job;
                 job.in = solution;
                 job.out = image.data();
                 job.firstOut = range.begin / lattice::kSpinorElements;
                 exact_->rows(job, rows.begin, rows.end);
                 double sum = 0;
                 for (std::int64_t k = range.begin; k < range.end; ++k) {
                   const auto there = static_cast<std::size_t>(2 * (k - range.begin)),
                              at = static_cast<std::size_t>(2 * k);
                   const Complex twisted(-twist_ * solution[2 * k + 1], twist_ * solution[2 * k]);
                   const Complex rest = (k % 4 < 2 ? 1.0 : -1.0) * (Complex(source[2 * k], source[2 * k + 1]) -
                                                                    Complex(image[there], image[there + 1])) -
                                        twisted;
                   r_[at] = static_cast<Stored>(rest.real());
                   r_[at + 1] = static_cast<Stored>(rest.imag());
                   sum += std::norm(rest);
                 }
                 return Complex(sum);
               })
      .real();
}

template <class Stored>
bool Run<Stored>::over(double rr, bool exact, CrOutcome& outcome) {
  const double residual = std::sqrt(rr / bb_);
  ++outcome.iterations;
  outcome.residuals.push_back(residual);
  if (request_.onIteration) request_.onIteration(outcome.iterations, residual);
  if (!std::isfinite(residual)) return end(outcome, CrEnd::NotFinite);
  const bool reached = residual <= request_.tolerance;
  if (exact && reached) return end(outcome, CrEnd::Converged);
  if (exact) since_ = rr;
  due_ = !exact && (reached || rr <= kCrMixedFall * since_);
  return false;
}

// Algorithm 1, one operation at a time.
template <class Stored>
bool Run<Stored>::plainIteration(Stored* x, CrOutcome& outcome) {
  apap_ = sweep("xnrm2", [&](ElementRange, ElementRange range) { return plain::norm2(ap_.data(), range); }).real();
  if (apap_ == 0) return end(outcome, CrEnd::ZeroImage);
  const Complex alpha = std::conj(rar_) / apap_;
  each("xaxpy", [&](ElementRange range) { plain::addScaled(alpha, p_.data(), x, range); });
  each("xaxpy", [&](ElementRange range) { plain::addScaled(-alpha, ap_.data(), r_.data(), range); });
  const double rr =
      sweep("xnrm2", [&](ElementRange, ElementRange range) { return plain::norm2(r_.data(), range); }).real();
  if (over(rr, true, outcome)) return true;
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

// The same in three passes. The solution is updated in the pass that reads the direction anyway.
template <class Stored>
bool Run<Stored>::fusedIteration(const double* source, double* solution, Stored* x, CrOutcome& outcome) {
  if (apap_ == 0) return end(outcome, CrEnd::ZeroImage);
  Complex alpha = std::conj(rar_) / apap_;
  double rr = sweep("residual", [&](ElementRange, ElementRange range) {
                return fused::residual(alpha, ap_.data(), r_.data(), range);
              }).real();
  const bool renewed = exact_ && due_;
  if (renewed) {
    rr = renew(alpha, source, solution, x);
    alpha = 0;  // the solution has it
  }
  Complex beta = 0;
  bool last = over(rr, renewed || !exact_, outcome) || outcome.iterations == request_.iterations;
  if (!last) {
    const Complex old = rar_;
    rar_ = apply(r_, ar_);
    last = vanished(old, rr) && end(outcome, CrEnd::ZeroProduct);
    if (!last && !renewed) beta = std::conj(rar_) / old;
  }
  if (last) {
    each("xaxpy", [&](ElementRange range) { plain::addScaled(alpha, p_.data(), x, range); });
    return true;
  }
  const fused::Directions<Stored> fields{r_.data(), ar_.data(), x, p_.data(), ap_.data()};
  apap_ = sweep("directions", [&](ElementRange, ElementRange range) {
            return fused::directions(alpha, beta, fields, range);
          }).real();
  return false;
}

template <class Stored>
CrOutcome Run<Stored>::run(const double* source, double* solution) {
  if constexpr (std::is_same_v<Stored, double>) {
    return iterate(source, solution, solution);
  } else {
    std::vector<Stored> x(r_.size());
    CrOutcome outcome = iterate(source, solution, x.data());
    each("widen", [&](ElementRange range) {
      for (auto k = static_cast<std::size_t>(2 * range.begin); k < static_cast<std::size_t>(2 * range.end); ++k)
        solution[k] = exact_ ? solution[k] + x[k] : double{x[k]};
    });
    if (request_.trace != nullptr) request_.trace->spans.back().iteration = outcome.iterations;
    return outcome;
  }
}

template <class Stored>
CrOutcome Run<Stored>::iterate(const double* source, double* solution, Stored* x) {
  CrOutcome outcome;
  start(source, solution, x);
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
    if constexpr (std::is_same_v<Stored, double>)
      done = sweeps_.fused ? fusedIteration(source, solution, x, outcome) : plainIteration(x, outcome);
    else
      done = fusedIteration(source, solution, x, outcome);
    if (request_.trace != nullptr)
      for (std::size_t k = first; k < request_.trace->spans.size(); ++k)
        request_.trace->spans[k].iteration = outcome.iterations;
  }
  return outcome;
}

}  // namespace sscope::cpu
