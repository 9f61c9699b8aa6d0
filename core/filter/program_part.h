#pragma once
// What one recipe computes: operators that read the data, or each other.

#include <concepts>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "core/filter/operator.h"

namespace sscope {

// An operator and what it reads: earlier nodes, or the data.
struct ProgramNode {
  Operator op;
  std::vector<std::size_t> inputs;
  std::optional<std::size_t> stepOf = {};  // what it is the next step of, if it is one of several: as an input
};
inline constexpr std::size_t kSource = static_cast<std::size_t>(-1);

// What a family makes of a recipe: one operator, or several that end in the last. Their inputs are nodes of this part,
// or the recipe's own inputs.
struct ProgramPart {
  std::vector<ProgramNode> nodes;

  ProgramPart() = default;
  // One operator, or what makes one, is a part.
  template <class Kind>
  requires std::constructible_from<Operator, Kind> ProgramPart(Kind kind) {  // NOLINT: see above
    add(Operator(std::move(kind)), {rowInput(0)});
  }
  // The place of the recipe's input number i.
  [[nodiscard]] static constexpr std::size_t rowInput(std::size_t i) { return kSource - i; }
  // Adds a node and returns its place.
  std::size_t add(Operator op, std::vector<std::size_t> inputs);
};

}  // namespace sscope
