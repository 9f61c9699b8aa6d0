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

  // Whether it is what banks are without arrows: each output an operator of its own that reads the data.
  [[nodiscard]] bool plain() const;
};

// The names of the rows that a recipe reads, in the order of its operator's inputs; kSourceName for the data.
[[nodiscard]] std::vector<std::string> inputsOf(const FilterRecipe& recipe);

// The enabled rows of a bank on a grid. `intermediates`: also the results of intermediate rows are outputs. Throws
// Error(Usage) with one sentence that names the row: parameters that do not fit the grid; a name that no row above has,
// that of a row below, of one that is switched off, of two rows; a bank without outputs.
[[nodiscard]] FilterProgram makeProgram(const FilterBank& bank, const FilterGrid& grid, bool intermediates);

// The enabled rows that cannot be computed on this grid, each with a sentence; also those that read such a row.
struct RowError {
  std::size_t place = 0;  // among the enabled rows
  std::string reason;
};
[[nodiscard]] std::vector<RowError> rowErrors(const FilterBank& bank, const FilterGrid& grid);

// Whether it holds no voxels.
[[nodiscard]] constexpr bool isEmpty(const Box& box) {
  return box.end[0] <= box.begin[0] || box.end[1] <= box.begin[1] || box.end[2] <= box.begin[2];
}

// Boxes of one volume in its voxel coordinates: what each node has to compute, and what is read of the data.
struct ProgramBoxes {
  std::vector<Box> nodes;
  Box source;  // of these and of nodes that nobody reads, the ends are not behind the beginnings
};

// What the outputs in `region` need, by the boundary rule. A node's box ends inside the volume only where nothing
// beyond is read, so that an array of the box under the same rule gives what the whole would.
// `atLeast`: boxes that nodes compute in any case, one for each or none; empty ones for nothing.
[[nodiscard]] ProgramBoxes neededBoxes(const FilterProgram& program, const Box& region,
                                       const std::array<std::int64_t, 3>& extent, Boundary boundary,
                                       std::span<const Box> atLeast = {});

// What an operator reads of its input number `input` for such outputs, and those outputs' own place.
[[nodiscard]] Box neededInput(const Operator& op, std::size_t input, const Box& outputs,
                              const std::array<std::int64_t, 3>& extent, Boundary boundary);

}  // namespace sscope
