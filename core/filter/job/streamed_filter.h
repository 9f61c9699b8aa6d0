#pragma once
// A bank on a volume larger than memory: windows of its planes are read, filtered and written at the same time
// (docs/dev/decisions/039-larger-than-memory.md).

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/control.h"
#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/filter/job/filter_parts.h"
#include "core/parts/slab_stream.h"
#include "core/parts/sparse_volume.h"
#include "core/volume/volume_stream.h"

namespace sscope {

struct StreamedFilter {
  const EngineSet& engines;
  const VariantTable& variants;
  FilterJob job;  // without a region
  VolumeSource& source;
  reach::SparseVolume& input;   // of the source's extents
  std::int64_t memory = 0;      // bytes that the whole process may have resident
  reach::SeePlanes see;         // every plane that is read, once; on another thread
  bool verify = false;          // compare with the reference before the files get their names, of some slabs
  std::int64_t mostPlanes = 0;  // of a slab; 0: as many as are of use
};

// The thickest slabs that fit. Throws Error(Memory), with the bytes it takes, where not even the thinnest do;
// Error(Unsupported) where parts would not have the bits of the whole, Error as PreparedFilter.
[[nodiscard]] reach::SlabPlan planStream(const StreamedFilter& filter, const Control& control);

struct StreamedResult : FilterSums {
  reach::Streamed streamed;
};

// The same outputs as those of runFilter, to the last bit. `sinks`: one for each output volume; they are not finished.
// Reports progress with the rate and the time left. Throws Error(BadData, Io, ...) of reading and writing, Error(Device)
// when the verification fails, and Canceled.
[[nodiscard]] StreamedResult runStreamed(const StreamedFilter& filter, const reach::SlabPlan& plan,
                                         const std::vector<std::unique_ptr<VolumeSink>>& sinks, const Control& control);

}  // namespace sscope
