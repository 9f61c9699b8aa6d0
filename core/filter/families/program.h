#pragma once
// A bank as a small program: rows that read the data or earlier rows.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/boundary/boundary.h"
#include "core/filter/grid.h"
#include "core/filter/operator.h"
#include "core/filter/recipe.h"
#include "core/volume/array_view.h"

namespace sscope {

struct ProgramOutput {
  std::size_t node = kSource;
  std::string name;  // of the row
};

struct FilterProgram {
  std::vector<ProgramNode> nodes;  // each after those it reads
  std::vector<ProgramOutput> outputs;

  // Whether each output is an operator of its own that reads the data.
  [[nodiscard]] bool plain() const;
};

// The names of the rows that a recipe reads, in the order of its operator's inputs; kSourceName for the data.
[[nodiscard]] std::vector<std::string> inputsOf(const FilterRecipe& recipe);

// The enabled rows of a bank on a grid. `intermediates`: also the results of intermediate rows are outputs. Throws
// Error(Usage) with one sentence that names the row: parameters that do not fit the grid; a name that no row above has,
// or of a row below, a disabled row or two rows; a bank without outputs.
[[nodiscard]] FilterProgram makeProgram(const FilterBank& bank, const FilterGrid& grid, bool intermediates);

// The enabled rows that cannot be computed on this grid, each with the reason; also those that read such a row.
struct RowError {
  std::size_t place = 0;  // among the enabled rows
  std::string reason;
};
[[nodiscard]] std::vector<RowError> rowErrors(const FilterBank& bank, const FilterGrid& grid);

// Whether it holds no voxels.
[[nodiscard]] constexpr bool isEmpty(const Box& box) {
  return box.end[0] <= box.begin[0] || box.end[1] <= box.begin[1] || box.end[2] <= box.begin[2];
}

// Boxes of one volume in its voxel coordinates: the voxels that each node computes, and those of the data that are
// read.
struct ProgramBoxes {
  std::vector<Box> nodes;
  Box source;  // empty boxes, here and for unused nodes, have ends that do not exceed their beginnings
};

// The boxes that the outputs in `region` need, by the boundary rule. A node's box ends inside the volume only if
// nothing beyond is read, so that an array of the box with the same rule gives the results of the whole. `atLeast`:
// boxes that nodes compute in any case, one for each node or none; they may be empty.
[[nodiscard]] ProgramBoxes neededBoxes(const FilterProgram& program, const Box& region,
                                       const std::array<std::int64_t, 3>& extent, Boundary boundary,
                                       std::span<const Box> atLeast = {});

// The box that an operator reads of its input number `input` for these outputs, including the outputs' own place.
[[nodiscard]] Box neededInput(const Operator& op, std::size_t input, const Box& outputs,
                              const std::array<std::int64_t, 3>& extent, Boundary boundary);

}  // namespace sscope
