#pragma once
// Plans of the workload dirac that can also apply the operator to some rows of sites, for parts of a lattice whose halo
// is on its way. Fields are in host memory.

#include <cstdint>
#include <span>

#include "core/base/control.h"

namespace sscope {

// Rows of sites along x, [begin, end); row r = y + Ly (z + Lz t). `out`: where the first one's spinors go.
struct RowRange {
  std::int64_t begin = 0, end = 0;
  double* out = nullptr;
};

class RowPlan {
 public:
  virtual ~RowPlan() = default;
  // D in on these rows, from a whole field that is dense; other rows of it need not be there where no hop of these
  // leads to them. The same bits as run() gives. Throws as Plan::run().
  virtual void applyRows(const double* in, std::span<const RowRange> rows, const Control& control) = 0;
};

}  // namespace sscope
