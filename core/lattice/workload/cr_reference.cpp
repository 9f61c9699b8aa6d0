#include "core/lattice/workload/cr_reference.h"

#include <algorithm>
#include <cmath>

#include "core/base/arithmetic.h"
#include "core/lattice/parallel.h"
#include "core/lattice/wilson.h"
#include "core/lattice/workload/dirac_reference.h"

namespace sscope {

using namespace lattice;

namespace {

constexpr double kTiny = 1e-28;
constexpr double kFinished = 1e-28;  // of (r|r) / (b|b)

class Vectors {
 public:
  Vectors(std::size_t size, const Control& control)
      : sites_(static_cast<std::int64_t>(size / kSpinorElements)), control_(control) {}

  // body(k) for every element.
  template <class Body>
  void each(Body&& body) const {
    forPieces(sites_, control_, [&](std::int64_t begin, std::int64_t end) {
      for (auto k = static_cast<std::size_t>(begin) * kSpinorElements;
           k < static_cast<std::size_t>(end) * kSpinorElements; ++k)
        body(k);
    });
  }

  [[nodiscard]] Complex dot(const SpinorField& a, const SpinorField& b) const {
    return {sum([&](std::size_t k) { return (std::conj(a[k]) * b[k]).real(); }),
            sum([&](std::size_t k) { return (std::conj(a[k]) * b[k]).imag(); })};
  }
  [[nodiscard]] double norm2(const SpinorField& a) const {
    return sum([&](std::size_t k) { return std::norm(a[k]); });
  }

 private:
  template <class Term>
  [[nodiscard]] double sum(Term&& term) const {
    return sumPieces(sites_, control_, [&](std::int64_t begin, std::int64_t end) {
      double total = 0;
      for (auto k = static_cast<std::size_t>(begin) * kSpinorElements;
           k < static_cast<std::size_t>(end) * kSpinorElements; ++k)
        total += term(k);
      return total;
    });
  }

  std::int64_t sites_;
  const Control& control_;
};

// out = A in.
void applyOperator(const GaugeField& field, const WilsonParameters& parameters, double twist,
                   std::span<const Complex> in, SpinorField& out, const Control& control) {
  forPieces(field.lattice().volume(), control, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t site = begin; site < end; ++site) {
      const SpinorAtSite value = diracReference(field, parameters, in, site);
      for (std::size_t k = 0; k < value.size(); ++k) {
        const std::size_t at = static_cast<std::size_t>(site) * kSpinorElements + k;
        out[at] = kGamma5[k % kSpins] * value[k] + Complex(0, twist) * in[at];
      }
    }
  });
}

}  // namespace

CrReference crReference(const GaugeField& field, const WilsonParameters& parameters, double twist,
                        std::span<const Complex> source, int iterations, const Control& control) {
  const Vectors vectors(source.size(), control);
  const auto apply = [&](const SpinorField& in, SpinorField& out) {
    applyOperator(field, parameters, twist, in, out, control);
  };
  CrReference result;
  SpinorField& x = result.solution;
  x.assign(source.size(), 0);
  SpinorField r(source.begin(), source.end());
  for (std::size_t k = 0; k < r.size(); ++k) r[k] *= kGamma5[k % kSpins];
  SpinorField p = r, ap(r.size()), ar(r.size());
  const double bb = vectors.norm2(r);
  result.residuals.push_back(bb > 0 ? 1 : 0);
  apply(p, ap);
  Complex rar = vectors.dot(r, ap);
  const auto noteCancellation = [&](double rr, double image) {
    if (rr > kFinished * bb && rar != Complex(0))
      result.cancellation = std::max(result.cancellation, std::sqrt(rr * image) / std::abs(rar));
  };
  noteCancellation(bb, vectors.norm2(ap));
  for (int iteration = 0; iteration < iterations; ++iteration) {
    const double apap = vectors.norm2(ap);
    if (apap == 0) break;
    const Complex alpha = std::conj(rar) / apap;
    vectors.each([&](std::size_t k) { x[k] += alpha * p[k]; });
    vectors.each([&](std::size_t k) { r[k] -= alpha * ap[k]; });
    const double rr = vectors.norm2(r);
    result.residuals.push_back(std::sqrt(rr / bb));
    apply(r, ar);
    const Complex old = rar;
    rar = vectors.dot(r, ar);
    noteCancellation(rr, vectors.norm2(ar));
    if (std::abs(old) <= kTiny * rr) break;
    const Complex beta = std::conj(rar) / old;
    vectors.each([&](std::size_t k) { p[k] = r[k] + beta * p[k]; });
    vectors.each([&](std::size_t k) { ap[k] = ar[k] + beta * ap[k]; });
  }
  return result;
}

double crResidual(const GaugeField& field, const WilsonParameters& parameters, double twist,
                  std::span<const Complex> source, std::span<const Complex> x, const Control& control) {
  const Vectors vectors(source.size(), control);
  SpinorField r(source.size());
  applyOperator(field, parameters, twist, x, r, control);
  vectors.each([&](std::size_t k) { r[k] = kGamma5[k % kSpins] * source[k] - r[k]; });
  ScaledNorm rest, norm;
  const auto add = [](ScaledNorm& to, const Complex& z) {
    to.add(z.real());
    to.add(z.imag());
  };
  for (const Complex& z : r) add(rest, z);
  for (const Complex& z : source) add(norm, z);
  return rest.over(norm);
}

}  // namespace sscope
