#pragma once
// Lower-precision extras on the lattice: what they round, and the resulting error bounds. Inputs and outputs are the
// float64 volumes of the workload; links and spinors are rounded to float32 on the way in, so that numbers beyond
// float32's range (1e-38 to 3e38) are lost.

#include "core/engine/variant.h"

namespace sscope {

// Unit roundoff of float32.
inline constexpr double kRoundoffF32 = 0x1p-24;

// Wilson's operator. With u the unit roundoff and the norms of verify() (the larger of ||ref|| and that of the sums of
// magnitudes), to first order in u:
//  - Stored in float32: a spinor, a link and the result are rounded once each, 3 u. A third row that is rebuilt from
//    rounded rows is off by up to 2 u (sum of its products' magnitudes), over a row 2 u sqrt(4), as the rows have
//    length 1 (Cauchy and Schwarz), which is 4 u of the row: 7 u in all, and 8 u are accepted.
//  - Computed in float32: at most 19 roundings lie between a term and the result (spinor, link, projection, six
//    multiply-adds of a complex product with three terms, eight hops, kappa and the site itself), and the third row
//    adds 2 sqrt(4) u for rounded rows and 4 sqrt(4) u for its four operations: 31 u, and 32 u are accepted.
// Half precision (u = 2^-11) anywhere, a wrong sign or a lost hop lie thousands of times above either bound.
inline constexpr double kDiracStoredBound = 8 * kRoundoffF32;
inline constexpr double kDiracComputedBound = 32 * kRoundoffF32;
// At a single site the rebuilt rows of eight hops may err alike: e_h <= c u |psi_h| each, beside sums of magnitudes
// whose norm is at least sqrt(sum |psi_h|^2) >= sum |psi_h| / sqrt(8). Within a factor of 3 a site obeys the bounds
// above.
inline constexpr double kDiracSiteFactor = 3;

[[nodiscard]] LowerPrecision diracStoredInF32();
[[nodiscard]] LowerPrecision diracComputedInF32();

// The conjugate residual. Where the products (r, A r) cancel, a rounding error changes the directions of the iterates,
// and relative to K = max |r| |A r| / |(r, A r)| (core/lattice/workload/cr_workload.h), hundreds and more, float32 is
// coarse: no iterate equals the reference's. So the true residual |gamma_5 b - A x| / |b| is judged, computed in
// float64 from the formula:
// - All directions minimize the residual step by step. After N iterations it must be at most the reference's after
//   N - N / 4, which leaves room for restarts; where u K^2 > 1, so that rounding decides the directions, after
//   N - 3 N / 4.
// - For iterations in float32 with true residuals and the solution in float64, the rounding of float64 is added:
//   1e-13 |A| |x| / |b|; and 10 u of the residual itself, the difference of the same steps in float32.
// - For everything in float32, u for each update of x and r is added, N u |A| |x| / |b| (A. Greenbaum, SIAM J. Matrix
//   Anal. Appl. 18 (1997) 535), and 10 u K for the products as everywhere (kCrSafety).
// |A| <= 1 + 8 |kappa| + |twist|. The shown relative error is nevertheless |x - x_ref| / |x_ref|: two solutions whose
// residuals are r and r_ref differ by A^-1 (r - r_ref), which a converged solve makes as small as its tolerance.
[[nodiscard]] LowerPrecision crMixed();
[[nodiscard]] LowerPrecision crInF32();

}  // namespace sscope
