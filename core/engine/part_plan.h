#pragma once
// Plans of periodic workloads that compute a part where its planes are: they take them from the array of the whole, and
// give the part's planes alone. For other plans the planes are copied into arrays of the part's (embedded_plan.h).

#include <cstdint>
#include <vector>

#include "core/engine/plan.h"

namespace sscope {

// Planes are counted along the third axis.
struct PartPlanes {
  std::vector<std::int64_t> from;  // for each plane of the plan's input, its place in the whole's array
  std::int64_t first = 0;          // of the plan's output, the first plane of the part
};

class PartPlan {
 public:
  virtual ~PartPlan() = default;
  // As Plan::run(), with one input, the whole's, and as output the planes of the part.
  virtual RunReport runPart(const Inputs& inputs, const ArrayView& output, const PartPlanes& planes,
                            const Control& control) = 0;
};

}  // namespace sscope
