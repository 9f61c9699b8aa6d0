#pragma once
// The double-precision reference of the conjugate residual: algorithm 1 of A. Cassagne et al., Portage d'un code de
// lattice QCD sur GPU (2013), line by line, with the operator's formula at every site.

#include <span>
#include <vector>

#include "core/base/control.h"
#include "core/lattice/fields.h"
#include "core/lattice/wilson.h"

namespace sscope {

struct CrReference {
  lattice::SpinorField solution;
  std::vector<double> residuals;  // |r| / |b| before the first iteration and after each
  // The largest |r| |Ar| / |(r|Ar)|: the cancellation in the products, over the iterations that still affect the
  // solution (|r| above 1e-14 |b|).
  double cancellation = 1;
};

// `iterations` of them on A x = gamma_5 source, A = gamma_5 D + i twist, from x = 0; fewer if it breaks down: (Ap|Ap) =
// 0, or |(r|Ar)| <= 1e-28 (r|r). Runs on all cores; the sums do not depend on their number. Throws Canceled.
[[nodiscard]] CrReference crReference(const lattice::GaugeField& field, const lattice::WilsonParameters& parameters,
                                      double twist, std::span<const lattice::Complex> source, int iterations,
                                      const Control& control);

// |gamma_5 source - A x| / |source|, from the formula; 0 where both are zero. Throws Canceled.
[[nodiscard]] double crResidual(const lattice::GaugeField& field, const lattice::WilsonParameters& parameters,
                                double twist, std::span<const lattice::Complex> source,
                                std::span<const lattice::Complex> x, const Control& control);

}  // namespace sscope
