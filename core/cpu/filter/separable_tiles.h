#pragma once
// The tiles in which filters are computed in passes: columns of the volume, what they hold and what they cost.

#include <cstdint>

#include "core/cpu/filter/separable_passes.h"
#include "core/cpu/filter/tile_space.h"
#include "core/cpu/run/scratch.h"

namespace sscope::cpu {

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
