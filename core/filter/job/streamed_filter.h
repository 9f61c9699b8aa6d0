#pragma once
// A bank on a volume larger than memory: windows of its planes are read, filtered and written at the same time
// (docs/dev/decisions/039-larger-than-memory.md).

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/filter/job/filter_job.h"
#include "core/measure/verify.h"
#include "core/parts/plane_reader.h"
#include "core/parts/sparse_volume.h"
#include "core/volume/volume_stream.h"

namespace sscope {

// What a streamed job takes beside what is resident already and its planes: stacks, pieces on their way to files, and
// pages that belong to a slab in part. Bytes.
inline constexpr std::int64_t kStreamOverhead = std::int64_t{8} << 20;

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

// The slabs into which a job is cut.
struct StreamPlan {
  std::size_t axis = 2;                    // across which planes lie
  std::vector<Box> parts;                  // of the outputs
  std::vector<std::vector<Range>> needed;  // planes of the input, for each part
  std::int64_t thick = 1;                  // planes of a part; the last may have fewer
  std::int64_t inputBytes = 0;             // that are in memory at once
  std::int64_t outputBytes = 0;
  std::int64_t scratchBytes = 0;  // of the plan of the part that takes the most
  std::int64_t verifyBytes = 0;   // of the threads that compare a part with the reference
  int verifiers = 0;              // as many

  [[nodiscard]] std::int64_t bytes() const { return inputBytes + outputBytes + scratchBytes + verifyBytes; }
};

// The thickest slabs that fit. Throws Error(Memory), with the bytes it takes, where not even the thinnest do;
// Error(Unsupported) where parts would not have the bits of the whole, Error as PreparedFilter.
[[nodiscard]] StreamPlan planStream(const StreamedFilter& filter, const Control& control);

struct StreamedResult {
  RunReport report;  // of all slabs; its total leaves out the time in which nothing was computed
  std::vector<std::string> names;
  std::int64_t nonFinite = 0;        // elements of the outputs that are NaN or infinite
  std::vector<StepNorms> lastSteps;  // as FilterResult's
  std::optional<Verification> verification;
  double seconds = 0;  // from the first byte read to the last one given to the system
  std::int64_t readBytes = 0, writtenBytes = 0;
};

// The same outputs as those of runFilter, to the last bit. `sinks`: one for each output volume; they are not finished.
// Tells progress with the rate and the time left. Throws Error(BadData, Io, ...) of reading and writing, Error(Device)
// when the verification fails, and Canceled.
[[nodiscard]] StreamedResult runStreamed(const StreamedFilter& filter, const StreamPlan& plan,
                                         const std::vector<std::unique_ptr<VolumeSink>>& sinks, const Control& control);

}  // namespace sscope
