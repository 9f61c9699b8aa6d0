#pragma once
// The passes of separable filters along the axes, and the tiles that they compute.

#include <array>
#include <cstdint>
#include <vector>

#include "core/cpu/filter/correlator.h"
#include "core/cpu/filter/reduced_taps.h"
#include "core/cpu/filter/tile_space.h"
#include "core/cpu/run/scratch.h"
#include "core/filter/workload/filter_workload.h"

namespace sscope::cpu {

// The passes of filters that are sums of separable terms: those of a bank that are alike are one.

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

// The tiles in which filters are computed in passes: columns of the volume, what they hold and what they cost.

struct ColumnShape {
  std::int64_t x = 0, y = 0, z = 0;  // outputs
  std::int64_t chunk = 0;            // output planes summed at once
};

struct ColumnLayout {
  std::int64_t row = 0, outRow = 0;      // strides in elements
  std::int64_t plane = 0, outPlane = 0;  // of kept planes and of results
  std::int64_t packed = 0, result = 0;   // elements
  std::int64_t kept = 0;                 // of each pass along y
  std::int64_t summed = 0;               // of each pass along z that has memory of its own
  std::int64_t buffer = 0, prefix = 0;   // of passes with equal taps
};

// Refers to what it is made of.
template <class T>
class SeparableTiles {
 public:
  SeparableTiles(const SeparablePasses<T>& passes, const TileSpace& space, std::int64_t lanes)
      : passes_(passes), space_(space), lanes_(lanes) {}

  [[nodiscard]] ColumnLayout layout(const ColumnShape& shape) const;
  [[nodiscard]] std::int64_t bytes(const ColumnShape& shape) const;  // of scratch
  // A single term with equal taps along z: planes are added as they come.
  [[nodiscard]] bool stream() const { return passes_.single() && passes_.planes[0].axis.equal; }

  struct Chosen {
    ColumnShape shape;
    double cost = 0;  // of the slowest thread, in rough units of one multiply-add
  };
  [[nodiscard]] Chosen choose(const TileLimits& limits) const;

 private:
  [[nodiscard]] bool light() const;
  [[nodiscard]] double cost(const ColumnShape& shape) const;
  [[nodiscard]] double total(const ColumnShape& shape, const TileLimits& limits) const;

  const SeparablePasses<T>& passes_;
  const TileSpace& space_;
  std::int64_t lanes_;
};

}  // namespace sscope::cpu
