#pragma once
// The sites that a run of the conjugate residual computes, cut into planes of constant z and t: each has a sum of its
// own (core/lattice/ranks/ordered_sum.h). And what a run needs of other ranks.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/cpu/lattice/cr_loops.h"
#include "core/lattice/ranks/halo.h"
#include "core/lattice/ranks/lattice_part.h"
#include "core/lattice/ranks/ordered_sum.h"
#include "core/parts/communicator.h"

namespace sscope::cpu {

struct CrPiece {
  ElementRange rows, elements;  // of the fields
  std::int64_t outside = 0;     // of the caller's arrays, the first element
};

struct CrPieces {
  explicit CrPieces(const lattice::Lattice& whole);
  // Fields lie on the extended lattice; the caller's time slices are `slice` elements apart.
  CrPieces(const lattice::LatticePart& part, std::int64_t slice);

  std::int64_t perSlice = 1;
  std::vector<CrPiece> all;  // in order of z, then t
  // Those that need no halo, and the others.
  std::vector<std::size_t> inner, outer;
};

class CrRanks {
 public:
  // Every rank. `part` and `communicator` outlive this.
  CrRanks(reach::Communicator& communicator, const lattice::LatticePart& part,
          const lattice::WilsonParameters& parameters, const Control& control);

  [[nodiscard]] const lattice::LatticePart& part() const { return part_; }
  // Every rank.
  [[nodiscard]] Complex total(const std::vector<Complex>& planes, const Control& control) const {
    return sum_.ofPlanes(planes, communicator_, control);
  }
  // The halo of a field on the extended lattice is asked for, and written. `Stored`: double or float.
  template <class Stored>
  [[nodiscard]] std::unique_ptr<reach::Exchange> beginHalo(const Stored* field, const Control& control);
  template <class Stored>
  void endHalo(std::unique_ptr<reach::Exchange> exchange, Stored* field, const Control& control);
  // Of an exchange of such fields, bytes that this rank sends; and the seconds it has waited in all.
  template <class Stored>
  [[nodiscard]] std::int64_t haloBytes() {
    return halo<Stored>().bytes();
  }
  [[nodiscard]] double waited() const { return waited_; }

 private:
  template <class Stored>
  [[nodiscard]] lattice::BasicSpinorHalo<Stored>& halo();

  reach::Communicator& communicator_;
  const lattice::LatticePart& part_;
  lattice::WilsonParameters parameters_;
  lattice::OrderedSum sum_;
  std::optional<lattice::BasicSpinorHalo<double>> doubles_;
  std::optional<lattice::BasicSpinorHalo<float>> floats_;
  double waited_ = 0;
};

}  // namespace sscope::cpu
