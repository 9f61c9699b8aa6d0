#pragma once
// Wavelet transforms over ranks. Each rank owns whole blocks of 2^levels planes along z. It transforms them together
// with the planes around them that its sums read, as a periodic array of its own, and discards the outer results; the
// others equal those of the whole.

#include <cstdint>
#include <vector>

#include "core/parts/communicator.h"
#include "core/parts/partition.h"
#include "core/volume/volume.h"
#include "core/wavelet/workload/dwt_workload.h"

namespace sscope {

enum class DwtPasses : std::uint8_t { Forward, Inverse, Both };

struct DwtSlab {
  Range own;                // planes of the samples, which are extended to a multiple of 2^levels
  std::int64_t before = 0;  // planes before them in the slab's array
  std::int64_t planes = 0;  // of that array, at most `whole`
  std::int64_t whole = 0;   // planes of the extended samples

  // The plane of the extended samples at position `place` of the slab's array.
  [[nodiscard]] std::int64_t sample(std::int64_t place) const {
    return ((own.begin - before + place) % whole + whole) % whole;
  }
};

// The slab of one of `ranks` ranks; `pyramid` is that of the whole. Throws Error(Usage) for fewer blocks than ranks.
[[nodiscard]] DwtSlab dwtSlab(const Pyramid& pyramid, int taps, DwtPasses passes, int rank, int ranks);

// Consecutive planes of coefficients, low or high along z at one level: their places in the pyramid of the whole and in
// that of a slab. In a list, deeper levels come later and overwrite the corner of the planes before them.
struct DwtLayer {
  int level = 1;
  std::int64_t inWhole = 0, inSlab = 0, count = 0;  // first planes, and how many
  std::int64_t nx = 0, ny = 0;                      // the corner of the planes that it fills
};
// The layers of the coefficients that a slab owns, and of all coefficients in its array, which wrap around the ends of
// the whole. A single layer for all planes if z is not transformed.
[[nodiscard]] std::vector<DwtLayer> ownLayers(const Pyramid& pyramid, const DwtSlab& slab);
[[nodiscard]] std::vector<DwtLayer> allLayers(const Pyramid& pyramid, const DwtSlab& slab);

// Called by every rank. Collects from the coefficients of each slab the planes of the whole that are this rank's share
// (reach::evenly). `slabs`: of all ranks. Throws Canceled, Error(Memory, Io).
[[nodiscard]] Volume ownPlanesOfCoefficients(const Volume& coefficients, const Pyramid& pyramid,
                                             std::span<const DwtSlab> slabs, reach::Communicator& communicator,
                                             const Control& control);

}  // namespace sscope
