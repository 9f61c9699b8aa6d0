#include "core/lattice/vector_space.h"

#include "core/lattice/gamma.h"
#include "core/lattice/parallel.h"

namespace sscope::lattice {

namespace {

// Pieces are counted in sites, so that one of them is a fixed number of bytes here too.
void forElements(std::size_t size, const Control& control,
                 const std::function<void(std::size_t begin, std::size_t end)>& body) {
  forPieces(static_cast<std::int64_t>(size / kSpinorElements), control, [&](std::int64_t begin, std::int64_t end) {
    body(static_cast<std::size_t>(begin) * kSpinorElements, static_cast<std::size_t>(end) * kSpinorElements);
  });
}

double sumElements(std::size_t size, const Control& control, const std::function<double(std::size_t)>& term) {
  return sumPieces(static_cast<std::int64_t>(size / kSpinorElements), control,
                   [&](std::int64_t begin, std::int64_t end) {
                     double sum = 0;
                     for (auto k = static_cast<std::size_t>(begin) * kSpinorElements;
                          k < static_cast<std::size_t>(end) * kSpinorElements; ++k)
                       sum += term(k);
                     return sum;
                   });
}

}  // namespace

Complex dot(const SpinorField& a, const SpinorField& b, const Control& control) {
  return {sumElements(a.size(), control,
                      [&](std::size_t k) { return a[k].real() * b[k].real() + a[k].imag() * b[k].imag(); }),
          sumElements(a.size(), control,
                      [&](std::size_t k) { return a[k].real() * b[k].imag() - a[k].imag() * b[k].real(); })};
}

double norm2(const SpinorField& a, const Control& control) {
  return sumElements(a.size(), control, [&](std::size_t k) { return std::norm(a[k]); });
}

void addScaled(Complex alpha, const SpinorField& x, SpinorField& y, const Control& control) {
  forElements(y.size(), control, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) y[k] += times(alpha, x[k]);
  });
}

void scaleAdd(const SpinorField& x, Complex beta, SpinorField& y, const Control& control) {
  forElements(y.size(), control, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) y[k] = x[k] + times(beta, y[k]);
  });
}

void applyGamma5(SpinorField& psi, const Control& control) {
  forElements(psi.size(), control, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) psi[k] *= kGamma5[k % kSpins];
  });
}

}  // namespace sscope::lattice
