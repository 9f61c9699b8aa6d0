// Wilson's hops with spin projection: only two spins of each hop are multiplied by the link, and the other two follow
// from them. Fields and links are stored in planes, so that reads of adjacent work items coalesce. Four links per site:
// backward hops use the neighbors' links. See dirac_common.h. Defined before: ADJOINT (1: the adjoint of H), ROWS (rows
// stored of each link: 3, or 2 if the third is computed from them).
#define LINK_NUMBERS (6 * ROWS)
#define AT(plane, site) ((REAL)in[(plane)*VOLUME + (site)])

// z times i^phase.
FUNCTION REAL turned_re(i32 phase, REAL re, REAL im) { return phase == 0 ? re : phase == 1 ? -im : phase == 2 ? -re : im; }
FUNCTION REAL turned_im(i32 phase, REAL re, REAL im) { return phase == 0 ? im : phase == 1 ? re : phase == 2 ? -im : -re; }

// sum += factor (1 + sign gamma_mu) U psi(from), with U^dagger if `back`; U is the link of link_site. All arguments but
// the sites and the factor are compile-time constants.
FUNCTION void add_hop(GLOBAL const FIELD* in, GLOBAL const FIELD* links, i32 mu, i32 back, REAL sign, i32 from, i32 link_site,
                      REAL factor, REAL* sum) {
  const i32 phase0 = mu == 0 || mu == 2 ? 1 : mu == 1 ? 2 : 0, phase1 = mu == 0 ? 1 : mu == 2 ? 3 : 0;
  const i32 back0 = mu == 0 || mu == 2 ? 3 : 0, back1 = mu == 0 ? 3 : mu == 1 ? 2 : mu == 2 ? 1 : 0;
  const i32 crossed = mu < 2;  // spin 0 is paired with spin 3, else with spin 2
  REAL pair[12];                // re and im at 4 color + 2 spin
#pragma unroll
  for (i32 c = 0; c < 3; ++c)
#pragma unroll
    for (i32 s = 0; s < 2; ++s) {
      const i32 own = 8 * c + 2 * s, other = 8 * c + 2 * (2 + (crossed ? 1 - s : s)), phase = s == 0 ? phase0 : phase1;
      const REAL re = AT(other, from), im = AT(other + 1, from);
      pair[4 * c + 2 * s] = FMA(sign, turned_re(phase, re, im), AT(own, from));
      pair[4 * c + 2 * s + 1] = FMA(sign, turned_im(phase, re, im), AT(own + 1, from));
    }
  REAL u[18];
#pragma unroll
  for (i32 k = 0; k < LINK_NUMBERS; ++k) u[k] = (REAL)links[(mu * LINK_NUMBERS + k) * VOLUME + link_site];
#if ROWS == 2
#pragma unroll
  for (i32 j = 0; j < 3; ++j) {
    const i32 k = 2 * ((j + 1) % 3), l = 2 * ((j + 2) % 3);
    u[12 + 2 * j] = u[k] * u[6 + l] - u[k + 1] * u[7 + l] - u[l] * u[6 + k] + u[l + 1] * u[7 + k];
    u[13 + 2 * j] = u[l] * u[7 + k] + u[l + 1] * u[6 + k] - u[k] * u[7 + l] - u[k + 1] * u[6 + l];
  }
#endif
#pragma unroll
  for (i32 c = 0; c < 3; ++c)
#pragma unroll
    for (i32 s = 0; s < 2; ++s) {
      REAL re = 0, im = 0;
#pragma unroll
      for (i32 k = 0; k < 3; ++k) {
        const i32 by = 2 * (back ? 3 * k + c : 3 * c + k);
        const REAL u_im = back ? -u[by + 1] : u[by + 1];
        ADD_PRODUCT(re, im, u[by], u_im, pair[4 * k + 2 * s], pair[4 * k + 2 * s + 1]);
      }
      if (mu == 3) re *= factor, im *= factor;
      const i32 lower = crossed ? 1 - s : s, phase = lower == 0 ? back0 : back1;
      const i32 up = 8 * c + 2 * s, low = 8 * c + 2 * (2 + lower);
      sum[up] += re;
      sum[up + 1] += im;
      sum[low] = FMA(sign, turned_re(phase, re, im), sum[low]);
      sum[low + 1] = FMA(sign, turned_im(phase, re, im), sum[low + 1]);
    }
}

#define AHEAD (ADJOINT ? (REAL)1 : (REAL)-1)
#define BACK (ADJOINT ? (REAL)-1 : (REAL)1)

// sum += H psi at site x of slice t.
FUNCTION void add_hops(GLOBAL const FIELD* in, GLOBAL const FIELD* links, i32 x, i32 t, REAL* sum) {
  const i32 site = t * SLICE + x;
  const i32 px = computed_neighbor(site, 0), py = computed_neighbor(site, 1), pz = computed_neighbor(site, 2);
  const i32 mx = computed_neighbor(site, 4), my = computed_neighbor(site, 5), mz = computed_neighbor(site, 6);
  const i32 pt = t + 1 < LT ? site + SLICE : x, mt = t > 0 ? site - SLICE : site + SLICE * (LT - 1);
  add_hop(in, links, 0, 0, AHEAD, px, site, (REAL)1, sum);
  add_hop(in, links, 0, 1, BACK, mx, mx, (REAL)1, sum);
  add_hop(in, links, 1, 0, AHEAD, py, site, (REAL)1, sum);
  add_hop(in, links, 1, 1, BACK, my, my, (REAL)1, sum);
  add_hop(in, links, 2, 0, AHEAD, pz, site, (REAL)1, sum);
  add_hop(in, links, 2, 1, BACK, mz, mz, (REAL)1, sum);
  add_hop(in, links, 3, 0, AHEAD, pt, site, t + 1 < LT ? (REAL)1 : TIME_SIGN, sum);
  add_hop(in, links, 3, 1, BACK, mt, mt, t > 0 ? (REAL)1 : TIME_SIGN, sum);
}
