#pragma once
// A transform of a volume larger than memory: its planes are read, transformed and written at the same time
// (docs/dev/decisions/039-larger-than-memory.md).

#include <cstdint>
#include <optional>
#include <span>

#include "core/base/control.h"
#include "core/parts/slab_stream.h"
#include "core/volume/volume_stream.h"
#include "core/wavelet/slabs/slab_transform.h"

namespace sscope {

struct StreamedTransform {
  const SlabTransform& transform;
  VolumeSource& source;
  reach::SparseVolume& input;   // of the source's extents
  std::int64_t memory = 0;      // bytes that the whole process may have resident
  reach::SeePlanes see;         // every plane that is read, once; on another thread
  bool verify = false;          // compare with the reference before the file gets its name, of three slabs
  std::int64_t mostPlanes = 0;  // of a slab; 0: as many as are of use
};

// The thickest slabs that fit. Throws Error(Memory), with the bytes it takes, where not even the thinnest do;
// Error(Unsupported) where they would not have the bits of the whole; Error as runTransform().
[[nodiscard]] reach::SlabPlan planStream(const StreamedTransform& stream, const Control& control);

struct StreamedTransformResult {
  RunReport report;  // of all slabs; its total leaves out the time in which nothing was computed
  std::optional<Verification> verification;
  std::int64_t nonFinite = 0;  // elements of the result that are NaN or infinite
  reach::Streamed streamed;
};

// The same result as in memory, to the last bit. The sink is not finished. Reports progress with the rate and the time
// left. Throws Error(BadData, Io, ...) of reading and writing, what running a slab throws, and Canceled, after every
// thread has ended.
[[nodiscard]] StreamedTransformResult runStreamed(const StreamedTransform& stream, const reach::SlabPlan& plan,
                                                  VolumeSink& sink,
                                                  const Control& control);

}  // namespace sscope
