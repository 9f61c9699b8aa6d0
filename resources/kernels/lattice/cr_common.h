// Shared by the kernels of the conjugate residual method (algorithm 1 of Cassagne et al., 2013). See dirac_common.h for
// the lattice.
//
// The scalars are kept on the device, so that iterations do not wait for the host. Their places in `scalars`:
#define APAP 0          // (Ap|Ap)
#define RR 2            // (r|r)
#define RAR_NEW 4       // (r|Ar) of this iteration
#define RAR 6           // (r|Ar) of the previous iteration
#define ALPHA 8         // complex, like all above and ONE
#define MINUS_ALPHA 10
#define BETA 12
#define ONE 14
#define BB 16           // (b|b): (r|r) at the beginning
#define TARGET 17       // the value of (r|r) / (b|b) to reach; 0: none
#define ENDED 18        // 0: running; nothing changes after 1: converged, 2: (Ap|Ap) is zero, 3: (r|Ar) is zero,
                        // 4: not finite
#define ITERATIONS 19   // finished ones
#define STARTED 20      // started ones
#define DUE 21          // 1: this iteration replaces the residual of the recursion by the true one (mixed precision)
#define SINCE 22        // (r|r) of the last true residual
#define HISTORY 23      // (r|r) after iteration k is at HISTORY + k % HISTORY_LENGTH

#define SMALLEST_PRODUCT 1e-28  // |(r|Ar)| / (r|r) that counts as zero
// Mixed precision: (r|r) of the recursion falls by this factor between two true residuals.
#define MIXED_FALL 1e-4
#ifndef MIXED
#define MIXED 0
#endif

#define CONVERGED 1
#define ZERO_IMAGE 2
#define ZERO_PRODUCT 3
#define NOT_FINITE 4

// Writes the sums of re and im over the work items of a group, added in a tree, to to[0] and to[1]. GROUP_X must be a
// power of two; uses LOCAL f64 sums_re[GROUP_X], sums_im[GROUP_X].
#define SUM_GROUP(item, re, im, to)                     \
  sums_re[item] = re;                                   \
  sums_im[item] = im;                                   \
  for (i32 width = GROUP_X / 2; width > 0; width /= 2) {   \
    BARRIER;                                            \
    if (item < width) {                                  \
      sums_re[item] += sums_re[item + width];            \
      sums_im[item] += sums_im[item + width];            \
    }                                                   \
  }                                                     \
  if (item == 0) {                                      \
    (to)[0] = sums_re[0];                               \
    (to)[1] = sums_im[0];                               \
  }

// Adds pairs item, item + GROUP_X, ... of `list` to re and im.
#define ADD_PAIRS(list, pairs, item, re, im)            \
  for (i32 pair = item; pair < (pairs); pair += GROUP_X) { \
    re += (list)[2 * pair];                             \
    im += (list)[2 * pair + 1];                         \
  }

// These steps run in kernels of a single work item rather than at the end of a sum, because PoCL 3.1 miscompiles
// branches in the only work item that continues after a barrier.

// alpha = conj(rar) / (Ap|Ap).
FUNCTION void alpha_step(GLOBAL f64* scalars) {
  const i32 runs = scalars[ENDED] == 0 || scalars[ENDED] == ZERO_IMAGE;
  const i32 vanished = scalars[APAP] == 0;
  f64 re = 0, im = 0;
  if (runs && vanished) scalars[ENDED] = ZERO_IMAGE;
  if (runs && !vanished) {
    re = scalars[RAR_NEW] / scalars[APAP];
    im = -scalars[RAR_NEW + 1] / scalars[APAP];
    scalars[RAR] = scalars[RAR_NEW];
    scalars[RAR + 1] = scalars[RAR_NEW + 1];
    scalars[STARTED] = scalars[ITERATIONS] + 1;
  }
  scalars[ALPHA] = re;
  scalars[ALPHA + 1] = im;
  scalars[MINUS_ALPHA] = -re;
  scalars[MINUS_ALPHA + 1] = -im;
}

// Records (r|r) of an iteration, decides whether it is the last one, and computes beta = conj(rar) / rarold. In mixed
// precision only a true residual can end the iterations; alpha p has then been added to the solution, and the
// directions restart.
FUNCTION void beta_step(GLOBAL f64* scalars) {
  const f64 rr = scalars[RR], old_re = scalars[RAR], old_im = scalars[RAR + 1];
  const f64 new_re = scalars[RAR_NEW], new_im = scalars[RAR_NEW + 1];
  const f64 norm = old_re * old_re + old_im * old_im;
  if (scalars[ENDED] != 0) return;
#if MIXED
  const i32 exact = scalars[DUE] != 0;
  if (exact) {
    scalars[ALPHA] = 0;
    scalars[ALPHA + 1] = 0;
    scalars[SINCE] = rr;
  }
  scalars[DUE] = !exact && (rr <= scalars[TARGET] * scalars[BB] || rr <= MIXED_FALL * scalars[SINCE]) ? 1 : 0;
#define AFRESH exact
#else
  const i32 exact = 1;
#define AFRESH 0
#endif
  scalars[ITERATIONS] = scalars[STARTED];
  scalars[HISTORY + (i32)scalars[STARTED] % HISTORY_LENGTH] = rr;
  if (rr - rr != 0) {
    scalars[ENDED] = NOT_FINITE;
  } else if (exact && rr <= scalars[TARGET] * scalars[BB]) {
    scalars[ENDED] = CONVERGED;
  } else if (sqrt(norm) <= SMALLEST_PRODUCT * rr) {
    scalars[ENDED] = ZERO_PRODUCT;
  } else {
    scalars[BETA] = AFRESH ? 0 : (new_re * old_re - new_im * old_im) / norm;
    scalars[BETA + 1] = AFRESH ? 0 : -(new_im * old_re + new_re * old_im) / norm;
  }
}
