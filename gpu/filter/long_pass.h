#pragma once
// How a separable pass runs on devices with many registers and local memory (filter_long_lines.kernel,
// filter_long_rows.kernel).

#include <cstdint>
#include <optional>

#include "core/workload/workload.h"
#include "gpu/device/device.h"

namespace sscope {

// Elements around the taps of a table, as both kernels ask for.
inline constexpr std::int64_t kTapsBefore = 1, kTapsAfter = 16;

// Along y and z.
struct LongLines {
  static constexpr std::int64_t kBlock = 8;  // outputs of a work item
  int vector = 1;                            // elements of a work item along x
  bool aligned = false;                      // rows begin at whole vectors
  Grid group{64, 2};
};

// `rowMultiple`: the rows that are read and written begin at multiples of so many elements.
[[nodiscard]] std::optional<LongLines> longLines(const DeviceProperties& device, Precision precision,
                                                 std::int64_t rowMultiple);

// Along x.
struct LongRows {
  static constexpr std::int64_t kSpan = 8;         // outputs of a work item
  static constexpr std::int64_t kPlacesAfter = 4;  // extra entries of the table of positions
  std::int64_t rows = 1, tx = 1;                   // of a group: rows, and outputs of each (voxels)
  std::int64_t pitch = 0;                          // elements from line to line in local memory
  std::int64_t items = 1;
  std::int64_t localBytes = 0;
};

// For rows of `width` voxels; empty where they do not fit into local memory.
[[nodiscard]] std::optional<LongRows> longRows(const DeviceProperties& device, Precision precision,
                                               std::int64_t components, std::int64_t width, std::int64_t taps);

}  // namespace sscope
