#pragma once
// Clocks and load of NVIDIA's graphics processors as its management library tells them, opened at run time. Where it is
// missing or knows nothing there are no readings, which is no error.

#include <optional>
#include <string>

#include "core/engine/engine.h"

namespace sscope {

// Where a device is plugged in, as the library writes it: "00000000:3b:00.0".
[[nodiscard]] std::string pciName(unsigned domain, unsigned bus, unsigned device);
// `pci`: the above; empty: unknown.
[[nodiscard]] std::optional<ClockReading> readNvidiaClock(const std::string& pci);
// The same for its load, with the reason where nothing is known.
[[nodiscard]] DeviceLoad readNvidiaLoad(const std::string& pci);
// The words for the bits of the reasons that the library gives for a low clock. Being idle, or as fast as somebody
// asked for, is none.
[[nodiscard]] std::vector<std::string> clockLimits(unsigned long long reasons);

}  // namespace sscope
