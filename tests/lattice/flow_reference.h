#pragma once
// A step of the Wilson flow straight from the formula, link by link.

#include "core/lattice/fields.h"

namespace sscope {

// The scheme of lattice::flowed(), one step of epsilon.
[[nodiscard]] lattice::GaugeField flowStepReference(lattice::GaugeField field, double epsilon);

}  // namespace sscope
