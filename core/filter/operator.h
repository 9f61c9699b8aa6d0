#pragma once
// The computation of one row of a bank.

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/boundary/boundary.h"
#include "core/filter/formula/formula.h"
#include "core/filter/range_window.h"
#include "core/filter/rank_window.h"
#include "core/filter/stencil.h"

namespace sscope {

// The offsets of the values that an output reads, lowest and highest along each axis (x, y, z).
struct OperatorReach {
  std::array<std::int64_t, 3> lowest{0, 0, 0};
  std::array<std::int64_t, 3> highest{0, 0, 0};
};

// Sums of products, an order statistic, a mean weighted by likeness, or an entropy: engines have methods for each kind
// (core/cpu/filter, gpu/filter). Formulas, which may read several inputs, are workloads of their own
// (core/filter/formula).
struct Operator {
  std::string name;
  std::variant<Stencil, RankWindow, RangeWindow, Formula, EntropyWindow> kind;

  Operator() = default;
  Operator(Stencil stencil) : kind(std::move(stencil)) {}      // NOLINT: an operator that has no name yet
  Operator(RankWindow window) : kind(std::move(window)) {}     // NOLINT
  Operator(Formula formula) : kind(std::move(formula)) {}      // NOLINT
  Operator(const RangeWindow& window) : kind(window) {}        // NOLINT
  Operator(EntropyWindow window) : kind(std::move(window)) {}  // NOLINT
  Operator(std::string named, Stencil stencil) : name(std::move(named)), kind(std::move(stencil)) {}

  // Null for other kinds.
  [[nodiscard]] const Stencil* stencil() const { return std::get_if<Stencil>(&kind); }
  [[nodiscard]] const RankWindow* window() const { return std::get_if<RankWindow>(&kind); }
  [[nodiscard]] const RangeWindow* range() const { return std::get_if<RangeWindow>(&kind); }
  [[nodiscard]] const EntropyWindow* entropy() const { return std::get_if<EntropyWindow>(&kind); }
  [[nodiscard]] const Formula* formula() const { return std::get_if<Formula>(&kind); }
  // Extents and anchor of the smallest box that holds the output's place and all values that it reads, of any input.
  [[nodiscard]] std::array<std::int64_t, 3> size() const;
  [[nodiscard]] std::array<std::int64_t, 3> anchor() const;
  // The offsets that it reads of its input number `input`.
  [[nodiscard]] OperatorReach reach(std::size_t input) const;
  // The number of values per output; taps are counted densely.
  [[nodiscard]] std::int64_t taps() const;
};

// Whether two operators give the same for all data, regardless of names. Taps are compared as numbers.
[[nodiscard]] bool sameComputation(const Operator& a, const Operator& b);

// Mirrored through the anchor.
[[nodiscard]] Operator flipped(Operator given);

// An operator and its inputs: earlier nodes, or the data.
struct ProgramNode {
  Operator op;
  std::vector<std::size_t> inputs;
  std::optional<std::size_t> stepOf = {};  // the node of the previous step, if it is one of several steps
};
inline constexpr std::size_t kSource = static_cast<std::size_t>(-1);

// The computation of one recipe: one operator, or several of which the last gives the result. Their inputs are nodes of
// this part, or the recipe's own inputs.
struct ProgramPart {
  std::vector<ProgramNode> nodes;

  ProgramPart() = default;
  // An operator, or a value that converts to one, is a part.
  template <class Kind>
  requires std::constructible_from<Operator, Kind> ProgramPart(Kind kind) {  // NOLINT: see above
    add(Operator(std::move(kind)), {rowInput(0)});
  }
  // The place of the recipe's input number i.
  [[nodiscard]] static constexpr std::size_t rowInput(std::size_t i) { return kSource - i; }
  // Adds a node and returns its place.
  std::size_t add(Operator op, std::vector<std::size_t> inputs);
};

// Shortens a linear operator that reaches farther than data of these extents: taps that the boundary rule leads to the
// same voxel, or to the constant, are added, so that at most 2 extent + 1 remain along an axis. The results are the
// same except for rounding. Other operators are returned unchanged.
[[nodiscard]] Operator foldedOperator(Operator op, const std::array<std::int64_t, 3>& extent, Boundary boundary);

}  // namespace sscope
