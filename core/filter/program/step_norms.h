#pragma once
// The size of the last step of iterated filters.

#include <cmath>
#include <optional>
#include <vector>

#include "core/base/control.h"
#include "core/volume/array_view.h"

namespace sscope {

// Sums of squares of a step from u_(n-1) to u_n.
struct StepNorms {
  double change = 0;  // of u_n - u_(n-1)
  double size = 0;    // of u_n

  // ||u_n - u_(n-1)|| / ||u_n||; empty if it is unknown.
  [[nodiscard]] std::optional<double> relative() const {
    if (!(size > 0)) return std::nullopt;
    return std::sqrt(change / size);
  }
  // Adds another part of the same arrays.
  StepNorms& operator+=(const StepNorms& other) {
    change += other.change;
    size += other.size;
    return *this;
  }
};

// The norms for arrays of the same extents, the second of a floating-point type; on all threads. Elements that are not
// finite are left out.
[[nodiscard]] StepNorms stepNorms(const ConstArrayView& before, const ConstArrayView& after, const Control& control);

// An additional interface of plans for filters with several steps.
class StepTeller {
 public:
  virtual ~StepTeller() = default;
  // The last step of each output in the last run; sizes of 0 if there is none.
  [[nodiscard]] virtual const std::vector<StepNorms>& lastSteps() const = 0;
  // On devices only on request, because the input of the last step is downloaded for it.
  virtual void askLastSteps(bool asked) = 0;
};

}  // namespace sscope
