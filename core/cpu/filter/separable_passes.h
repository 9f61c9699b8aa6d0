#pragma once
// The passes of filters that are sums of separable terms: those of a bank that are alike are one.

#include <array>
#include <cstdint>
#include <vector>

#include "core/cpu/filter/correlator.h"
#include "core/cpu/filter/equal_taps.h"
#include "core/cpu/filter/tile_space.h"
#include "core/filter/workload/filter_workload.h"

namespace sscope::cpu {

// Taps of one pass.
template <class T>
struct AxisPass {
  std::vector<T> weights;
  std::int64_t offset = 0;  // from the hull's first tap
  bool identity = false;
  bool equal = false;  // taps that are summed with fewer operations
  Correlator<T> correlator;
  EqualSplit split;  // of equal taps along x
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(weights.size()); }
  // Multiply-adds per output; a: the tile axis.
  [[nodiscard]] double cost(std::size_t a) const;
};

// First along y (tile axis 1), then along z, then along x, whose passes are added up to a filter's outputs. Passes
// along y with the same taps are one; so are passes along z with the same taps over the same sums. What an output is
// made of, and in which order, is the same for a filter alone.
template <class T>
struct SeparablePasses {
  struct OfPlanes {
    std::size_t row = 0;  // the pass along y that it goes on with
    AxisPass<T> axis;
    std::size_t sums = 0;  // its place among those that need memory of their own
  };
  struct OfColumns {
    std::size_t plane = 0;  // the pass along z
    AxisPass<T> axis;
  };
  struct Filter {
    std::size_t output = 0;
    std::vector<OfColumns> terms;
  };
  std::vector<AxisPass<T>> rows;
  std::vector<OfPlanes> planes;
  std::vector<Filter> filters;
  std::size_t sums = 0;  // passes along z that are not the identity

  // `space` holds the taps of all filters.
  SeparablePasses(const FilterWorkload& workload, const std::vector<std::size_t>& filters, const TileSpace& space);
  // Makes what runs them.
  void compile(const PrecisionKernels<T>& kernels, const TileSpace& space);
  // False: other passes are alike in this workload.
  [[nodiscard]] bool takeWeights(const FilterWorkload& workload, const TileSpace& space);
  // One filter of one term.
  [[nodiscard]] bool single() const { return filters.size() == 1 && filters[0].terms.size() == 1; }
};

}  // namespace sscope::cpu
