#pragma once
// The kinetic operator on a volume, for `sscope magic --taps kinetic`.

#include "core/wavelet/job/transform_job.h"
#include "core/wavelet/workload/magic_workload.h"

namespace sscope {

// -1/2 of the sum of the second derivatives along all axes, of coefficients in the basis of scaling functions of this
// order, periodic, in units of the grid's spacing: one pass of kineticTaps() along each axis longer than one voxel (the
// derivative along the others is zero), each on the engine as lines. `input` is f64, of any number of components.
// Throws as runTransform(), Error(Usage) for an order without a filter.
[[nodiscard]] TransformResult kineticTransform(const EngineSet& engines, const VariantTable& variants,
                                               std::int64_t order, const Volume& input, const EngineChoice& where,
                                               const Control& control);

// The lines along one axis (0 to 2) of data of this shape, f64, of one component.
[[nodiscard]] MagicWorkload kineticLines(const VolumeShape& shape, int axis, std::int64_t order);

}  // namespace sscope
