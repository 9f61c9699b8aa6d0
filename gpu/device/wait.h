#pragma once
// Waiting for a device with support for cancellation.

#include "core/base/control.h"
#include "gpu/device/device.h"

namespace sscope {

// Polls until the command has ended, then throws Canceled if a stop was requested meanwhile. It never returns or throws
// while the command may still access memory, so commands must be short (launches below 50 ms, transfers of a few MiB).
void waitFor(DeviceEvent& event, const Control& control);

// What to do between two looks at something that has been waited for since `waited` seconds; `onProcessor`: that this
// machine's processor works on.
void pauseWaiting(double waited, bool onProcessor);

}  // namespace sscope
