#include "core/lattice/workload/lattice_precision.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include "core/base/error.h"
#include "core/base/scaled_norm.h"
#include "core/lattice/workload/cr_workload.h"
#include "core/measure/verify.h"

namespace sscope {

namespace {

auto within(double bound) {
  return [bound](const Workload& workload, std::span<const ConstArrayView> inputs,
                 std::span<const ConstArrayView> outputs, const VerifyOptions& options, const Control& control) {
    VerifyOptions own = options;
    own.bound = bound;
    own.elementBound = kDiracSiteFactor * bound;
    return verify(workload, inputs, outputs, own, control);
  };
}

void add(ScaledNorm& norm, const lattice::Complex& z) {
  norm.add(z.real());
  norm.add(z.imag());
}

ScaledNorm normOf(std::span<const lattice::Complex> field) {
  ScaledNorm norm;
  for (const lattice::Complex& z : field) add(norm, z);
  return norm;
}

Verification judgeSolution(const Workload& workload, const ConstArrayView& input, const ConstArrayView& output,
                           bool mixed, const Control& control) {
  const auto& cr = workloadAs<CrWorkload>(workload);
  const WholeSpinor source(input), x(output);
  const auto b = source.elements(), found = x.elements();
  Verification result;
  result.full = true;
  result.coverage = "true residual, full volume";
  result.compared = output.elements();
  for (const lattice::Complex& z : found)
    result.nonFinite += (std::isfinite(z.real()) ? 0 : 1) + (std::isfinite(z.imag()) ? 0 : 1);
  if (result.nonFinite > 0) {
    result.failure = std::to_string(result.nonFinite) + " elements are NaN or Inf where they should not be";
    return result;
  }
  const auto truth = cr.truth(input, control);
  double largestDifference = 0, largest = 0;
  ScaledNorm difference;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const lattice::Complex off = found[k] - truth->solution[k];
    add(difference, off);
    largestDifference = std::max({largestDifference, std::abs(off.real()), std::abs(off.imag())});
    largest = std::max({largest, std::abs(truth->solution[k].real()), std::abs(truth->solution[k].imag())});
  }
  result.relativeL2 = difference.over(normOf(truth->solution));
  if (largest > 0)
    result.maximumUlp = largestDifference / (std::exp2(std::floor(std::log2(largest))) * 2 * kRoundoffF32);
  const CrParameters& parameters = cr.cr();
  const double residual = crResidual(cr.field(), parameters.wilson, parameters.twist, b, found, control);
  const std::size_t done = truth->residuals.size() - 1;
  const double k = truth->cancellation;
  const std::size_t judged = done - (kRoundoffF32 * k * k > 1 ? 3 * done / 4 : done / 4);
  const double largestImage = 1 + 8 * std::abs(parameters.wilson.kappa) + std::abs(parameters.twist);
  const double share = normOf(b).zero() ? 0 : largestImage * normOf(found).over(normOf(b));
  // Mixed: what steps in f32 leave differs by their rounding from what the same steps in f64 do, relative to itself.
  const double rounding = mixed ? 1e-13 * share + kRoundoffF32 * kCrSafety * truth->residuals[judged]
                                : kRoundoffF32 * (parameters.iterations * share + kCrSafety * k);
  const double bound = truth->residuals[judged] + rounding;
  if (!(residual <= bound && std::isfinite(bound)))
    result.failure = fmt::format("the true residual {:.3g} exceeds {:.3g}", residual, bound);
  result.verified = result.failure.empty();
  return result;
}

auto byResidual(bool mixed) {
  return [mixed](const Workload& workload, std::span<const ConstArrayView> inputs,
                 std::span<const ConstArrayView> outputs, const VerifyOptions&,
                 const Control& control) { return judgeSolution(workload, inputs[0], outputs[0], mixed, control); };
}

}  // namespace

LowerPrecision diracStoredInF32() { return {"stored in float32", Precision::f64, within(kDiracStoredBound)}; }
LowerPrecision diracComputedInF32() { return {"float32", Precision::f32, within(kDiracComputedBound)}; }

LowerPrecision crMixed() { return {"iterates in float32", Precision::f32, byResidual(true)}; }
LowerPrecision crInF32() { return {"float32", Precision::f32, byResidual(false)}; }

}  // namespace sscope
