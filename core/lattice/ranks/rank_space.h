#pragma once
// Sums and vectors over the sites of all ranks.

#include <span>
#include <vector>

#include "core/lattice/parallel.h"
#include "core/lattice/ranks/lattice_part.h"
#include "core/lattice/vector_space.h"
#include "core/parts/communicator.h"

namespace sscope::lattice {

// Sums over all sites whose last digits depend neither on threads nor on the number of ranks: one sum for each plane of
// constant z and t, those of a time slice added in order of z, and the slices' in order of t.
class OrderedSum {
 public:
  // Every rank. Throws Canceled, Error(Io), as all below.
  OrderedSum(const LatticePart& part, reach::Communicator& communicator, const Control& control);

  // Every rank, with the sums of its planes; gives the same bits on all ranks. Only sums of time slices are exchanged
  // where z is not cut.
  [[nodiscard]] Complex ofPlanes(std::span<const Complex> planes, reach::Communicator& communicator,
                                 const Control& control) const;

 private:
  [[nodiscard]] Complex gathered(std::span<const Complex> own, reach::Communicator& communicator,
                                 const Control& control) const;

  std::int64_t planes_;              // of a time slice of the part
  std::int64_t perSlice_;            // values of a time slice of the whole: its planes, or 1 where z is not cut
  std::vector<std::size_t> places_;  // in the whole, of the values of all ranks
};

// The vectors of solvers over ranks: each has the sites of its part, and sums are those of all.
class RankSpace final : public VectorSpace {
 public:
  // Every rank. The communicator outlives it. Throws Canceled, Error(Io).
  RankSpace(reach::Communicator& communicator, const LatticePart& part, const Control& control);

  void hashFill(SpinorField& field, std::uint64_t seed) const override;

 protected:
  [[nodiscard]] Complex total(std::span<const Complex> own, const Control& control) const override;

 private:
  reach::Communicator& communicator_;
  LatticePart part_;
  OrderedSum order_;
};

}  // namespace sscope::lattice
