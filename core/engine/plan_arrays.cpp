#include "core/engine/plan_arrays.h"

#include <algorithm>

#include "core/base/error.h"

namespace sscope {

void requireArrays(const Workload& workload, const Inputs& inputs, std::span<const ArrayView> outputs) {
  const auto fits = [](const auto& array, const ArraySpec& spec) {
    return array.type == spec.type && array.extent == spec.extent;
  };
  const std::vector<ArraySpec> in = workload.inputs(), out = workload.outputs();
  if (!std::equal(inputs.arrays.begin(), inputs.arrays.end(), in.begin(), in.end(), fits) ||
      !std::equal(outputs.begin(), outputs.end(), out.begin(), out.end(), fits))
    throw Error(ErrorKind::Usage, "the arrays do not match the prepared plan", "prepare it for their shape and type");
}

}  // namespace sscope
