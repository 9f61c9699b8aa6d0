#pragma once
// Filters of one input that end in formulas: a formula of their sums at the voxel is computed where the sums are, which
// are written only if somebody else reads them.

#include <cstddef>
#include <vector>

#include "core/filter/program/program_workload.h"

namespace sscope {

// The part of a program that a device may compute in one kernel; a workload of the rows of "filter" of devices, which
// no others take. Its outputs are filters whose sums somebody else reads, and then the formulas.
class EndedFilters final : public ProgramWorkload {
 public:
  // A formula that ends them, and where each of its inputs comes from: a place in filters().operators(), or kSource.
  struct Ending {
    Formula formula;
    std::vector<std::size_t> reads;
  };

  // Of `filters`, those of `kept` are outputs. All formulas suit() and read a filter or the input of the filters.
  EndedFilters(FilterWorkload filters, std::vector<std::size_t> kept, std::vector<Ending> endings, ElementType output);

  // Whether a formula is the same at every voxel of any volume: it reads no neighbors, positions and extents.
  [[nodiscard]] static bool suits(const Formula& formula);

  [[nodiscard]] std::string_view name() const override { return "filter"; }
  [[nodiscard]] const FilterWorkload& filters() const { return filters_; }
  [[nodiscard]] const std::vector<std::size_t>& kept() const { return kept_; }
  [[nodiscard]] const std::vector<Ending>& endings() const { return endings_; }
  // Whether a plan for one may take the other (Plan::adopt): all but weights and constants of formulas is equal.
  // Methods that factor dense taps look at the weights, too.
  [[nodiscard]] bool sameShape(const EndedFilters& other) const;

 private:
  FilterWorkload filters_;
  std::vector<std::size_t> kept_;
  std::vector<Ending> endings_;
};

}  // namespace sscope
