#pragma once
// Formulas whose inputs are results of formulas, as one: what lies between is computed where it is read and needs no
// memory.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/filter/formula/formula.h"

namespace sscope {

// The most arrays that a kernel of a formula reads: devices pass a limited number of arguments.
inline constexpr std::size_t kMostFormulaInputs = 16;

// A formula, and for each of its inputs a number that stands for what it reads.
struct BoundFormula {
  Formula formula;
  std::vector<std::size_t> inputs;
};

// `outer` with `inner[i]`, where there is one, in place of its input i, of which it reads the voxel itself alone. Its
// inputs are those that are left, each once. Nothing where the formula would be too large to be computed at once, would
// read more than kMostFormulaInputs, or is nothing but such an input.
[[nodiscard]] std::optional<BoundFormula> composed(const BoundFormula& outer,
                                                   std::span<const std::optional<BoundFormula>> inner);

// Whether no neighbor of an input is read.
[[nodiscard]] bool readsVoxelAlone(const Formula& formula, std::size_t input);

}  // namespace sscope
