#pragma once
// Filters of one input that end in formulas: a formula of their sums at the voxel is computed with the sums, which are
// written only if other nodes read them.

#include <cstddef>
#include <vector>

#include "core/filter/program/program_workload.h"

namespace sscope {

// The part of a program that a device may compute in one kernel; a workload for the rows of "filter" on devices only.
// Its outputs are the filters whose sums other nodes read, and then the formulas.
class EndedFilters final : public ProgramWorkload {
 public:
  // A formula that ends them, and the source of each of its inputs: an index in filters().operators(), or kSource.
  struct Ending {
    Formula formula;
    std::vector<std::size_t> reads;
  };

  // The filters `kept` are outputs. suits() must hold for all formulas, and each reads a filter or the input of the
  // filters.
  EndedFilters(FilterWorkload filters, std::vector<std::size_t> kept, std::vector<Ending> endings, ElementType output);

  // Whether a formula is the same at every voxel of any volume: it reads no neighbors, positions or extents.
  [[nodiscard]] static bool suits(const Formula& formula);

  [[nodiscard]] std::string_view name() const override { return "filter"; }
  [[nodiscard]] const FilterWorkload& filters() const { return filters_; }
  [[nodiscard]] const std::vector<std::size_t>& kept() const { return kept_; }
  [[nodiscard]] const std::vector<Ending>& endings() const { return endings_; }
  // Whether a plan for one can adopt the other (Plan::adopt): they differ only in weights and in constants of formulas.
  // For methods that factor dense taps, the weights matter, too.
  [[nodiscard]] bool sameShape(const EndedFilters& other) const;

 private:
  FilterWorkload filters_;
  std::vector<std::size_t> kept_;
  std::vector<Ending> endings_;
};

}  // namespace sscope
