#pragma once
// What the operations of formulas mean, in double precision: the truth of every engine.

#include <array>
#include <cstdint>
#include <span>

#include "core/filter/formula/formula.h"

namespace sscope {

// Where a value is computed.
struct FormulaPlace {
  std::array<std::int64_t, 3> voxel{};  // in the volume
  std::array<std::int64_t, 3> volume{1, 1, 1};
  std::array<double, 3> spacing{1, 1, 1};  // millimeters
};

// The operation of a node that is no leaf. NaN by IEEE's rules: comparisons with NaN are false (!= is true), NaN counts
// as true where a condition is asked for, and the smallest and largest of values are NaN if one of them is.
[[nodiscard]] double formulaValue(const FormulaNode& node, std::span<const double> arguments);

// Evaluates the tree; `reads` are the values of formula.reads(). Holds memory for the values of nodes, so that it can
// be used again and again.
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
