#pragma once
// How busy the device of an engine is.

#include <optional>

#include "core/engine/engine.h"

namespace sscope {

// Empty for engines that compute on the processor. From any thread, without waiting for what runs; takes a millisecond
// or two, but for the first time, which may open a library.
[[nodiscard]] std::optional<DeviceLoad> deviceLoadOf(Engine& engine);

}  // namespace sscope
