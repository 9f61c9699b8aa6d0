#include "core/lattice/ranks/rank_space.h"

#include "core/lattice/random.h"

namespace sscope::lattice {

RankSpace::RankSpace(reach::Communicator& communicator, const LatticePart& part, const Control& control)
    : VectorSpace(part.own, part.parityOfFirst()),
      communicator_(communicator),
      part_(part),
      order_(part, communicator, control) {}

// Plane by plane: along x and y the part is as long as the whole.
void RankSpace::hashFill(SpinorField& field, std::uint64_t seed) const {
  const auto each = field.size() / static_cast<std::size_t>(planes());
  std::size_t k = 0;
  for (int t = part_.begin[3]; t < part_.end(3); ++t)
    for (int z = part_.begin[2]; z < part_.end(2); ++z) {
      const auto first = static_cast<std::uint64_t>(z + std::int64_t{part_.whole.extent(2)} * t) * each;
      for (std::uint64_t i = 0; i < each; ++i) field[k++] = hashAt(first + i, seed);
    }
}

Complex RankSpace::total(std::span<const Complex> own, const Control& control) const {
  return order_.ofPlanes(own, communicator_, control);
}

}  // namespace sscope::lattice
