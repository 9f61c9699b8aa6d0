#pragma once
// Devices whose memory is poisoned at first, so that a kernel that reads unwritten memory gives a wrong result instead
// of a correct one by chance.

#include <memory>

#include "core/engine/engine.h"
#include "gpu/device/device.h"

namespace sscope::test {

// The value of all bytes of new buffers, images and pinned memory: NaN as f32 and f64, the largest value or -1 as an
// integer.
inline constexpr std::byte kPoison{0xFF};

// The device, its new memory filled with kPoison. Oclgrind's watches by itself what is written; there the device helps
// it to know (tests/support/oclgrind_device.h) and fills nothing, since what is filled counts as written.
[[nodiscard]] std::unique_ptr<Device> watched(std::unique_ptr<Device> device);

// Releases the large buffers that a device engine keeps between runs, so that the next run gets new ones; results that
// stay on it move to the host. No effect on other engines.
void forgetBuffers(Engine& engine);

}  // namespace sscope::test
