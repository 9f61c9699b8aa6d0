#include "gpu/device/image_limits.h"

#include <algorithm>

#include "core/base/error.h"

namespace sscope {

void checkImage(const DeviceProperties& device, ElementType type, std::int64_t width, std::int64_t height) {
  if (device.largestImage == 0)
    throw Error(ErrorKind::Unsupported, device.name + " has no images", "choose another variant");
  if (type != ElementType::u8 && type != ElementType::f32)
    throw Error(ErrorKind::Unsupported, "images of " + std::string(toString(type)) + " are not supported",
                "choose u8 or f32");
  if (std::min(width, height) < 1 || std::max(width, height) > device.largestImage)
    throw Error(ErrorKind::Unsupported,
                device.name + " has no images of " + std::to_string(width) + " x " + std::to_string(height) +
                    "; its limit is " + std::to_string(device.largestImage) + " either way",
                "choose another variant");
}

void checkImageBytes(const DeviceImage& image, std::size_t bytes) {
  const auto expected =
      static_cast<std::size_t>(image.width()) * static_cast<std::size_t>(image.height()) * bytesOf(image.type());
  if (bytes != expected)
    throw Error(ErrorKind::Usage,
                "an image of " + std::to_string(expected) + " bytes was given " + std::to_string(bytes) + " bytes");
}

}  // namespace sscope
