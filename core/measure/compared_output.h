#pragma once
// The voxels of an output that are compared with the reference, wherever the output lives.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/base/control.h"
#include "core/engine/resident_array.h"
#include "core/volume/array_view.h"

namespace sscope {

// The whole output, in pieces of about the same size, of at most `edge` voxels along each axis.
[[nodiscard]] std::vector<Box> wholeVolume(const std::array<std::int64_t, 4>& extent, std::int64_t edge);

// Boxes that cover all of these, some in one where computing that takes no longer than computing them apart. `voxel`:
// what a voxel of a large box costs.
[[nodiscard]] std::vector<Box> joinedBoxes(std::vector<Box> boxes, const std::function<double(const Box&)>& cost,
                                           double voxel);

// Corners and edges whole, random windows of each face, and 64 random blocks.
[[nodiscard]] std::vector<Box> sampledBoxes(const std::array<std::int64_t, 4>& extent, std::uint64_t seed);

// Outliers are looked for in tiles of an output, in so many that twice their number is at most `most`: in each, the
// voxel that differs most from the mean of its two neighbors along some axis, and the one that differs most along all
// axes. NaN and Inf come first. So every element is checked.
[[nodiscard]] std::vector<Box> outlierTiles(const std::array<std::int64_t, 4>& extent, std::int64_t most);
// A tile with the voxels around it that there are.
[[nodiscard]] Box withNeighbors(const Box& tile, const std::array<std::int64_t, 4>& extent);
// The two outliers of a tile, a box each. `part` holds what lies in the box `of`, which is withNeighbors(tile).
[[nodiscard]] std::array<Box, 2> outliersOf(const ConstArrayView& part, const Box& of, const Box& tile,
                                            const Control& control);

// An output that is compared with the reference, wherever it lives: parts of it, as memory of the host.

class ComparedOutput {
 public:
  // What either shows outlives this.
  explicit ComparedOutput(const ConstArrayView& view) : view_(view), type_(view.type), extent_(view.extent) {}
  // Boxes are fetched where the array is on a device, some MiB at a time.
  ComparedOutput(ResidentArray& array, const Control& control);

  [[nodiscard]] ElementType type() const { return type_; }
  [[nodiscard]] const std::array<std::int64_t, 4>& extent() const { return extent_; }

  // Calls `look` for every box, on all threads: with its index and the part of the output that lies in it, from (0, 0,
  // 0) on. Throws what `look` and the array throw, and Canceled.
  using Look = std::function<void(std::size_t index, const ConstArrayView& part)>;
  void forEach(const std::vector<Box>& boxes, const Look& look, const Control& control) const;

  // See outliersOf().
  [[nodiscard]] std::vector<Box> standingOut(std::int64_t most, const Control& control) const;

 private:
  void fetchEach(const std::vector<Box>& boxes, const Look& look, const Control& control) const;

  std::shared_ptr<const Volume> host_;  // of an array in host memory
  ResidentArray* array_ = nullptr;      // of one that is not
  ConstArrayView view_{};               // without it
  ElementType type_;
  std::array<std::int64_t, 4> extent_;
};

}  // namespace sscope
