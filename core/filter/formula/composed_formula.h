#pragma once
// Formulas whose inputs are results of formulas, composed into one: intermediate values are computed where they are
// read and need no memory.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/filter/formula/formula.h"

namespace sscope {

// The maximum number of arrays that a kernel of a formula reads: devices limit the number of arguments.
inline constexpr std::size_t kMostFormulaInputs = 16;

// A formula, and for each of its inputs a number that stands for what it reads.
struct BoundFormula {
  Formula formula;
  std::vector<std::size_t> inputs;
};

// Replaces input i of `outer` by `inner[i]`, if there is one; `outer` must read only the voxel itself of such an input.
// The inputs of the result are the remaining ones, each once. Empty if the formula would be too large to be computed at
// once, would read more than kMostFormulaInputs, or is only such an input.
[[nodiscard]] std::optional<BoundFormula> composed(const BoundFormula& outer,
                                                   std::span<const std::optional<BoundFormula>> inner);

// Whether no neighbor of an input is read.
[[nodiscard]] bool readsVoxelAlone(const Formula& formula, std::size_t input);

}  // namespace sscope
