#pragma once
// Rungs that round more than the precision of their workload asks for. They are labeled extras: never an engine's
// default, never chosen by themselves, and judged by bounds of their own, which are part of what they mean.

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
  Precision computed = Precision::f32;  // of the arithmetic, whose peak is the ceiling
  // Compares a run's outputs with the float64 truth.
  std::function<Verification(const Workload&, std::span<const ConstArrayView> inputs,
                             std::span<const ConstArrayView> outputs, const VerifyOptions&, const Control&)>
      judge;
};

}  // namespace sscope
