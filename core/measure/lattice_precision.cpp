#include "core/measure/lattice_precision.h"

#include "core/measure/verify.h"

namespace sscope {

namespace {

auto within(double bound) {
  return [bound](const Workload& workload, std::span<const ConstArrayView> inputs,
                 std::span<const ConstArrayView> outputs, const VerifyOptions& options, const Control& control) {
    VerifyOptions own = options;
    own.bound = bound;
    return verify(workload, inputs, outputs, own, control);
  };
}

}  // namespace

LowerPrecision diracStoredInF32() { return {"stored in float32", Precision::f64, within(kDiracStoredBound)}; }
LowerPrecision diracComputedInF32() { return {"float32", Precision::f32, within(kDiracComputedBound)}; }

}  // namespace sscope
