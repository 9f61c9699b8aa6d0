#pragma once
// Wavelet transforms over ranks: each has whole blocks of 2^levels planes along z, and as many around them as its sums
// read, as a periodic array of its own. Of the coefficients or samples computed there the outer ones are thrown away:
// the others are what the whole has.

#include <cstdint>
#include <vector>

#include "core/parts/communicator.h"
#include "core/parts/partition.h"
#include "core/volume/volume.h"
#include "core/wavelet/workload/dwt_workload.h"

namespace sscope {

enum class DwtPasses : std::uint8_t { Forward, Inverse, Both };

struct DwtSlab {
  Range own;        // of the samples, extended to a multiple of 2^levels
  std::int64_t before = 0;  // planes in front of them in the slab's own array
  std::int64_t planes = 0;  // of that array; the whole where it would be as long
  std::int64_t whole = 0;   // samples along z, extended

  // The plane of the extended samples at a place of the slab's own array.
  [[nodiscard]] std::int64_t sample(std::int64_t place) const {
    return ((own.begin - before + place) % whole + whole) % whole;
  }
};

// Of one rank of `ranks`. `pyramid`: of the whole. Throws Error(Usage) for fewer blocks than ranks.
[[nodiscard]] DwtSlab dwtSlab(const Pyramid& pyramid, int taps, DwtPasses passes, int rank, int ranks);

// Planes of coefficients that follow each other in the pyramid of the whole and in that of a slab: where they are low
// or high along z at a level. What deeper levels have of such planes comes later in a list, and overwrites.
struct DwtLayer {
  int level = 1;
  std::int64_t inWhole = 0, inSlab = 0, count = 0;  // first planes, and how many
  std::int64_t nx = 0, ny = 0;                      // the corner of the planes that it fills
};
// The layers of a slab's own coefficients; or of all in its array, which wrap around the whole's ends. One for all
// planes where z is not transformed.
[[nodiscard]] std::vector<DwtLayer> ownLayers(const Pyramid& pyramid, const DwtSlab& slab);
[[nodiscard]] std::vector<DwtLayer> allLayers(const Pyramid& pyramid, const DwtSlab& slab);

// Every rank: from the coefficients of each slab, the planes of the whole's that are the rank's share (reach::evenly).
// `slabs`: of all ranks. Throws Canceled, Error(Memory, Io).
[[nodiscard]] Volume ownPlanesOfCoefficients(const Volume& coefficients, const Pyramid& pyramid,
                                             std::span<const DwtSlab> slabs, reach::Communicator& communicator,
                                             const Control& control);

}  // namespace sscope
