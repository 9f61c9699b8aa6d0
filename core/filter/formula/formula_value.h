#pragma once
// The operations of formulas in double precision: the reference for all engines.

#include <array>
#include <cstdint>
#include <span>

#include "core/filter/formula/formula.h"

namespace sscope {

// The voxel and the volume of a value.
struct FormulaPlace {
  std::array<std::int64_t, 3> voxel{};  // in the volume
  std::array<std::int64_t, 3> volume{1, 1, 1};
  std::array<double, 3> spacing{1, 1, 1};  // millimeters
};

// The operation of a node with arguments. NaN follows IEEE's rules: comparisons with NaN are false (!= is true), NaN
// counts as true as a condition, and the minimum and maximum are NaN if one value is.
[[nodiscard]] double formulaValue(const FormulaNode& node, std::span<const double> arguments);

// Evaluates the tree; `reads` are the values of formula.reads(). Keeps memory for the values of nodes between calls.
class FormulaEvaluator {
 public:
  explicit FormulaEvaluator(const Formula& formula);
  [[nodiscard]] double operator()(std::span<const double> reads, const FormulaPlace& place);
  // The values of all nodes of the last evaluation.
  [[nodiscard]] std::span<const double> nodes() const { return values_; }

 private:
  Formula formula_;
  std::vector<double> values_, arguments_;
};

}  // namespace sscope
