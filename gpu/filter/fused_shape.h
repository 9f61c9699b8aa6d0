#pragma once
// The work that separable terms in one kernel (filter_fused.kernel) share: equal lines along x are filtered once, and
// so are equal lines along y that follow the same line along x.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/filter/stencil.h"
#include "core/filter/workload/filter_workload.h"
#include "gpu/device/device.h"

namespace sscope {

struct FusedLines {
  struct Line {
    std::size_t from = 0;  // the index of the line along the previous axis that it filters
    AxisTaps taps;
  };
  struct Output {
    std::size_t firstTerm = 0, terms = 0;  // of z; they are added up
    std::int64_t last = 0;                 // plane of the window with which its sum is complete
  };
  std::vector<Line> x, y;
  std::vector<Line> z;              // one term each, in the order of the outputs
  std::vector<std::int64_t> delay;  // of each term: planes between its sum and that of its output
  std::vector<Output> outputs;
  // Extents and anchor of the smallest box around all taps.
  std::array<std::int64_t, 3> window{1, 1, 1}, anchor{0, 0, 0};

  // The position of a line's first tap in the window.
  [[nodiscard]] std::int64_t at(const AxisTaps& taps, std::size_t axis) const { return anchor[axis] - taps.anchor; }
  // The number of unfinished sums along z of a column.
  [[nodiscard]] std::int64_t queued() const;
  // All weights in the order of the kernel's structure Taps.
  [[nodiscard]] std::vector<double> weights() const;
  // Whether another's weights may replace these: the kernel would be the same.
  [[nodiscard]] bool sameKernel(const FusedLines& other) const;
};

// For outputs that are sums of such terms. `atOnce`: all sums of a voxel are complete with the same plane.
[[nodiscard]] FusedLines fusedLines(std::span<const std::vector<SeparableTerm>> outputs, bool atOnce = false);

// The definitions of filter_fused.kernel that list lines, terms and outputs, in order: name and value. `values`:
// expressions of SUM_OF_number(r) that are written instead of the sums, which are then complete at once.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> fusedLists(const FusedLines& lines,
                                                                          std::span<const std::string> values = {});

// The tiles of filter_fused.kernel.

// Outputs along y of a work item where sums along z leave it enough registers, and rows of work items of the usual
// tile.
inline constexpr std::int64_t kMostFusedRows = 4, kFusedItemRows = 8;
// The outputs along y of a work item with so many sums along z for each; 0: there are not enough registers for one.
[[nodiscard]] std::int64_t fusedRows(std::int64_t queued, Precision precision);

// The requirements of terms that are computed together.
struct FusedNeeds {
  std::array<std::int64_t, 3> window{1, 1, 1};
  std::int64_t linesX = 1;  // filtered along x
  std::int64_t queued = 0;  // sums along z of a column (FusedLines)
  std::int64_t components = 1;
  std::int64_t planeElements = 1;
  std::int64_t rowElements = 1;   // of the input
  std::int64_t firstElement = 0;  // of a row that the first tap of the first output reads; may lie outside
  Precision precision = Precision::f32;
  bool converts = false;         // the input's type is not that of the arithmetic
  std::int64_t narrowBytes = 0;  // of its elements where these and the value outside are integers of 1 or 2 bytes
};

struct FusedShape {
  std::int64_t tx = 0, ty = 0;  // elements and rows of a tile
  std::int64_t rx = 0, ry = 0;  // outputs of a piece of work along x, of a work item along y
  int vector = 1;               // elements moved at once in local memory
  std::int64_t fetch = 1, left = 0;
  std::int64_t rowPitch = 0, filteredPitch = 0;  // elements
  std::int64_t stages = 2, buffers = 1;
  std::int64_t groupsPerUnit = 1;
  std::int64_t localBytes = 0;
  bool async = false;
  bool raw = false;  // fetched planes hold elements of the input's type

  [[nodiscard]] std::int64_t items() const { return tx * ty / ry; }
};

[[nodiscard]] FusedNeeds fusedNeeds(const FilterWorkload& workload, const FusedLines& lines, Precision precision);
// The fastest tile in measurements among those that fit; empty if none fits, or if 32 bits cannot count the elements of
// a plane.
[[nodiscard]] std::optional<FusedShape> fusedShape(const DeviceProperties& device, const FusedNeeds& needs);

}  // namespace sscope
