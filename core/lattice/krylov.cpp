#include "core/lattice/krylov.h"

#include <cmath>
#include <limits>

#include "core/lattice/vector_space.h"

namespace sscope::lattice {

namespace {

// Below this a denominator is rounding, relative to the numbers it was made of.
constexpr double kTiny = 1e-28;

// source - D x.
SpinorField residualOf(KrylovRun& run) {
  SpinorField r(run.source.size());
  if (run.result.iterations == 0) return run.source;
  run.dirac(false, run.result.solution, r, run.control);
  scaleAdd(run.source, -1, r, run.control);
  return r;
}

}  // namespace

bool KrylovRun::over(double residualNorm2) {
  const double residual = std::sqrt(residualNorm2) / sourceNorm;
  ++result.iterations;
  result.residuals.push_back(residual);
  if (onIteration) onIteration(result.iterations, residual);
  control.check();
  if (!std::isfinite(residual)) {
    result.failure = "the residual is no longer finite";
    return true;
  }
  if (residual <= options.tolerance) {
    result.converged = true;
    return true;
  }
  if (result.iterations >= options.maxIterations) {
    result.failure = "it did not converge in " + std::to_string(options.maxIterations) + " iterations";
    return true;
  }
  return false;
}

void KrylovRun::breakDown(const char* what) {
  result.failure = "it broke down after " + std::to_string(result.iterations) + " iterations (" + what + ")";
}

void conjugateResidual(KrylovRun& run) {
  const Control& control = run.control;
  const auto apply = [&](const SpinorField& in, SpinorField& out) {  // gamma_5 D + i twist
    run.dirac(false, in, out, control);
    applyGamma5(out, control);
    if (run.options.twist != 0) addScaled({0, run.options.twist}, in, out, control);
  };
  SpinorField r = run.source;
  applyGamma5(r, control);
  SpinorField p = r, ap(r.size()), ar(r.size());
  apply(p, ap);
  Complex rar = run.space.dot(r, ap, control);
  for (;;) {
    const double apap = run.space.norm2(ap, control);
    if (apap == 0) return run.breakDown("A p is zero");
    const Complex alpha = std::conj(rar) / apap;
    addScaled(alpha, p, run.result.solution, control);
    addScaled(-alpha, ap, r, control);
    const double rr = run.space.norm2(r, control);
    if (run.over(rr)) return;
    apply(r, ar);
    const Complex old = rar;
    rar = run.space.dot(r, ar, control);
    if (std::abs(old) <= kTiny * rr) return run.breakDown("(r, A r) is zero");
    const Complex beta = std::conj(rar) / old;
    scaleAdd(r, beta, p, control);
    scaleAdd(ar, beta, ap, control);
  }
}

void generalizedConjugateResidual(KrylovRun& run) {
  const Control& control = run.control;
  const auto keep = static_cast<std::size_t>(run.options.restart);
  std::vector<SpinorField> p, ap;
  std::vector<double> apap;
  SpinorField r = residualOf(run);
  for (;;) {
    if (p.size() == keep) {
      p.clear();
      ap.clear();
      apap.clear();
    }
    SpinorField direction = r, image(r.size());
    run.dirac(false, direction, image, control);
    for (std::size_t k = 0; k < p.size(); ++k) {
      const Complex overlap = run.space.dot(ap[k], image, control) / apap[k];
      addScaled(-overlap, p[k], direction, control);
      addScaled(-overlap, ap[k], image, control);
    }
    const double norm = run.space.norm2(image, control);
    if (norm == 0) return run.breakDown("A p is zero");
    const Complex alpha = run.space.dot(image, r, control) / norm;
    addScaled(alpha, direction, run.result.solution, control);
    addScaled(-alpha, image, r, control);
    p.push_back(std::move(direction));
    ap.push_back(std::move(image));
    apap.push_back(norm);
    if (run.over(run.space.norm2(r, control))) return;
  }
}

void biCgStab(KrylovRun& run) {
  const Control& control = run.control;
  SpinorField r = residualOf(run);
  // A point source as its own shadow breaks the method: its products with most directions are zero.
  SpinorField shadow(r.size());
  run.space.hashFill(shadow, run.options.seed);
  SpinorField p = r, ap(r.size()), as(r.size());
  Complex rho = run.space.dot(shadow, r, control);
  const double shadowNorm = run.space.norm2(shadow, control);
  SpinorField best = run.result.solution;
  double bestResidual = run.space.norm2(r, control);
  SpinorField& x = run.result.solution;
  const auto keepBest = [&] {
    if (!run.result.converged) x = best;
  };
  for (;;) {
    run.dirac(false, p, ap, control);
    const Complex shadowAp = run.space.dot(shadow, ap, control);
    if (std::norm(shadowAp) <= kTiny * shadowNorm * run.space.norm2(ap, control)) {
      keepBest();
      return run.breakDown("the shadow residual is orthogonal to A p");
    }
    const Complex alpha = rho / shadowAp;
    addScaled(-alpha, ap, r, control);  // s
    run.dirac(false, r, as, control);
    const double asas = run.space.norm2(as, control);
    const Complex omega = asas > 0 ? run.space.dot(as, r, control) / asas : Complex(0);
    addScaled(alpha, p, x, control);
    addScaled(omega, r, x, control);
    addScaled(-omega, as, r, control);
    const double rr = run.space.norm2(r, control);
    const bool over = run.over(rr);
    if (rr < bestResidual) {
      bestResidual = rr;
      if (!over) best = x;
    }
    if (over) {
      if (!run.result.converged && rr > bestResidual) keepBest();
      return;
    }
    const Complex old = rho;
    rho = run.space.dot(shadow, r, control);
    if (omega == Complex(0) || std::norm(rho) <= kTiny * shadowNorm * rr) {
      keepBest();
      return run.breakDown(omega == Complex(0) ? "omega is zero" : "the shadow residual is orthogonal to r");
    }
    addScaled(-omega, ap, p, control);
    scaleAdd(r, rho / old * (alpha / omega), p, control);
  }
}

void conjugateGradientNormal(KrylovRun& run) {
  const Control& control = run.control;
  SpinorField r = residualOf(run), z(r.size()), ap(r.size());
  run.dirac(true, r, z, control);
  SpinorField p = z;
  double zz = run.space.norm2(z, control);
  for (;;) {
    run.dirac(false, p, ap, control);
    const double apap = run.space.norm2(ap, control);
    if (apap == 0) return run.breakDown("A p is zero");
    const double alpha = zz / apap;
    addScaled(alpha, p, run.result.solution, control);
    addScaled(-alpha, ap, r, control);
    if (run.over(run.space.norm2(r, control))) return;
    run.dirac(true, r, z, control);
    const double old = zz;
    zz = run.space.norm2(z, control);
    scaleAdd(z, zz / old, p, control);
  }
}

}  // namespace sscope::lattice
