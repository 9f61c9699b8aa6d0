#pragma once
// Plans of the workload dirac that can also apply the operator, or its hops to the sites of one parity, to some rows of
// sites, for parts of a lattice whose halo is on its way. Fields are in host memory.

#include <cstdint>
#include <span>

#include "core/base/control.h"
#include "core/engine/run_report.h"
#include "core/lattice/even_odd.h"

namespace sscope {

// Rows of sites along x, [begin, end); row r = y + Ly (z + Lz t). `out`: where the first one's spinors go; `center`: of
// hops, the spinors there that they are added to, null: zero.
struct RowRange {
  std::int64_t begin = 0, end = 0;
  double* out = nullptr;
  const double* center = nullptr;
};

class RowPlan {
 public:
  virtual ~RowPlan() = default;
  // D in on these rows, from a whole field that is dense; other rows of it need not be there where no hop of these
  // leads to them. The same bits as run() gives. Throws as Plan::run().
  virtual void applyRows(const double* in, std::span<const RowRange> rows, const Control& control) = 0;
  // The same with HopPlan::hop(): half fields of a lattice whose extent along x is even. The parity is that of
  // coordinates in this lattice, and of `hops` the center is not looked at.
  virtual void hopRows(const lattice::Hops& hops, const double* in, std::span<const RowRange> rows,
                       const Control& control) = 0;
  // What the report of a run says but for work and times.
  [[nodiscard]] virtual RunReport rowReport() const = 0;
};

}  // namespace sscope
