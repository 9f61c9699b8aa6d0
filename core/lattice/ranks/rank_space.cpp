#include "core/lattice/ranks/rank_space.h"

#include <array>

#include "core/lattice/random.h"

namespace sscope::lattice {

OrderedSum::OrderedSum(const LatticePart& part, reach::Communicator& communicator, const Control& control)
    : planes_(part.own.extent(2)), perSlice_(part.cut[2] ? part.whole.extent(2) : 1) {
  const int z = part.cut[2] ? part.begin[2] : 0, nz = part.cut[2] ? part.own.extent(2) : 1;
  const std::array<double, 4> here{double(z), double(nz), double(part.begin[3]), double(part.own.extent(3))};
  const std::vector<double> all = communicator.gather(here, control);
  for (std::size_t k = 0; k < all.size(); k += here.size())
    for (double t = 0; t < all[k + 3]; ++t)
      for (double plane = 0; plane < all[k + 1]; ++plane)
        places_.push_back(static_cast<std::size_t>((all[k + 2] + t) * static_cast<double>(perSlice_) + all[k] + plane));
}

Complex OrderedSum::ofPlanes(std::span<const Complex> planes, reach::Communicator& communicator,
                             const Control& control) const {
  if (perSlice_ > 1) return gathered(planes, communicator, control);
  const auto count = static_cast<std::size_t>(planes_);
  std::vector<Complex> slices;
  for (std::size_t first = 0; first < planes.size(); first += count)
    slices.push_back(sumInOrder(planes.subspan(first, count), static_cast<std::int64_t>(count)));
  return gathered(slices, communicator, control);
}

Complex OrderedSum::gathered(std::span<const Complex> own, reach::Communicator& communicator,
                             const Control& control) const {
  const std::vector<double> all =
      communicator.gather({reinterpret_cast<const double*>(own.data()), 2 * own.size()}, control);
  std::vector<Complex> values(places_.size());
  for (std::size_t k = 0; k < places_.size(); ++k) values[places_[k]] = {all[2 * k], all[2 * k + 1]};
  return sumInOrder(values, perSlice_);
}

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
