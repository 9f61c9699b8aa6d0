#pragma once
// How far a step went.

#include "core/base/control.h"
#include "core/engine/run_report.h"
#include "core/volume/array_view.h"

namespace sscope {

// Of arrays of the same extents, the second of a floating-point type, on all threads. Elements that are not finite are
// left out.
[[nodiscard]] StepNorms stepNorms(const ConstArrayView& before, const ConstArrayView& after, const Control& control);

}  // namespace sscope
