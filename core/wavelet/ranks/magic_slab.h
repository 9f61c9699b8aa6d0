#pragma once
// The magic filter over ranks: each has some planes along z, and those around them that its sums read, as a periodic
// array of its own. Of what is computed of that the outer planes are thrown away: the others are what the whole has.

#include <cstdint>
#include <memory>
#include <vector>

#include "core/parts/partition.h"
#include "core/parts/plane_exchange.h"
#include "core/wavelet/workload/magic_workload.h"

namespace sscope {

struct MagicSlab {
  Range own;                   // of the whole
  std::int64_t before = 0;             // planes in front of them in the slab's own array
  ArraySpec spec;                      // the slab's own array
  std::unique_ptr<Workload> workload;  // on it
  // What is around the own planes, by slots of the own array. Planes wrap around the whole's ends, as often as needed.
  std::vector<reach::WantedPlanes> halo;
};

// Of one rank of `ranks`; the whole itself for one. Throws Error(Usage) for fewer planes than ranks, Error(Unsupported)
// for free boundaries, lines, and images.
[[nodiscard]] MagicSlab magicSlab(const MagicWorkload& whole, const OptionValues& values, int rank, int ranks);

}  // namespace sscope
