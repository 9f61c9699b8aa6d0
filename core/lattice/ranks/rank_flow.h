#pragma once
// The Wilson flow over ranks: each smooths its time slices, with as many of its neighbors around them as a step reads.
// The same bits as one process of the same kind of processor.

#include <memory>
#include <optional>
#include <vector>

#include "core/lattice/observables.h"
#include "core/lattice/ranks/lattice_part.h"
#include "core/lattice/ranks/rank_space.h"
#include "core/lattice/wilson_flow.h"
#include "core/parts/communicator.h"
#include "core/parts/plane_exchange.h"

namespace sscope::lattice {

class RankFlow {
 public:
  // Every rank. `part`: whole time slices; `links`: of its own sites. Throws Error(Usage) for parts that are cut along
  // z, with a number of ranks that would do, Error(Memory, Io), Canceled.
  RankFlow(reach::Communicator& communicator, const LatticePart& part, const GaugeField& links, const Control& control);

  // Every rank. As WilsonFlow::step(). Throws Canceled, Error(Io).
  void step(double epsilon, reach::Communicator& communicator, const Control& control);
  // Every rank: observables of the whole lattice, the same on all ranks.
  [[nodiscard]] CloverSums sums(reach::Communicator& communicator, const Control& control) const;
  // As densities() of observables.h, for the part's own sites. Throws Error(Usage) for Polyakov, Canceled.
  [[nodiscard]] std::vector<double> densities(Observable observable, const Control& control) const;
  // Of the part's own sites.
  [[nodiscard]] GaugeField field(const Control& control) const;

 private:
  void exchange(reach::Communicator& communicator, const Control& control);

  LatticePart part_;
  reach::PlaneExchange halo_;
  std::shared_ptr<GaugeField> links_;  // with kHalo slices on each side
  std::optional<WilsonFlow> flow_;
  OrderedSum order_;
};

}  // namespace sscope::lattice
