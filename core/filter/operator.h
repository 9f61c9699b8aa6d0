#pragma once
// The computation of one row of a bank.

#include <array>
#include <cstdint>
#include <string>
#include <variant>

#include "core/filter/entropy_window.h"
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
  // Extents and anchor of the smallest box that holds the output's place and all values it reads, of any input.
  [[nodiscard]] std::array<std::int64_t, 3> size() const;
  [[nodiscard]] std::array<std::int64_t, 3> anchor() const;
  // What it reads of its input number `input`.
  [[nodiscard]] OperatorReach reach(std::size_t input) const;
  // Number of values that an output is made of; taps are counted densely.
  [[nodiscard]] std::int64_t taps() const;
};

// Whether two give the same for all data, whatever their names. Taps that are equal as numbers count, not as sums.
[[nodiscard]] bool sameComputation(const Operator& a, const Operator& b);

// Mirrored through the anchor.
[[nodiscard]] Operator flipped(Operator given);

}  // namespace sscope
