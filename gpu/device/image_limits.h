#pragma once
// Checks of images, for all devices.

#include "gpu/device/device.h"

namespace sscope {

// Throws Error(Unsupported) unless the device has images of this type and size.
void checkImage(const DeviceProperties& device, ElementType type, std::int64_t width, std::int64_t height);
// Throws Error(Usage) unless `bytes` is the size of the whole image.
void checkImageBytes(const DeviceImage& image, std::size_t bytes);

}  // namespace sscope
