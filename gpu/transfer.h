#pragma once
// Moving slices of strided host arrays to and from a device, in pieces short enough to be canceled between.

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/control.h"
#include "core/volume/array_view.h"
#include "gpu/device.h"

namespace sscope {

// Copies the slices `slices` of the view, in this order and densely packed, to the start of the buffer.
void uploadSlices(Device& device, const ConstArrayView& view, std::span<const std::int64_t> slices,
                  const DeviceBuffer& buffer, const Control& control);

// Copies `count` densely packed slices from the start of the buffer into the view's slices from `first` on.
void downloadSlices(Device& device, const DeviceBuffer& buffer, const ArrayView& view, std::int64_t first,
                    std::int64_t count, const Control& control);

// Both take host memory for one slice when the view is not dense.

}  // namespace sscope
