#pragma once
// A computation from file to file, slab by slab: planes are read into memory while earlier ones are computed, and results
// are written.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/boundary/boundary.h"
#include "core/parts/slab_plan.h"
#include "core/parts/sparse_volume.h"
#include "core/volume/volume_stream.h"

namespace sscope::reach {

// Is called with planes when they are read for the first time, on the reading thread: each plane once, if all are
// needed.
using SeePlanes = std::function<void(std::int64_t begin, std::span<const std::byte> voxels)>;

struct SlabStream {
  VolumeSource& source;
  SparseVolume& input;  // of the source's extents
  const SlabPlan& plan;
  SeePlanes see;
  std::vector<VolumeSink*> sinks;  // one for each output volume; they are not finished. None: results are not written
  std::int64_t outputBytes = 0;    // of all output volumes
  std::string called = "slab";     // in messages of progress
};

struct Streamed {
  double seconds = 0;  // from the first byte read to the last one given to the system
  std::int64_t readBytes = 0, writtenBytes = 0;
};

// Computes a slab: one volume for each sink. The planes that it reads are in SlabStream::input until it returns, or calls
// `inputDone`.
using ComputeSlab =
    std::function<std::vector<Volume>(std::size_t slab, const std::function<void()>& inputDone, const Control& control)>;

// Reports progress with the rate and the time left. Throws the first error of reading, computing and writing, and
// Canceled, after every thread has ended.
Streamed streamSlabs(const SlabStream& stream, const ComputeSlab& compute, const Control& control);

}  // namespace sscope::reach
