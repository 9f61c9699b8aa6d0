#pragma once
// The tree of a formula for several voxels of a row at once: operation after operation, in numbers and in intervals.
// What the operations mean is formula_value.h's and formula_interval.h's.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/filter/formula/formula_interval.h"
#include "core/filter/formula/formula_value.h"

namespace sscope {

// Equal parts of the tree, which are evaluated once: for every node the first that computes the same.
[[nodiscard]] std::vector<std::uint32_t> equalNodes(const FormulaTree& tree);

class FormulaRows {
 public:
  // At most so many voxels at once, so that the values of all nodes stay in the caches.
  static constexpr std::size_t kMost = 64;

  FormulaRows(const Formula& formula, Precision precision) : FormulaRows(formula, IntervalRounding(precision)) {}
  FormulaRows(const Formula& formula, const IntervalRounding& rounding);

  // reads[r * kMost + i] is the read r of the voxel i, which lies i voxels behind `place` along x; count <= kMost.
  // The results are valid until the next call.
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
