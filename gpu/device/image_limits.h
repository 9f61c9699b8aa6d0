#pragma once
// What every device asks of its images.

#include "gpu/device/device.h"

namespace sscope {

// Throws Error(Unsupported) unless the device has images of this type and size.
void checkImage(const DeviceProperties& device, ElementType type, std::int64_t width, std::int64_t height);
// Throws Error(Usage) unless the data is the whole image.
void checkImageBytes(const DeviceImage& image, std::size_t bytes);

}  // namespace sscope
