#pragma once
// Energy and charge of the clover with vectors over sites, on all cores.

#include <vector>

#include "core/base/control.h"
#include "core/lattice/link_blocks.h"
#include "core/lattice/link_kernels.h"

namespace sscope::cpu {

// One number per site, in the order of sites.
struct CloverDensities {
  std::vector<double> energy, charge;  // as lattice::Observable
  std::vector<double> plaquette;       // the sum over the six planes of Re tr P
};
// For unitary links, since leaves are parallel-transported from site to site. The result does not depend on the number
// of threads. Throws Canceled, Error(Memory).
[[nodiscard]] CloverDensities cloverDensities(const LinkBlocks& links, const LinkKernels& kernels,
                                              const Control& control);

}  // namespace sscope::cpu
