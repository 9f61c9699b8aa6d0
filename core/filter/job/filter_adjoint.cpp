#include "core/filter/job/filter_adjoint.h"

#include <string>
#include <utility>
#include <vector>

namespace sscope {

namespace {

bool even(const DenseTaps& taps) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (taps.size[axis] != 2 * taps.anchor[axis] + 1) return false;
  for (std::int64_t z = 0; z < taps.size[2]; ++z)
    for (std::int64_t y = 0; y < taps.size[1]; ++y)
      for (std::int64_t x = 0; x < taps.size[0]; ++x) {
        const double weight = taps.at(x, y, z);
        if (weight != taps.at(taps.size[0] - 1 - x, y, z) || weight != taps.at(x, taps.size[1] - 1 - y, z) ||
            weight != taps.at(x, y, taps.size[2] - 1 - z))
          return false;
      }
  return true;
}

// Why there is no filter with this boundary rule that is the adjoint; empty: the mirrored taps are.
std::string refusal(Boundary boundary, double constant, const Stencil& stencil) {
  switch (boundary) {
    case Boundary::wrap: return {};
    case Boundary::constant:
      return constant == 0 ? "" : "a constant other than 0 outside makes the filter affine, not linear";
    case Boundary::reflect:
      return even(stencil.expanded()) ? "" : "with reflected data only taps that are even along every axis have one";
    case Boundary::mirror: return "the adjoint of mirrored data weights the faces, which no filter does";
    case Boundary::nearest: break;
  }
  return "the adjoint of repeated edges adds to the faces, which no filter does";
}

}  // namespace

compare::Adjoint filterAdjoint(const FilterWorkload& workload, std::size_t output) {
  const Operator& row = workload.operators().at(output);
  const ArraySpec input = workload.input(), result = workload.outputs().at(output);
  const Stencil* stencil = row.stencil();
  if (stencil == nullptr) return {nullptr, "the filter is not linear"};
  if (isInteger(input.type) || isInteger(result.type)) return {nullptr, "integers are rounded, which is not linear"};
  if (result.extent != input.extent) return {nullptr, "it computes a part of the data"};
  if (std::string why = refusal(workload.boundary(), workload.constant(), *stencil); !why.empty())
    return {nullptr, std::move(why)};
  return {std::make_unique<FilterWorkload>(std::vector<Operator>{flipped(row)}, workload.boundary(),
                                           workload.constant(), result, input.type)};
}

}  // namespace sscope
