#pragma once
// How far a step went.

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

  // ||u_n - u_(n-1)|| / ||u_n||; nothing where it is not known.
  [[nodiscard]] std::optional<double> relative() const {
    if (!(size > 0)) return std::nullopt;
    return std::sqrt(change / size);
  }
  // Of parts of the same arrays.
  StepNorms& operator+=(const StepNorms& other) {
    change += other.change;
    size += other.size;
    return *this;
  }
};

// Of arrays of the same extents, the second of a floating-point type, on all threads. Elements that are not finite are
// left out.
[[nodiscard]] StepNorms stepNorms(const ConstArrayView& before, const ConstArrayView& after, const Control& control);

// What a plan of filters of several steps is, besides a Plan.
class StepTeller {
 public:
  virtual ~StepTeller() = default;
  // How far the last step of each output of the last run went; sizes of 0 where there is nothing to tell.
  [[nodiscard]] virtual const std::vector<StepNorms>& lastSteps() const = 0;
  // On devices only if asked: what the last step began with is fetched for it.
  virtual void askLastSteps(bool asked) = 0;
};

}  // namespace sscope
