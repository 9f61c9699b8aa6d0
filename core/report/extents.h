#pragma once
// Extents of measured data, for display: x, y and z of an array, or all four extents of a lattice.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/measure/measurement.h"
#include "core/options/option.h"
#include "core/workload/catalog.h"

namespace sscope {

// Two for images, three for volumes, four for lattices.
[[nodiscard]] std::vector<std::int64_t> extentsOf(const Measurement& measurement);
// The extents for a shape of this workload; a lattice's extent in time comes from the values or is the default.
[[nodiscard]] std::vector<std::int64_t> extentsOf(const WorkloadKind& kind, const std::array<std::int64_t, 3>& shape,
                                                  const OptionValues& values);

// "16 x 16 x 16 x 32".
[[nodiscard]] std::string extentsText(const std::vector<std::int64_t>& extents, const std::string& times = " x ");

}  // namespace sscope
