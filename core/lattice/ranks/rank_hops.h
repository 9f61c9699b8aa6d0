#pragma once
// The hops between even and odd sites over ranks (core/lattice/even_odd.h): each has its part's half fields, and gets
// of its neighbors the spinors of one parity. The same bits as one engine of the same kind gives for the whole lattice.

#include <memory>

#include "core/lattice/even_odd.h"
#include "core/lattice/ranks/halo.h"
#include "core/lattice/ranks/lattice_part.h"
#include "core/lattice/ranks/part_rows.h"
#include "core/lattice/wilson.h"
#include "core/lattice/workload/row_plan.h"
#include "core/parts/communicator.h"

namespace sscope::lattice {

class RankHops {
 public:
  // Where every extent of the whole lattice is even. `parameters`: of the operator that `rows` was prepared for, on the
  // part's extended lattice; `rows` outlives this. Throws Error(Memory), Canceled.
  RankHops(const LatticePart& part, const WilsonParameters& parameters, RowPlan& rows, const Control& control);

  // Every rank, with the half fields of its part. Throws Canceled, Error(Io).
  RunReport hop(reach::Communicator& communicator, const Hops& hops, const SpinorField& in, SpinorField& out,
                const Control& control);

 private:
  void fill(const SpinorField& in, const Control& control);
  [[nodiscard]] std::vector<RowRange> ranges(const std::vector<PartRows>& rows, const Hops& hops,
                                             SpinorField& out) const;

  LatticePart part_;
  RowPlan& rows_;
  SortedRows sorted_;
  SpinorHalo halo_, adjointHalo_;
  SpinorField in_;  // of one parity, on the extended lattice
};

}  // namespace sscope::lattice
