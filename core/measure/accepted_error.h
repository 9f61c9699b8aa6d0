#pragma once
// How far from the reference an element may be and still count as right (docs/dev/decisions/003-error-bound.md).

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/control.h"
#include "core/measure/verify.h"
#include "core/volume/array_view.h"
#include "core/workload/workload.h"

namespace sscope {

// An engine's element is right within relative * (its magnitude + floor).
struct Tolerance {
  double relative = 0;  // of the norms
  double element = 0;   // of an element, on its scale
  double floor = 0;     // a magnitude: what numbers below the normal ones may lose
  ErrorScale scale = ErrorScale::Element;
  bool exact = false;     // equal, or wrong
  bool enclosed = false;  // a magnitude of NaN is one that cannot be judged
  double overflow = 0;    // of magnitudes from here on, sums of so many terms may leave the range of the type

  // What the error is relative to. Where a sum of magnitudes overflows, the largest number stands for it.
  [[nodiscard]] double scaleOf(double magnitude, double reference) const;
};
[[nodiscard]] Tolerance toleranceOf(const Workload& workload, std::size_t output, ElementType type,
                                    const VerifyOptions& options);

// The norm of each voxel's components in place of each of them.
[[nodiscard]] std::vector<double> joinedComponents(std::vector<double> magnitude, std::size_t components);

// The accepted distances from the reference of all elements in a box of an output, components innermost, x fastest: 0
// for integers and exact results, infinite where only the norm of the whole is judged, NaN where rounding decides.
// Takes as long as the reference of the box. Throws Canceled.
[[nodiscard]] std::vector<double> acceptedErrors(const Workload& workload, std::span<const ConstArrayView> inputs,
                                                 std::size_t output, const Box& box, const VerifyOptions& options,
                                                 const Control& control);

}  // namespace sscope
