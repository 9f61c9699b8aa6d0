#pragma once
// Waiting for a device without blocking the ability to stop.

#include "core/base/control.h"
#include "gpu/device/device.h"

namespace sscope {

// Polls until the command has ended, then throws Canceled if a stop was requested meanwhile. It never returns or
// throws while the command may still touch memory, so commands are kept short (launches below 50 ms, transfers of
// some MiB).
void waitFor(DeviceEvent& event, const Control& control);

}  // namespace sscope
