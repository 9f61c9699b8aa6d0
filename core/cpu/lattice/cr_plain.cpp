#include "core/cpu/lattice/cr_sweeps.h"

namespace sscope::cpu::plain {

void scale(Complex factor, double* y, ElementRange range) {
  const double a = factor.real(), b = factor.imag();
  for (std::int64_t k = 2 * range.begin; k < 2 * range.end; k += 2) {
    const double re = y[k], im = y[k + 1];
    y[k] = a * re - b * im;
    y[k + 1] = a * im + b * re;
  }
}

template <class T>
void addScaled(Complex factor, const T* x, T* y, ElementRange range) {
  const T a = static_cast<T>(factor.real()), b = static_cast<T>(factor.imag());
  for (std::int64_t k = 2 * range.begin; k < 2 * range.end; k += 2) {
    y[k] += a * x[k] - b * x[k + 1];
    y[k + 1] += a * x[k + 1] + b * x[k];
  }
}

template <class T>
double norm2(const T* x, ElementRange range) {
  double sum = 0;
  for (std::int64_t k = 2 * range.begin; k < 2 * range.end; ++k) sum += double{x[k]} * double{x[k]};
  return sum;
}

Complex dot(const double* x, const double* y, ElementRange range) {
  double re = 0, im = 0;
  for (std::int64_t k = 2 * range.begin; k < 2 * range.end; k += 2) {
    re += x[k] * y[k] + x[k + 1] * y[k + 1];
    im += x[k] * y[k + 1] - x[k + 1] * y[k];
  }
  return {re, im};
}

void gamma5(double twist, const double* in, double* out, ElementRange range) {
  for (std::int64_t k = range.begin; k < range.end; ++k) {
    const double sign = k % 4 < 2 ? 1 : -1;
    out[2 * k] = sign * out[2 * k] - twist * in[2 * k + 1];
    out[2 * k + 1] = sign * out[2 * k + 1] + twist * in[2 * k];
  }
}

template void addScaled(Complex, const double*, double*, ElementRange);
template void addScaled(Complex, const float*, float*, ElementRange);
template double norm2(const double*, ElementRange);
template double norm2(const float*, ElementRange);

}  // namespace sscope::cpu::plain
