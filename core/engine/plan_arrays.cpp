#include "core/engine/plan_arrays.h"

#include <algorithm>

#include "core/base/error.h"

namespace sscope {

void requireArrays(const Workload& workload, const Inputs& inputs, std::span<const ArrayView> outputs) {
  requireArrays(workload.inputs(), workload.outputs(), inputs, outputs);
}

namespace {

template <class Output>
void requireAll(std::span<const ArraySpec> in, std::span<const ArraySpec> out, const Inputs& inputs,
                std::span<const Output> outputs) {
  const auto fits = [](const auto& array, const ArraySpec& spec) {
    return array.type == spec.type && array.extent == spec.extent;
  };
  if (!std::equal(inputs.arrays.begin(), inputs.arrays.end(), in.begin(), in.end(), fits) ||
      !std::equal(outputs.begin(), outputs.end(), out.begin(), out.end(), fits))
    throw Error(ErrorKind::Usage, "the arrays do not match the prepared plan", "prepare it for their shape and type");
}

}  // namespace

void requireArrays(std::span<const ArraySpec> in, std::span<const ArraySpec> out, const Inputs& inputs,
                   std::span<const ArrayView> outputs) {
  requireAll(in, out, inputs, outputs);
}

void requireArrays(std::span<const ArraySpec> in, std::span<const ArraySpec> out, const Inputs& inputs,
                   std::span<const ArraySpec> outputs) {
  requireAll(in, out, inputs, outputs);
}

}  // namespace sscope
