#pragma once
// Algorithm 1 of A. Cassagne et al., Portage d'un code de lattice QCD sur GPU (2013), on the processor.

#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "core/cpu/lattice/cr_sweeps.h"
#include "core/cpu/lattice/dirac_kernels.h"
#include "core/lattice/workload/cr_plan.h"
#include "core/lattice/workload/cr_workload.h"

namespace sscope::cpu {

template <class Stored>
struct CrKernels {
  BasicDiracRows<Stored> dirac = nullptr;
  bool fused = false;
};

// Mixed precision: whenever the recursion's (r|r) has fallen by kCrMixedFall, or has reached the tolerance, the
// solution is accumulated in double precision, and the iterations restart from its true residual
// (docs/manual/lattice.md).
struct ExactOperator {
  DiracJob job;
  DiracRows rows = nullptr;
};
inline constexpr double kCrMixedFall = 1e-4;

// What a run computes in, kept for the next one: large arrays are given back to the system when they are freed, and
// every run would have their pages made and zeroed anew, by one thread. The threads that compute on them touch them
// first.
template <class Stored>
class CrFields {
 public:
  template <class T>
  using Array = std::unique_ptr<T[]>;

  // Nothing is allocated before it is asked for.
  explicit CrFields(const lattice::Lattice& lattice)
      : numbers_(static_cast<std::size_t>(lattice.volume() * kSpinorComponents)) {}

  [[nodiscard]] Stored* r() { return at(r_); }
  [[nodiscard]] Stored* p() { return at(p_); }
  [[nodiscard]] Stored* ap() { return at(ap_); }
  [[nodiscard]] Stored* ar() { return at(ar_); }
  // Of runs whose solution is not computed where the caller wants it.
  [[nodiscard]] double* extended() { return at(extended_); }
  [[nodiscard]] Stored* narrow() { return at(narrow_); }

 private:
  template <class T>
  [[nodiscard]] T* at(Array<T>& array) {
    if (!array) array = std::make_unique_for_overwrite<T[]>(numbers_);
    return array.get();
  }

  std::size_t numbers_;
  Array<Stored> r_, p_, ap_, ar_, narrow_;
  Array<double> extended_;
};

// One run: the loops over all sites, and their times. `Stored`: the type of fields, links and arithmetic; sums are
// doubles. `ranks`, not null: this is one of them, and fields lie on its extended lattice, as the job does.
template <class Stored>
class Run {
 public:
  Run(BasicDiracJob<Stored> job, double twist, CrKernels<Stored> kernels, CrFields<Stored>& fields, CrSweeps& sweeps,
      const CrRequest& request, const Control& control)
      : job_(job),
        twist_(twist),
        kernels_(kernels),
        fields_(fields),
        sweeps_(sweeps),
        request_(request),
        control_(control),
        r_(fields.r()),
        p_(fields.p()),
        ap_(fields.ap()),
        ar_(fields.ar()) {}

  // Call before run() to iterate in mixed precision.
  void renewWith(const ExactOperator& exact) { exact_ = exact; }

  // From the source to the solution, where the pieces say.
  CrOutcome run(const double* source, double* solution);

