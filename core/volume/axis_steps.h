#pragma once
// The steps between voxels as files give them: axis by axis, each in a unit of its own.

#include <array>
#include <string>

#include "core/volume/geometry.h"

namespace sscope {

struct AxisStep {
  double step = 1;   // > 0; ignored for Assumed
  std::string unit;  // in any spelling that lengthUnit() knows; empty: the file gives none
  StepSource source = StepSource::Given;
};

// Sets spacing, unit and steps of the geometry, whose origin is in `geometry.unit` and follows. The unit is that of the
// first axis that has one of length; the others are converted to it. An axis without one, beside axes that have one,
// and every axis whose step is no positive number, is Assumed. Where no axis has a unit of length the unit is the word
// that all share, or none.
void setSteps(Geometry& geometry, const std::array<AxisStep, 3>& axes);

// "the file gives no gap between slices; 1 is assumed, and lengths along z are refused: give it with --spacing ..."
// Empty where all steps along axes with more than one voxel are known, and where no axis has a unit of length: then
// nothing is misunderstood.
[[nodiscard]] std::string assumedNotice(const Geometry& geometry, const std::array<std::int64_t, 3>& extent);

[[nodiscard]] bool isAssumedNotice(const std::string& notice);

}  // namespace sscope
