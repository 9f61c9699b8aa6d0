#pragma once
// Clocks and load of NVIDIA's graphics processors, read from its management library, which is opened at run time. If it
// is missing or has no values, there are no readings, which is not an error.

#include <optional>
#include <string>

#include "core/engine/engine.h"

namespace sscope {

// The PCI address of a device in the library's form: "00000000:3b:00.0".
[[nodiscard]] std::string pciName(unsigned domain, unsigned bus, unsigned device);
// `pci`: as above; empty: unknown.
[[nodiscard]] std::optional<ClockReading> readNvidiaClock(const std::string& pci);
// The same for its load, with the reason where it is unknown.
[[nodiscard]] DeviceLoad readNvidiaLoad(const std::string& pci);
// Words for the library's bits of reasons for a low clock. Idleness and a requested clock are not among them.
[[nodiscard]] std::vector<std::string> clockLimits(unsigned long long reasons);

}  // namespace sscope
