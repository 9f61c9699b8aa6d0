#pragma once
// A bank on a volume that is still being read, with results that are written while others are computed
// (core/parts/slab_pipe.h).

#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/control.h"
#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/filter/job/filter_parts.h"
#include "core/parts/slab_pipe.h"
#include "core/volume/volume_io.h"

namespace sscope {

struct SlabbedFilter {
  const EngineSet& engines;
  const VariantTable& variants;
  FilterJob job;  // without a region
  ArrivingVolume& input;
  std::vector<reach::TakeVolume> takers;  // one for each output volume: for each filter, or one if they are interleaved
  // Of all outputs in a slab. Slabs are thicker where less than twice what the filters reach over would be recomputed
  // too often. Two of them are in memory at once.
  std::int64_t slabBytes = std::int64_t{32} << 20;
  // Is called once all is computed, before any taker sees the end of its pieces.
  std::function<void(const RunReport&)> ran{};
};

// The same outputs as those of runFilter, to the last bit unless Fourier transforms make them (`fft`), whose tiles
// begin where a slab does. No taker sees the end of its pieces before all have taken all of them, so that files are
// completed together. Throws what reading, PreparedFilter and the takers throw, and Canceled, after every taker has
// ended.
[[nodiscard]] FilterSums runInSlabs(const SlabbedFilter& filter, const Control& control);

}  // namespace sscope