 private:
  CrOutcome iterate(const double* source, double* solution, Stored* x);
  void start(const double* source, double* solution, Stored* x);
  // out <- A in; gives (r|out).
  Complex apply(Stored* in, Stored* out);
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
  CrKernels<Stored> kernels_;
  CrFields<Stored>& fields_;
  CrSweeps& sweeps_;
  const CrRequest& request_;
  const Control& control_;
  Stored *r_, *p_, *ap_, *ar_;
  double bb_ = 0, apap_ = 0;
  Complex rar_;
  std::optional<ExactOperator> exact_;
  bool due_ = false;  // the next iteration computes the true residual
  double since_ = 0;  // (r|r) of the last one
};

template <class Stored>
void Run<Stored>::start(const double* source, double* solution, Stored* x) {
  sweeps_.each("start", [&](const CrPiece& piece) {
    const double* from = source + 2 * piece.outside;
    for (std::int64_t k = 2 * piece.elements.begin; k < 2 * piece.elements.end; ++k, ++from) {
      const auto at = static_cast<std::size_t>(k);
      r_[at] = p_[at] = static_cast<Stored>(k % 8 < 4 ? *from : -*from);
      x[k] = 0;
      if (exact_) solution[k] = 0;
    }
  });
  since_ = bb_ = sweeps_.sum("xnrm2", [&](const CrPiece& piece) { return plain::norm2(r_, piece.elements); }).real();
}

template <class Stored>
Complex Run<Stored>::apply(Stored* in, Stored* out) {
  BasicDiracJob<Stored> job = job_;
  job.in = in;
  job.out = out;
  if (kernels_.fused) {
    sweeps_.hops("operator and dot", in, [&](const CrPiece& piece) {
      kernels_.dirac(job, piece.rows.begin, piece.rows.end);
      return fused::gamma5Dot(static_cast<Stored>(twist_), job.in, job.out, piece.elements);
    });
    return sweeps_.total();
  }
  if constexpr (std::is_same_v<Stored, double>) {
    sweeps_.hops("stencilCore", in, [&](const CrPiece& piece) {
      kernels_.dirac(job, piece.rows.begin, piece.rows.end);
      plain::gamma5(twist_, job.in, job.out, piece.elements);
      return Complex(0);
    });
    return sweeps_.sum("dot", [&](const CrPiece& piece) { return plain::dot(r_, out, piece.elements); });
  }
  return {};
}

template <class Stored>
double Run<Stored>::renew(Complex alpha, const double* source, double* solution, Stored* x) {
  sweeps_.each("collect", [&](const CrPiece& piece) {
    const ElementRange& range = piece.elements;
    for (std::int64_t k = range.begin; k < range.end; ++k) {
      const auto at = static_cast<std::size_t>(2 * k);
      const Complex more = Complex(x[2 * k], x[2 * k + 1]) + alpha * Complex(p_[at], p_[at + 1]);
      solution[2 * k] += more.real();
      solution[2 * k + 1] += more.imag();
      x[2 * k] = x[2 * k + 1] = 0;
    }
  });
  sweeps_.hops("true residual", solution, [&](const CrPiece& piece) {
    const ElementRange& range = piece.elements;
    thread_local std::vector<double> image;
    image.resize(static_cast<std::size_t>(2 * (range.end - range.begin)));
    DiracJob job = exact_->job;
    job.in = solution;
    job.out = image.data();
    job.firstOut = range.begin / lattice::kSpinorElements;
    exact_->rows(job, piece.rows.begin, piece.rows.end);
    const double* b = source + 2 * piece.outside;
    double sum = 0;
    for (std::int64_t k = range.begin; k < range.end; ++k, b += 2) {
      const auto there = static_cast<std::size_t>(2 * (k - range.begin)), at = static_cast<std::size_t>(2 * k);
      const Complex twisted(-twist_ * solution[2 * k + 1], twist_ * solution[2 * k]);
      const Complex rest =
          (k % 4 < 2 ? 1.0 : -1.0) * (Complex(b[0], b[1]) - Complex(image[there], image[there + 1])) - twisted;
      r_[at] = static_cast<Stored>(rest.real());
      r_[at + 1] = static_cast<Stored>(rest.imag());
      sum += std::norm(rest);
    }
    return Complex(sum);
  });
  return sweeps_.total().real();
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
  apap_ = sweeps_.sum("xnrm2", [&](const CrPiece& piece) { return plain::norm2(ap_, piece.elements); }).real();
  if (apap_ == 0) return end(outcome, CrEnd::ZeroImage);
  const Complex alpha = std::conj(rar_) / apap_;
  sweeps_.each("xaxpy", [&](const CrPiece& piece) { plain::addScaled(alpha, p_, x, piece.elements); });
  sweeps_.each("xaxpy", [&](const CrPiece& piece) { plain::addScaled(-alpha, ap_, r_, piece.elements); });
  const double rr = sweeps_.sum("xnrm2", [&](const CrPiece& piece) { return plain::norm2(r_, piece.elements); }).real();
  if (over(rr, true, outcome)) return true;
  const Complex old = rar_;
  rar_ = apply(r_, ar_);
  if (vanished(old, rr)) return end(outcome, CrEnd::ZeroProduct);
  const Complex beta = std::conj(rar_) / old;
  sweeps_.each("xscal", [&](const CrPiece& piece) { plain::scale(beta, p_, piece.elements); });
  sweeps_.each("xaxpy", [&](const CrPiece& piece) { plain::addScaled(1, r_, p_, piece.elements); });
  sweeps_.each("xscal", [&](const CrPiece& piece) { plain::scale(beta, ap_, piece.elements); });
  sweeps_.each("xaxpy", [&](const CrPiece& piece) { plain::addScaled(1, ar_, ap_, piece.elements); });
  return false;
}

// The same in three passes. The solution is updated in the pass that reads the direction anyway.
template <class Stored>
bool Run<Stored>::fusedIteration(const double* source, double* solution, Stored* x, CrOutcome& outcome) {
  if (apap_ == 0) return end(outcome, CrEnd::ZeroImage);
  Complex alpha = std::conj(rar_) / apap_;
  double rr =
      sweeps_.sum("residual", [&](const CrPiece& piece) { return fused::residual(alpha, ap_, r_, piece.elements); })
          .real();
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
    sweeps_.each("xaxpy", [&](const CrPiece& piece) { plain::addScaled(alpha, p_, x, piece.elements); });
    return true;
  }
  const fused::Directions<Stored> fields{r_, ar_, x, p_, ap_};
  apap_ = sweeps_
              .sum("directions",
                   [&](const CrPiece& piece) { return fused::directions(alpha, beta, fields, piece.elements); })
              .real();
  return false;
}

