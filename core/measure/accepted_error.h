#pragma once
// The accepted error of an element against the reference (docs/dev/decisions/003-error-bound.md).

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
  double floor = 0;     // a magnitude: the largest loss of subnormal numbers
  ErrorScale scale = ErrorScale::Element;
  bool exact = false;     // equal, or wrong
  bool enclosed = false;  // elements with a magnitude of NaN cannot be judged
  double overflow = 0;    // from this magnitude on, sums may exceed the range of the type

  // The number to which the error is relative. If a sum of magnitudes overflows, the largest number replaces it.
  [[nodiscard]] double scaleOf(double magnitude, double reference) const;
};
[[nodiscard]] Tolerance toleranceOf(const Workload& workload, std::size_t output, ElementType type,
                                    const VerifyOptions& options);

// Replaces each component by the norm of its voxel's components.
[[nodiscard]] std::vector<double> joinedComponents(std::vector<double> magnitude, std::size_t components);

// The accepted distances from the reference of all elements in a box of an output, components innermost, x fastest: 0
// for integers and exact results, infinite if only the norm of the whole is judged, NaN if rounding decides. Takes as
// long as the reference of the box. Throws Canceled.
[[nodiscard]] std::vector<double> acceptedErrors(const Workload& workload, std::span<const ConstArrayView> inputs,
                                                 std::size_t output, const Box& box, const VerifyOptions& options,
                                                 const Control& control);

}  // namespace sscope
