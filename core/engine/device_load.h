#pragma once
// How busy a device is at a moment, as its driver tells of all programs together.

#include <optional>
#include <string>

namespace sscope {

struct DeviceLoad {
  std::optional<double> busy;  // percent of the last moments in which a kernel ran, 0..100
  std::optional<double> memoryBytes, memoryTotal;
  std::optional<double> megahertz;  // of the multiprocessors
  std::optional<double> watts;
  std::string unavailable{};  // not empty: why nothing is known
};

}  // namespace sscope
