#pragma once
// A transform of a volume larger than memory: its planes are read, transformed and written at the same time
// (docs/dev/decisions/039-larger-than-memory.md).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/base/control.h"
#include "core/parts/plane_reader.h"
#include "core/parts/sparse_volume.h"
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

struct TransformStream {
  std::int64_t thick = 1;                  // planes of a slab; the last may have fewer
  std::vector<Range> parts;                // planes of the results
  std::vector<std::vector<Range>> needed;  // planes of the input, for each part
  std::int64_t bytes = 0;                  // of memory that slabs take
  int verifiers = 0;                       // threads that compare a slab with the reference
};

// The thickest slabs that fit. Throws Error(Memory), with the bytes it takes, where not even the thinnest do;
// Error(Unsupported) where they would not have the bits of the whole; Error as runTransform().
[[nodiscard]] TransformStream planStream(const StreamedTransform& stream, const Control& control);

struct StreamedTransformResult {
  RunReport report;  // of all slabs; its total leaves out the time in which nothing was computed
  std::optional<Verification> verification;
  std::int64_t nonFinite = 0;  // elements of the result that are NaN or infinite
  double seconds = 0;          // from the first byte read to the last one given to the system
  std::int64_t readBytes = 0, writtenBytes = 0;
};

// The same result as in memory, to the last bit. The sink is not finished. Tells progress with the rate and the time
// left. Throws Error(BadData, Io, ...) of reading and writing, what running a slab throws, and Canceled, after every
// thread has ended.
[[nodiscard]] StreamedTransformResult runStreamed(const StreamedTransform& stream, const TransformStream& plan,
                                                  VolumeSink& sink, const Control& control);

}  // namespace sscope
