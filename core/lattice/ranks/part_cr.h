#pragma once
// Plans of the workload cr can also be one of several ranks: prepared for the extended lattice of a part, with the
// links of the halo, they iterate on the part's own sites.

#include <cstdint>
#include <string>

#include "core/lattice/ranks/lattice_part.h"
#include "core/lattice/workload/cr_plan.h"
#include "core/parts/communicator.h"

namespace sscope {

// A part's spinors where they lie: consecutive time slices are `slice` elements apart.
struct CrPlace {
  const lattice::Complex* source = nullptr;
  lattice::Complex* solution = nullptr;
  std::int64_t slice = 0;
};

class PartCrPlan {
 public:
  virtual ~PartCrPlan() = default;
  // Why this part cannot be computed; empty if it can.
  [[nodiscard]] virtual std::string refused(const lattice::LatticePart& /*part*/) const { return {}; }
  // Every rank, with the same request but for its observers. The sums are those of OrderedSum, so that all ranks
  // decide the same, and the solution is that of one rank to the last bit. Throws as CrPlan::solve(), and Error(Io).
  virtual CrOutcome solvePart(reach::Communicator& communicator, const lattice::LatticePart& part, const CrPlace& place,
                              const CrRequest& request, const Control& control) = 0;
};

}  // namespace sscope
