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

// Boxes that cover all of these: boxes are joined if the joined box takes no longer to compute. `voxel`: the cost of a
// voxel in a large box.
[[nodiscard]] std::vector<Box> joinedBoxes(std::vector<Box> boxes, const std::function<double(const Box&)>& cost,
                                           double voxel);

// All corners and edges, random windows of each face, and 64 random blocks.
[[nodiscard]] std::vector<Box> sampledBoxes(const std::array<std::int64_t, 4>& extent, std::uint64_t seed);

// Tiles in which outliers are searched, so that every element is examined; twice their number is at most `most`. The
// outliers of a tile are the voxel that differs most from the mean of its two neighbors along some axis, and the one
// that differs most along all axes. NaN and Inf come first.
[[nodiscard]] std::vector<Box> outlierTiles(const std::array<std::int64_t, 4>& extent, std::int64_t most);
// A tile with its neighboring voxels within the array.
[[nodiscard]] Box withNeighbors(const Box& tile, const std::array<std::int64_t, 4>& extent);
// The two outliers of a tile, a box each. `part` holds the voxels of the box `of`, which is withNeighbors(tile).
[[nodiscard]] std::array<Box, 2> outliersOf(const ConstArrayView& part, const Box& of, const Box& tile,
                                            const Control& control);

// An output that is compared with the reference: gives parts of it in the host's memory, wherever it is.

class ComparedOutput {
 public:
  // The array or the memory of the view must outlive this.
  explicit ComparedOutput(const ConstArrayView& view) : view_(view), type_(view.type), extent_(view.extent) {}
  // If the array is on a device, boxes are fetched, some MiB at a time.
  ComparedOutput(ResidentArray& array, const Control& control);

  [[nodiscard]] ElementType type() const { return type_; }
  [[nodiscard]] const std::array<std::int64_t, 4>& extent() const { return extent_; }

  // Calls `look` on all threads for every box, with its index and its part of the output, which begins at (0, 0, 0).
  // Throws what `look` and the array throw, and Canceled.
  using Look = std::function<void(std::size_t index, const ConstArrayView& part)>;
  void forEach(const std::vector<Box>& boxes, const Look& look, const Control& control) const;

  // The boxes of outliersOf() for all tiles.
  [[nodiscard]] std::vector<Box> standingOut(std::int64_t most, const Control& control) const;

 private:
  void fetchEach(const std::vector<Box>& boxes, const Look& look, const Control& control) const;

  std::shared_ptr<const Volume> host_;  // of an array in host memory
  ResidentArray* array_ = nullptr;      // of an array on a device
  ConstArrayView view_{};               // without an array
  ElementType type_;
  std::array<std::int64_t, 4> extent_;
};

}  // namespace sscope
