#pragma once
// Wilson's operator with the sites split by the parity of x + y + z + t, which every hop changes. With the even sites
// first,
//   D = 1 - kappa H = |      1       -kappa H_eo |
//                     | -kappa H_oe       1      |
// so that D x = b where (1 - kappa^2 H_eo H_oe) x_e = b_e + kappa H_eo b_o and x_o = b_o + kappa H_oe x_e: a system of
// half the size, better conditioned. With this x_o the residual b - D x is zero on the odd sites and that of the half
// system on the even ones. Source: T. A. DeGrand, Comput. Phys. Commun. 52 (1988) 161.

#include <functional>

#include "core/base/control.h"
#include "core/lattice/fields.h"

namespace sscope::lattice {

// Half fields hold the sites of one parity: half[12 (site / 2) + 4 color + spin]. Their type is that of whole fields.
// Every extent is even; in a rank's part of such a lattice, the extent along x.

// out <- center + sign kappa H in, on the sites of `parity`.
struct Hops {
  int parity = 0;  // 0 even, 1 odd, in the whole lattice
  int sign = 1;
  bool adjoint = false;                 // H^dagger: the signs in front of the gammas swapped
  const SpinorField* center = nullptr;  // of the same parity; null: zero
};
// `in` is of the other parity; `out` has its size and is another field.
using ApplyHops =
    std::function<void(const Hops& hops, const SpinorField& in, SpinorField& out, const Control& control)>;

// The sites whose coordinates in this lattice have this parity, and back.
[[nodiscard]] SpinorField halfOf(const Lattice& lattice, int parity, const SpinorField& whole, const Control& control);
void putHalf(const Lattice& lattice, int parity, const SpinorField& half, SpinorField& whole, const Control& control);

class EvenOdd {
 public:
  // `hops` must outlive this. `parityOfFirst`: the parity in the whole lattice of the first site of a rank's part.
  EvenOdd(const Lattice& lattice, const ApplyHops& hops, int parityOfFirst = 0)
      : lattice_(lattice), hops_(hops), parityOfFirst_(parityOfFirst) {}

  // b_e + kappa H_eo b_o.
  [[nodiscard]] SpinorField source(const SpinorField& whole, const Control& control);
  // out <- (1 - kappa^2 H_eo H_oe) in, or its adjoint; both on even sites. `out` has the size of `in`.
  void apply(bool adjoint, const SpinorField& in, SpinorField& out, const Control& control);
  // The whole solution that belongs to x_e.
  [[nodiscard]] SpinorField solution(const SpinorField& wholeSource, const SpinorField& even, const Control& control);

 private:
  [[nodiscard]] int here(int parity) const { return parity ^ parityOfFirst_; }

  Lattice lattice_;
  const ApplyHops& hops_;
  int parityOfFirst_;
  SpinorField odd_;  // scratch
};

}  // namespace sscope::lattice
