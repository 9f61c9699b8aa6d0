#include "core/lattice/clover_densities.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>

#include "core/lattice/plaquette_walk.h"

namespace sscope::cpu {

CloverDensities cloverDensities(const LinkBlocks& links, const LinkKernels& kernels, const Control& control) {
  const BlockShape& shape = links.shape();
  const auto sites = static_cast<std::size_t>(shape.lattice.volume());
  CloverDensities all{std::vector<double>(sites), std::vector<double>(sites), std::vector<double>(sites)};
  const std::int64_t nx = shape.lattice.extent(0), rowDoubles = shape.rowDoubles(1);
  // A row with the lanes behind its last site.
  tbb::enumerable_thread_specific<AlignedDoubles> rows([&] { return AlignedDoubles(3 * rowDoubles); });
  PlaquetteWalk walk(shape);
  walk.run(links, kernels.tracedPlaquettes, control, [&](std::int64_t row, const NeighborRows& neighbors) {
    double* const energy = rows.local().data();
    double *const charge = energy + rowDoubles, *const plaquette = charge + rowDoubles;
    kernels.clover({neighbors, energy, charge, plaquette});
    std::copy_n(energy, nx, all.energy.begin() + row * nx);
    std::copy_n(charge, nx, all.charge.begin() + row * nx);
    std::copy_n(plaquette, nx, all.plaquette.begin() + row * nx);
  });
  return all;
}

}  // namespace sscope::cpu
