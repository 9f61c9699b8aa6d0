#pragma once
// What a ladder's kernels read of the input: all of it, or for a part of the outputs the slices that it needs.

#include <cstdint>
#include <vector>

#include "core/filter/workload/filter_workload.h"
#include "gpu/filter/context.h"

namespace sscope {

class LadderInput {
 public:
  // All filters have the box of the first.
  explicit LadderInput(const FilterWorkload& workload);

  // To be uploaded, ascending.
  [[nodiscard]] const std::vector<std::int64_t>& slices() const { return slices_; }
  [[nodiscard]] std::int64_t bytes() const;
  // Whether outputs are a part along y or z, so that their rows are not those of the input.
  [[nodiscard]] bool isPart() const { return part_; }
  // For each position that the taps of these outputs (of the part, from 0) reach along an axis: the voxel, along z the
  // place of its slice, or -1 (placesOf).
  [[nodiscard]] std::vector<std::int32_t> places(std::size_t axis, const Range& outputs, std::int64_t extra = 0) const;

 private:
  ArraySpec input_;
  Boundary boundary_;
  Box region_;
  std::array<std::int64_t, 3> size_, anchor_;
  bool part_ = false;
  std::vector<std::int64_t> slices_;
  std::vector<std::int32_t> place_;  // of each slice of the input, or -1
};

}  // namespace sscope
