#pragma once
// The computation of one row of a bank.

#include <array>
#include <cstdint>
#include <string>
#include <variant>

#include "core/filter/range_window.h"
#include "core/filter/rank_window.h"
#include "core/filter/stencil.h"

namespace sscope {

// Sums of products, an order statistic, or a mean weighted by likeness: engines have methods for each kind
// (core/cpu/filter, gpu/filter).
struct Operator {
  std::string name;
  std::variant<Stencil, RankWindow, RangeWindow> kind;

  Operator() = default;
  Operator(Stencil stencil) : kind(std::move(stencil)) {}   // NOLINT: an operator that has no name yet
  Operator(RankWindow window) : kind(std::move(window)) {}  // NOLINT
  Operator(const RangeWindow& window) : kind(window) {}     // NOLINT
  Operator(std::string named, Stencil stencil) : name(std::move(named)), kind(std::move(stencil)) {}

  // Null for other kinds.
  [[nodiscard]] const Stencil* stencil() const { return std::get_if<Stencil>(&kind); }
  [[nodiscard]] const RankWindow* window() const { return std::get_if<RankWindow>(&kind); }
  [[nodiscard]] const RangeWindow* range() const { return std::get_if<RangeWindow>(&kind); }
  // Extents and anchor of the smallest box that holds all values it reads.
  [[nodiscard]] std::array<std::int64_t, 3> size() const;
  [[nodiscard]] std::array<std::int64_t, 3> anchor() const;
  // Number of values that an output is made of; taps are counted densely.
  [[nodiscard]] std::int64_t taps() const;
};

// Mirrored through the anchor.
[[nodiscard]] Operator flipped(Operator given);

}  // namespace sscope
