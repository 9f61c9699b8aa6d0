#pragma once
// A slice of data larger than memory that crosses all planes of the file: these are read slab by slab, and what the
// slice needs of them is kept.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/base/control.h"
#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/filter/job/filter_job.h"
#include "core/measure/verify.h"
#include "core/parts/large_volume.h"

namespace sscope {

struct SliceSweep {
  const EngineSet& engines;
  const VariantTable& variants;
  reach::LargeVolume& large;
  std::size_t axis = 0;          // of the index, that the slice is normal to; not the one across which planes lie
  std::int64_t at = 0;           // index of the slice
  std::optional<FilterJob> job;  // without a region, of one filter; none: the source alone
};

struct SweptSlice {
  std::shared_ptr<const Volume> source;
  std::shared_ptr<const Volume> result;  // null without a job; the bits of the whole
  RunReport report;                      // of all slabs
  // Of the first, the last and up to seven slabs between them; only what is compared is in memory.
  std::optional<Verification> verification;
};

// Tells progress with the rate and the time left. Throws as LargeVolume::hold and PreparedFilter.
[[nodiscard]] SweptSlice sweepSlice(const SliceSweep& sweep, const Control& control);

}  // namespace sscope
