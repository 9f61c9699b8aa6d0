#pragma once
// The conjugate residual's loops over contiguous complex numbers, real before imaginary part. Ranges count complex
// numbers.

#include <complex>
#include <cstdint>

namespace sscope::cpu {

using Complex = std::complex<double>;

struct ElementRange {
  std::int64_t begin = 0, end = 0;
};

// The paper's operations one by one, in plain C++ with vectorization disabled. T is double or float.
namespace plain {
void scale(Complex factor, double* y, ElementRange range);  // y <- factor y (xscal)
template <class T>
void addScaled(Complex factor, const T* x, T* y, ElementRange range);  // y <- factor x + y (xaxpy)
template <class T>
[[nodiscard]] double norm2(const T* x, ElementRange range);                       // (x|x) (xnrm2)
[[nodiscard]] Complex dot(const double* x, const double* y, ElementRange range);  // (x|y)
void gamma5(double twist, const double* in, double* out, ElementRange range);     // out <- gamma_5 out + i twist in
}  // namespace plain

// All updates between two sums in one pass, for doubles or floats; sums are doubles.
namespace fused {
// r <- r - alpha ap; gives (r|r).
template <class T>
[[nodiscard]] double residual(Complex alpha, const T* ap, T* r, ElementRange range);
// out <- gamma_5 out + i twist in; gives (in|out).
template <class T>
[[nodiscard]] Complex gamma5Dot(T twist, const T* in, T* out, ElementRange range);
template <class T>
struct Directions {
  const T *r, *ar;
  T *x, *p, *ap;
};
// x <- x + alpha p, p <- r + beta p, ap <- ar + beta ap; gives (ap|ap).
template <class T>
[[nodiscard]] double directions(Complex alpha, Complex beta, const Directions<T>& fields, ElementRange range);
}  // namespace fused

}  // namespace sscope::cpu
