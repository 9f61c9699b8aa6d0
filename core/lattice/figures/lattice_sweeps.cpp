// At which points the figures of the lattice ladder's paper were taken.

#include "core/lattice/figures/lattice_figures.h"

namespace sscope {

namespace {

// The paper's lattice; its sites a group, of which 16 is what the rungs take by themselves.
std::vector<SweepPart> latticeParts(bool everyPoint) {
  SweepPart lattice{.values = {{}}};
  if (everyPoint)
    for (const std::int64_t multiple : {8, 64}) lattice.turns.front().push_back({{"multiple", multiple}});
  return {lattice};
}

}  // namespace

std::vector<LadderKind> latticeLadderKinds() {
  return {{"dirac", latticeParts, latticeFigures}, {"cr", latticeParts, latticeFigures}};
}

}  // namespace sscope
