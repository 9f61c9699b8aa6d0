#pragma once
// Evaluates the tree of a formula for several voxels of a row at once, operation by operation, in numbers and in
// intervals. formula_value.h and formula_interval.h define the operations.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/filter/formula/formula_interval.h"
#include "core/filter/formula/formula_value.h"

namespace sscope {

// For every node the first node that computes the same: equal parts of the tree are evaluated once.
[[nodiscard]] std::vector<std::uint32_t> equalNodes(const FormulaTree& tree);

class FormulaRows {
 public:
  // The maximum number of voxels at once, so that the values of all nodes stay in the caches.
  static constexpr std::size_t kMost = 64;

  FormulaRows(const Formula& formula, Precision precision) : FormulaRows(formula, IntervalRounding(precision)) {}
  FormulaRows(const Formula& formula, const IntervalRounding& rounding);

  // reads[r * kMost + i] is the read r of the voxel i, which is i voxels after `place` along x; count <= kMost. The
  // results are valid until the next call.
  [[nodiscard]] std::span<const double> values(std::span<const double> reads, const FormulaPlace& place,
                                               std::size_t count);
  [[nodiscard]] std::span<const Interval> intervals(std::span<const Interval> reads, const FormulaPlace& place,
                                                    std::size_t count);

 private:
  template <class Value, class Meaning>
  void others(const FormulaNode& node, std::vector<Value>& rows, std::size_t result, std::size_t count,
              Meaning&& meaning);
  [[nodiscard]] std::size_t rowOf(const FormulaNode& node, std::size_t argument) const;

  Formula formula_;
  IntervalRounding rounding_;
  std::vector<std::uint32_t> equal_;
  std::vector<double> values_;
  std::vector<Interval> intervals_;
};

}  // namespace sscope
