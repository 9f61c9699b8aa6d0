#pragma once
// Devices whose memory starts out useless, so that a kernel which reads what nobody wrote gives a wrong result and not,
// by chance, the right one.

#include <memory>

#include "core/engine/engine.h"
#include "gpu/device/device.h"

namespace sscope::test {

// What all bytes of new buffers, images and pinned memory are: not a number as f32 and f64, the largest or -1 as an
// integer.
inline constexpr std::byte kPoison{0xFF};

// The device, its new memory filled with kPoison. Oclgrind's watches by itself what is written; there the device helps
// it to know (tests/support/oclgrind_device.h) and fills nothing, since what is filled counts as written.
[[nodiscard]] std::unique_ptr<Device> watched(std::unique_ptr<Device> device);

// Lets go of the large buffers that a device engine keeps from run to run: the next run gets new ones. Nothing for
// other engines.
void forgetBuffers(Engine& engine);

}  // namespace sscope::test
