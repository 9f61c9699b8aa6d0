#pragma once
// What separable terms that one kernel computes (filter_fused.kernel) have in common: lines along x that are alike are
// filtered once, and so are lines along y that are alike and follow the same line along x.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/filter/stencil.h"

namespace sscope {

struct FusedLines {
  struct Line {
    std::size_t from = 0;  // of the lines along the axis before: what it filters
    AxisTaps taps;
  };
  struct Output {
    std::size_t firstTerm = 0, terms = 0;  // of z; they are added up
    std::int64_t last = 0;                 // plane of the window with which its sum is complete
  };
  std::vector<Line> x, y;
  std::vector<Line> z;              // a term each, in the order of the outputs
  std::vector<std::int64_t> delay;  // of each term: planes between its sum and that of its output
  std::vector<Output> outputs;
  // Extents and anchor of the smallest box around all taps.
  std::array<std::int64_t, 3> window{1, 1, 1}, anchor{0, 0, 0};

  // Where a line's first tap lies in the window.
  [[nodiscard]] std::int64_t at(const AxisTaps& taps, std::size_t axis) const { return anchor[axis] - taps.anchor; }
  // Sums along z that a column has under way.
  [[nodiscard]] std::int64_t queued() const;
  // All weights in the order of the kernel's structure Taps.
  [[nodiscard]] std::vector<double> weights() const;
  // Whether another's weights may take the place of these: the kernel would be the same.
  [[nodiscard]] bool sameKernel(const FusedLines& other) const;
};

// Of outputs that are sums of such terms. `atOnce`: all sums of a voxel are complete with the same plane.
[[nodiscard]] FusedLines fusedLines(std::span<const std::vector<SeparableTerm>> outputs, bool atOnce = false);

// The definitions of filter_fused.kernel that list lines, terms and outputs, in order: name and value. `values`: what
// is written instead of the sums, made of SUM_OF_number(r), where these are complete at once.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> fusedLists(const FusedLines& lines,
                                                                          std::span<const std::string> values = {});

}  // namespace sscope
