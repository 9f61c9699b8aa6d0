#pragma once
// Variants that compute or store in a lower precision than their workload's. They are labeled extras: never a default,
// never chosen automatically, and verified against error bounds of their own.

#include <functional>
#include <span>
#include <string>

#include "core/base/control.h"
#include "core/volume/array_view.h"
#include "core/workload/workload.h"

namespace sscope {

struct Verification;   // core/measure/verify.h
struct VerifyOptions;  // core/measure/verify.h

struct LowerPrecision {
  std::string words;                    // for labels: "float32", "stored in float32"
  Precision computed = Precision::f32;  // of the arithmetic; its peak rate is the ceiling
  // Compares a run's outputs with the float64 reference.
  std::function<Verification(const Workload&, std::span<const ConstArrayView> inputs,
                             std::span<const ConstArrayView> outputs, const VerifyOptions&, const Control&)>
      judge;
};

}  // namespace sscope
