#pragma once
// A bank on a volume that is still being read, with results that are written while others are computed: reading,
// filtering and writing take the time of the longest of them and not of all together.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/filter/job/filter_job.h"
#include "core/parts/slab_takers.h"
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
  // Told of the run once all is computed, before any taker sees the end of its pieces.
  std::function<void(const RunReport&)> ran{};
};

struct SlabbedResult {
  RunReport report;  // of all slabs; its total leaves out the time in which nothing was computed
  std::vector<std::string> names;
  std::int64_t nonFinite = 0;        // elements of the outputs that are NaN or infinite
  std::vector<StepNorms> lastSteps;  // as FilterResult's
};

// The same outputs as those of runFilter, to the last bit unless Fourier transforms make them (`fft`), whose tiles
// begin where a slab does. No taker sees the end of its pieces before all have taken all of them, so that files are
// completed together. Throws what reading, PreparedFilter and the takers throw, and Canceled, after every taker has
// ended.
[[nodiscard]] SlabbedResult runInSlabs(const SlabbedFilter& filter, const Control& control);

}  // namespace sscope