// Of one rank alone the caller's arrays are as the fields, and the solution is computed there.
template <class Stored>
CrOutcome Run<Stored>::run(const double* source, double* solution) {
  constexpr bool kWide = std::is_same_v<Stored, double>;
  const bool several = sweeps_.oneOfSeveral();
  double* const whole = several && (kWide || exact_) ? fields_.extended() : solution;
  Stored* x = nullptr;
  if constexpr (kWide) {
    x = whole;
  } else {
    x = fields_.narrow();
  }
  CrOutcome outcome = iterate(source, whole, x);
  if (kWide && !several) return outcome;
  sweeps_.each(kWide ? "copy" : "widen", [&](const CrPiece& piece) {
    double* to = solution + 2 * piece.outside;
    for (std::int64_t k = 2 * piece.elements.begin; k < 2 * piece.elements.end; ++k, ++to)
      *to = !kWide && exact_ ? whole[k] + x[k] : double{x[k]};
  });
  if (request_.trace != nullptr) request_.trace->spans.back().iteration = outcome.iterations;
  return outcome;
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
  if (kernels_.fused)
    apap_ = sweeps_.sum("xnrm2", [&](const CrPiece& piece) { return plain::norm2(ap_, piece.elements); }).real();
  for (bool done = false; !done && outcome.iterations < request_.iterations;) {
    const std::size_t first = request_.trace == nullptr ? 0 : request_.trace->spans.size();
    control_.report(static_cast<double>(outcome.iterations) / request_.iterations, "iterating");
    if constexpr (std::is_same_v<Stored, double>)
      done = kernels_.fused ? fusedIteration(source, solution, x, outcome) : plainIteration(x, outcome);
    else
      done = fusedIteration(source, solution, x, outcome);
    if (request_.trace != nullptr)
      for (std::size_t k = first; k < request_.trace->spans.size(); ++k)
        request_.trace->spans[k].iteration = outcome.iterations;
  }
  return outcome;
}

}  // namespace sscope::cpu
