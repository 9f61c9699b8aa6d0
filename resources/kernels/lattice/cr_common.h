// What the kernels of the conjugate residual share (algorithm 1 of Cassagne et al., 2013). See dirac_common.h for the lattice.
//
// Scalars live on the device, so that nothing waits for the host between iterations:
#define APAP 0          // (Ap|Ap)
#define RR 2            // (r|r)
#define RAR_NEW 4       // (r|Ar), as it was just summed
#define RAR 6           // the same before the iteration under way
#define ALPHA 8         // complex, as all of them
#define MINUS_ALPHA 10
#define BETA 12
#define ONE 14
#define BB 16           // (r|r) at the beginning
#define TARGET 17       // of (r|r) / (b|b); 0: none
#define ENDED 18        // 0: under way; 1 converged, 2 (Ap|Ap) is zero, 3 (r|Ar) is zero, 4 not finite: nothing changes
                        // any more
#define ITERATIONS 19   // finished ones
#define STARTED 20      // with the one under way
#define DUE 21          // 1: the true residual takes the place of the recursion's in this iteration (mixed precision)
#define SINCE 22        // (r|r) when that was done last
#define HISTORY 23      // (r|r) after iteration k at HISTORY + k % HISTORY_LENGTH

#define SMALLEST_PRODUCT 1e-28  // of (r|r)
// Mixed precision: (r|r) of the recursion falls by so much between two true residuals.
#define MIXED_FALL 1e-4
#ifndef MIXED
#define MIXED 0
#endif

#define CONVERGED 1
#define ZERO_IMAGE 2
#define ZERO_PRODUCT 3
#define NOT_FINITE 4

// The sum over a group of each work item's re and im, added up as a tree, to to[0] and to[1]. GROUP_X is a power of two;
// needs LOCAL f64 sums_re[GROUP_X], sums_im[GROUP_X].
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

// Adds pairs item, item + GROUP_X, ... of a list to re and im.
#define ADD_PAIRS(list, pairs, item, re, im)            \
  for (i32 pair = item; pair < (pairs); pair += GROUP_X) { \
    re += (list)[2 * pair];                             \
    im += (list)[2 * pair + 1];                         \
  }

// Steps are for kernels of one work item and not for the end of a sum: PoCL 3.1 was seen to go wrong where the only work
// item that goes on after a barrier branches again.

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

// Books (r|r) of an iteration, decides whether it is the last one, and beta = conj(rar) / rarold. In mixed precision only
// a true residual ends the iterations; with it alpha p is in the solution already, and the directions begin anew.
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
