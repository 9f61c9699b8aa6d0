#pragma once
// How a lattice is shared by several engines of this machine.

#include <span>
#include <vector>

#include "core/engine/joined_parts.h"
#include "core/lattice/ranks/lattice_part.h"

namespace sscope::lattice {

// Parts of the lattice in proportion to weights, or equal ones where there are none. Throws as latticeParts().
[[nodiscard]] std::vector<LatticePart> partsFor(const Lattice& whole, std::size_t engines,
                                                std::span<const double> weights);

}  // namespace sscope::lattice
