#include "core/cpu/lattice/cr_loops.h"

namespace sscope::cpu::plain {

void scale(Complex factor, double* y, ElementRange range) {
  const double a = factor.real(), b = factor.imag();
  for (std::int64_t k = 2 * range.begin; k < 2 * range.end; k += 2) {
    const double re = y[k], im = y[k + 1];
    y[k] = a * re - b * im;
    y[k + 1] = a * im + b * re;
  }
}

void addScaled(Complex factor, const double* x, double* y, ElementRange range) {
  const double a = factor.real(), b = factor.imag();
  for (std::int64_t k = 2 * range.begin; k < 2 * range.end; k += 2) {
    y[k] += a * x[k] - b * x[k + 1];
    y[k + 1] += a * x[k + 1] + b * x[k];
  }
}

double norm2(const double* x, ElementRange range) {
  double sum = 0;
  for (std::int64_t k = 2 * range.begin; k < 2 * range.end; ++k) sum += x[k] * x[k];
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

}  // namespace sscope::cpu::plain
