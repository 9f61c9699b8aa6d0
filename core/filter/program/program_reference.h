#pragma once
// The double-precision truth for a program of filters, and how far roundings can carry a result from it.

#include <span>

#include "core/base/control.h"
#include "core/filter/program/program_workload.h"
#include "core/volume/array_view.h"

namespace sscope {

// The values of one output in `box` (in the voxel coordinates of the volume), components innermost. `magnitudes` of the
// same length, or empty: the scale of each value's error. Of sums of products it is sum |w| (|in| + the scale of in's
// own error); order statistics pass the scales of what they choose from on, in so far as these can change the choice.
void programReference(const ProgramWorkload& workload, const ConstArrayView& input, std::size_t output, const Box& box,
                      std::span<double> values, std::span<double> magnitudes, const Control& control);

}  // namespace sscope
