#include "core/lattice/ranks/joined_parts.h"

namespace sscope::lattice {

std::vector<LatticePart> partsFor(const Lattice& whole, std::size_t engines, std::span<const double> weights) {
  return weights.empty() ? latticeParts(whole, static_cast<int>(engines)) : latticeParts(whole, weights);
}

}  // namespace sscope::lattice
