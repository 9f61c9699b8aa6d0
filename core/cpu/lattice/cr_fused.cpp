// Ranges are whole sites: a multiple of four complex numbers, which fill the vectors of every level.

#include "core/cpu/lattice/cr_sweeps.h"

namespace sscope::cpu::fused {

namespace {
constexpr std::int64_t kStep = 8;  // numbers: the four spins of a color
}

template <class T>
double residual(Complex alpha, const T* ap, T* r, ElementRange range) {
  const T a = static_cast<T>(alpha.real()), b = static_cast<T>(alpha.imag());
  double sums[kStep] = {};
  for (std::int64_t k = 2 * range.begin; k < 2 * range.end; k += kStep) {
    T now[kStep];
    for (int j = 0; j < kStep; j += 2) {
      now[j] = r[k + j] - (a * ap[k + j] - b * ap[k + j + 1]);
      now[j + 1] = r[k + j + 1] - (a * ap[k + j + 1] + b * ap[k + j]);
    }
    for (int j = 0; j < kStep; ++j) {
      r[k + j] = now[j];
      sums[j] += double{now[j]} * double{now[j]};
    }
  }
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

template <class T>
Complex gamma5Dot(T twist, const T* in, T* out, ElementRange range) {
  double re[kStep] = {}, im[kStep] = {};
  for (std::int64_t k = 2 * range.begin; k < 2 * range.end; k += kStep) {
    T now[kStep];
    for (int j = 0; j < kStep; ++j) now[j] = j < kStep / 2 ? out[k + j] : -out[k + j];
    if (twist != 0)
      for (int j = 0; j < kStep; j += 2) {
        now[j] -= twist * in[k + j + 1];
        now[j + 1] += twist * in[k + j];
      }
    for (int j = 0; j < kStep; ++j) {
      out[k + j] = now[j];
      re[j] += double{in[k + j]} * double{now[j]};
    }
    for (int j = 0; j < kStep; j += 2) {
      im[j] += double{in[k + j]} * double{now[j + 1]};
      im[j + 1] += double{in[k + j + 1]} * double{now[j]};
    }
  }
  const double all = ((re[0] + re[1]) + (re[2] + re[3])) + ((re[4] + re[5]) + (re[6] + re[7]));
  const double forth = (im[0] + im[2]) + (im[4] + im[6]), back = (im[1] + im[3]) + (im[5] + im[7]);
  return {all, forth - back};
}

template <class T>
double directions(Complex alpha, Complex beta, const Directions<T>& fields, ElementRange range) {
  const T a = static_cast<T>(alpha.real()), b = static_cast<T>(alpha.imag());
  const T c = static_cast<T>(beta.real()), d = static_cast<T>(beta.imag());
  const T *r = fields.r, *ar = fields.ar;
  T *x = fields.x, *p = fields.p, *ap = fields.ap;
  double sums[kStep] = {};
  for (std::int64_t k = 2 * range.begin; k < 2 * range.end; k += kStep) {
    T was[kStep], now[kStep], image[kStep], of[kStep];
    for (int j = 0; j < kStep; ++j) {
      was[j] = p[k + j];
      image[j] = ap[k + j];
    }
    for (int j = 0; j < kStep; j += 2) {
      x[k + j] += a * was[j] - b * was[j + 1];
      x[k + j + 1] += a * was[j + 1] + b * was[j];
      now[j] = r[k + j] + (c * was[j] - d * was[j + 1]);
      now[j + 1] = r[k + j + 1] + (c * was[j + 1] + d * was[j]);
      of[j] = ar[k + j] + (c * image[j] - d * image[j + 1]);
      of[j + 1] = ar[k + j + 1] + (c * image[j + 1] + d * image[j]);
    }
    for (int j = 0; j < kStep; ++j) {
      p[k + j] = now[j];
      ap[k + j] = of[j];
      sums[j] += double{of[j]} * double{of[j]};
    }
  }
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

template double residual(Complex, const double*, double*, ElementRange);
template double residual(Complex, const float*, float*, ElementRange);
template Complex gamma5Dot(double, const double*, double*, ElementRange);
template Complex gamma5Dot(float, const float*, float*, ElementRange);
template double directions(Complex, Complex, const Directions<double>&, ElementRange);
template double directions(Complex, Complex, const Directions<float>&, ElementRange);

}  // namespace sscope::cpu::fused
