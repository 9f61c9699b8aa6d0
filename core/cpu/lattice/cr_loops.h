#pragma once
// The loops over complex numbers of the conjugate residual: one number after the other, real and imaginary part side by
// side. Ranges count complex numbers.

#include <complex>
#include <cstdint>

namespace sscope::cpu {

using Complex = std::complex<double>;

struct ElementRange {
  std::int64_t begin = 0, end = 0;
};

// Plain C++, which the compiler was told not to vectorize: the paper's operations, one by one.
namespace plain {
void scale(Complex factor, double* y, ElementRange range);                        // y <- factor y (xscal)
void addScaled(Complex factor, const double* x, double* y, ElementRange range);   // y <- factor x + y (xaxpy)
[[nodiscard]] double norm2(const double* x, ElementRange range);                  // (x|x) (xnrm2)
[[nodiscard]] Complex dot(const double* x, const double* y, ElementRange range);  // (x|y)
void gamma5(double twist, const double* in, double* out, ElementRange range);     // out <- gamma_5 out + i twist in
}  // namespace plain

// What lies between two sums in one sweep.
namespace fused {
// r <- r - alpha ap; gives (r|r).
[[nodiscard]] double residual(Complex alpha, const double* ap, double* r, ElementRange range);
// out <- gamma_5 out + i twist in; gives (in|out).
[[nodiscard]] Complex gamma5Dot(double twist, const double* in, double* out, ElementRange range);
struct Directions {
  const double *r, *ar;
  double *x, *p, *ap;
};
// x <- x + alpha p, p <- r + beta p, ap <- ar + beta ap; gives (ap|ap).
[[nodiscard]] double directions(Complex alpha, Complex beta, const Directions& fields, ElementRange range);
}  // namespace fused

}  // namespace sscope::cpu
