#pragma once
// How large something was, for people: x, y and z of an array, all four extents of a field on a lattice.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/measure/measurement.h"
#include "core/options/option.h"
#include "core/workload/catalog.h"

namespace sscope {

// Two for images, three, or a lattice's four.
[[nodiscard]] std::vector<std::int64_t> extentsOf(const Measurement& measurement);
// Of a shape of this workload; the extent in time of lattices is one of the values, or the default.
[[nodiscard]] std::vector<std::int64_t> extentsOf(const WorkloadKind& kind, const std::array<std::int64_t, 3>& shape,
                                                  const OptionValues& values);

// "16 x 16 x 16 x 32".
[[nodiscard]] std::string extentsText(const std::vector<std::int64_t>& extents, const std::string& times = " x ");

}  // namespace sscope
