#include <array>
#include <complex>

#include "core/cpu/lattice/dirac_kernels.h"

namespace sscope::cpu {

namespace {

// `T`: the type of the arithmetic.
template <class T>
struct Number {
  T re = 0, im = 0;
};

// One row of a projector 1 + s gamma: h = psi[row] + s * phase * psi[other]; a phase is a power of i.
struct Projection {
  int other[2];    // for the spins 0 and 1
  int phase[2];    // of psi[other]
  int rebuild[2];  // spins 2 and 3 are s * phase * h[rebuild]
  int phaseBack[2];
};
constexpr std::array<Projection, 4> kProjections{{{{3, 2}, {1, 1}, {1, 0}, {3, 3}},
                                                  {{3, 2}, {2, 0}, {1, 0}, {0, 2}},
                                                  {{2, 3}, {1, 3}, {0, 1}, {3, 1}},
                                                  {{2, 3}, {0, 0}, {0, 1}, {0, 0}}}};

template <class T>
constexpr std::array<T, 24> kZero{};

template <class T>
Number<T> turned(Number<T> z, int phase) {
  switch (phase) {
    case 0: return z;
    case 1: return {-z.im, z.re};
    case 2: return {-z.re, -z.im};
    default: return {z.im, -z.re};
  }
}

template <class T, class Stored>
Number<T> at(const Stored* psi, int color, int spin) {
  return {psi[8 * color + 2 * spin], psi[8 * color + 2 * spin + 1]};
}

// sum += factor (1 + sign gamma_mu) U psi, or U^dagger.
template <class T, class Stored>
void addHop(const Stored* psi, const Stored* link, int mu, T sign, bool dagger, T factor,
            std::array<Number<T>, 12>& sum) {
  const Projection& p = kProjections[static_cast<std::size_t>(mu)];
  Number<T> half[3][2];
  for (int color = 0; color < 3; ++color)
    for (int spin = 0; spin < 2; ++spin) {
      const Number<T> own = at<T>(psi, color, spin), other = turned(at<T>(psi, color, p.other[spin]), p.phase[spin]);
      half[color][spin] = {own.re + sign * other.re, own.im + sign * other.im};
    }
  for (int color = 0; color < 3; ++color)
    for (int spin = 0; spin < 2; ++spin) {
      Number<T> h;
      for (int k = 0; k < 3; ++k) {
        const Stored* u = link + 2 * (dagger ? 3 * k + color : 3 * color + k);
        const T re = u[0], im = dagger ? -u[1] : u[1];
        h.re += re * half[k][spin].re - im * half[k][spin].im;
        h.im += re * half[k][spin].im + im * half[k][spin].re;
      }
      h = {factor * h.re, factor * h.im};
      Number<T>& own = sum[static_cast<std::size_t>(4 * color + spin)];
      own = {own.re + h.re, own.im + h.im};
      // The lower spin that follows from this one.
      const int lower = p.rebuild[0] == spin ? 0 : 1;
      const Number<T> below = turned(h, p.phaseBack[lower]);
      Number<T>& low = sum[static_cast<std::size_t>(4 * color + 2 + lower)];
      low = {low.re + sign * below.re, low.im + sign * below.im};
    }
}

template <class T, class Stored>
void rows(const BasicDiracJob<Stored>& job, std::int64_t rowBegin, std::int64_t rowEnd) {
  const std::int64_t nx = job.lattice.extent(0);
  const T s = job.adjoint ? -1 : 1, kappa = static_cast<T>(job.kappa);
  const bool whole = job.parity == kAllSites;
  const int step = whole ? 1 : 2, shift = whole ? 0 : 1;
  const auto psi = [&](std::int64_t site) { return job.in + 24 * (site >> shift); };
  const auto link = [&](std::int64_t site, int mu) { return job.links + 18 * (4 * site + mu); };
  for (std::int64_t row = rowBegin; row < rowEnd; ++row) {
    const DiracNeighbors n = neighborsOfRow(job, row);
    const T ahead = static_cast<T>(n.aheadFactor), behind = static_cast<T>(n.behindFactor);
    for (std::int64_t x = whole ? 0 : firstInRow(job, row); x < nx; x += step) {
      std::array<Number<T>, 12> sum{};
      const std::int64_t site = n.row + x;
      const std::int64_t right = x + 1 < nx ? site + 1 : n.row, left = x > 0 ? site - 1 : n.row + nx - 1;
      addHop<T>(psi(right), link(site, 0), 0, -s, false, 1, sum);
      addHop<T>(psi(left), link(left, 0), 0, s, true, 1, sum);
      for (int mu = 1; mu < 4; ++mu) {
        addHop<T>(psi(n.ahead[mu] + x), link(site, mu), mu, -s, false, mu == 3 ? ahead : 1, sum);
        addHop<T>(psi(n.behind[mu] + x), link(n.behind[mu] + x, mu), mu, s, true, mu == 3 ? behind : 1, sum);
      }
      const Stored* center = whole                   ? psi(site)
                             : job.center == nullptr ? kZero<Stored>.data()
                                                     : job.center + 24 * ((site - job.firstOut) >> shift);
      Stored* out = job.out + 24 * ((site - job.firstOut) >> shift);
      for (std::size_t k = 0; k < 12; ++k) {
        out[2 * k] = static_cast<Stored>(center[2 * k] - kappa * sum[k].re);
        out[2 * k + 1] = static_cast<Stored>(center[2 * k + 1] - kappa * sum[k].im);
      }
    }
  }
}

}  // namespace

void scalarDiracRows(const DiracJob& job, std::int64_t rowBegin, std::int64_t rowEnd) {
  rows<double>(job, rowBegin, rowEnd);
}

BasicDiracRows<float> scalarDiracRowsOfF32(Precision computed) {
  return computed == Precision::f32 ? rows<float, float> : rows<double, float>;
}

}  // namespace sscope::cpu
