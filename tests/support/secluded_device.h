#pragma once
// Devices that reach no other one, as those of different makers do not: the host carries what goes between them.

#include <memory>
#include <utility>

#include "tests/support/forwarding_device.h"
#include "tests/support/watched_device.h"

namespace sscope::test {

class SecludedDevice final : public ForwardingDevice {
 public:
  using ForwardingDevice::ForwardingDevice;
  [[nodiscard]] bool reaches(const Device& /*other*/) const override { return false; }
};

[[nodiscard]] inline std::unique_ptr<Device> secluded(std::unique_ptr<Device> device) {
  return std::make_unique<SecludedDevice>(watched(std::move(device)));
}

}  // namespace sscope::test
