#pragma once
// The vectors of solvers over ranks: each has the sites of its part, and sums are those of all.

#include "core/lattice/ranks/lattice_part.h"
#include "core/lattice/ranks/ordered_sum.h"
#include "core/lattice/vector_space.h"
#include "core/parts/communicator.h"

namespace sscope::lattice {

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
