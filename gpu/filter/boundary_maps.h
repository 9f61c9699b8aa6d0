#pragma once
// Where voxels lie that taps reach, for kernels that sum single outputs straight from the input.

#include <array>
#include <vector>

#include "gpu/filter/context.h"

namespace sscope {

class BoundaryMaps {
 public:
  BoundaryMaps(const FilterContext& context, const std::array<std::int64_t, 3>& size,
               const std::array<std::int64_t, 3>& anchor)
      : c_(context), size_(size), anchor_(anchor) {}

  // Tables for the first output's first tap and on; those along z hold the tile's places.
  [[nodiscard]] const OwnBuffer* x() const { return &x_; }
  [[nodiscard]] const OwnBuffer* y() const { return &y_; }
  [[nodiscard]] const OwnBuffer* z() const { return z_.buffer(); }

  void finish(const Control& control) {
    x_ = makeTable(device(), places(0, region(0)), control);
    y_ = makeTable(device(), places(1, region(1)), control);
  }
  // Before a tile's launch.
  void put(const FilterTile& tile, const Control& control) {
    z_.put(device(), placesInTile(places(2, {tile.begin, tile.end}), tile), control);
  }
  void needSlices(const Range& outputs, std::vector<bool>& needed) const {
    markSlices(outputs, size_[2], anchor_[2], c_.workload->boundary(), needed);
  }

 private:
  [[nodiscard]] Device& device() const { return c_.engine->device(); }
  [[nodiscard]] Range region(std::size_t axis) const { return {c_.region().begin[axis], c_.region().end[axis]}; }
  [[nodiscard]] std::vector<std::int32_t> places(std::size_t axis, const Range& outputs) const {
    return placesOf(outputs, size_[axis], anchor_[axis], c_.input().extent[axis], c_.workload->boundary(), 0);
  }

  FilterContext c_;
  std::array<std::int64_t, 3> size_, anchor_;
  OwnBuffer x_, y_;
  TileTable z_;
};

}  // namespace sscope
