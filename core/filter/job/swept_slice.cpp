#include "core/filter/job/swept_slice.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "core/filter/job/filter_parts.h"
#include "core/parts/slab_pipe.h"
#include "core/parts/slab_plan.h"

namespace sscope {

namespace {

// Slabs are read in pieces of about this size: long enough for the disk, short enough to follow and to stop.
constexpr std::int64_t kSlabBytes = std::int64_t{32} << 20;

Box slabOf(const SliceSweep& sweep, const Range& planes) {
  Box box = sliceBox(sweep.large.volume().spec(), sweep.axis, sweep.at);
  box.begin[sweep.large.axis()] = planes.begin;
  box.end[sweep.large.axis()] = planes.end;
  return box;
}

FilterJob jobOf(const SliceSweep& sweep, const Range& planes) {
  FilterJob job = *sweep.job;
  job.region = slabOf(sweep, planes);
  job.asWhole = true;     // what an export computes
  job.inputIdentity = 0;  // its voxels come and go
  return job;
}

std::int64_t planesOf(const SliceSweep& sweep) { return sweep.large.volume().spec().extent[sweep.large.axis()]; }

// In whole grains of the plan, and so that what they read has room.
std::int64_t thickness(const SliceSweep& sweep, const Control& control) {
  const Volume& volume = sweep.large.volume();
  const std::int64_t planes = planesOf(sweep), planeBytes = volume.bytes() / planes;
  std::int64_t around = 1, grain = 1;
  if (sweep.job) {
    const FilterJob middle = jobOf(sweep, {planes / 2, planes / 2 + 1});
    around = 0;
    for (const Range& range : planesRead(middle, volume, sweep.large.axis())) around += range.size();
    grain = std::max<std::int64_t>(1, PreparedFilter(sweep.engines, sweep.variants, middle, volume, control).grain());
  }
  const std::int64_t room = std::max<std::int64_t>(1, sweep.large.mostPlanes() - (around - 1));
  // Planes around a slab stay in memory until the next, but for what has no room.
  const std::int64_t useful = std::max<std::int64_t>({1, kSlabBytes / planeBytes, around});
  return reach::wholeGrains(std::min({room, useful, planes}), grain);
}

std::shared_ptr<Volume> roomFor(const SliceSweep& sweep, ElementType type) {
  const Box box = slabOf(sweep, {0, planesOf(sweep)});
  const Volume& volume = sweep.large.volume();
  return std::make_shared<Volume>(VolumeShape{box.size(0), box.size(1), box.size(2), volume.shape().components}, type,
                                  geometryOf(volume, box));
}

// Slices keep the order of planes, so that those of a slab lie side by side.
std::byte* placeOf(Volume& slice, std::int64_t plane) {
  return slice.data() + plane * (slice.bytes() / slice.shape().nz);
}

void copySource(const SliceSweep& sweep, const Range& planes, Volume& slice) {
  const Volume& from = sweep.large.volume();
  const VolumeShape& shape = from.shape();
  const std::int64_t voxel = shape.components * static_cast<std::int64_t>(bytesOf(from.type()));
  const std::int64_t row = shape.nx * voxel;
  const bool rows = sweep.axis == 1;
  const Range lines = rows ? Range{sweep.at, sweep.at + 1} : Range{0, shape.ny};
  const std::int64_t first = rows ? 0 : sweep.at * voxel;
  const auto bytes = static_cast<std::size_t>(rows ? row : voxel);
  std::byte* out = placeOf(slice, planes.begin);
  for (std::int64_t z = planes.begin; z < planes.end; ++z)
    for (std::int64_t y = lines.begin; y < lines.end; ++y, out += bytes)
      std::memcpy(out, from.data() + (z * shape.ny + y) * row + first, bytes);
}

}  // namespace

SweptSlice sweepSlice(const SliceSweep& sweep, const Control& control) {
  const Volume& volume = sweep.large.volume();
  const std::int64_t planes = planesOf(sweep), thick = thickness(sweep, control);
  const auto slabs = static_cast<std::size_t>((planes + thick - 1) / thick);
  const std::shared_ptr<Volume> source = roomFor(sweep, volume.type());
  std::shared_ptr<Volume> result;
  FilterParts results(sweep.engines, sweep.variants);
  const reach::Pace pace(slabs, static_cast<double>(volume.bytes()));
  for (std::size_t slab = 0; slab < slabs; ++slab) {
    const std::int64_t begin = static_cast<std::int64_t>(slab) * thick;
    const Range part{begin, std::min(planes, begin + thick)};
    pace.report(slab, 0, control);
    control.check();
    const Control quiet{control.stop, {}};
    const reach::LargeVolume::Held held = sweep.large.hold(
        sweep.job ? planesRead(jobOf(sweep, part), volume, sweep.large.axis()) : std::vector<Range>{part}, quiet);
    copySource(sweep, part, *source);
    if (!sweep.job) continue;
    const FilterJob job = jobOf(sweep, part);
    const FilterResult one = results.run(job, volume, quiet);
    if (reach::isVerified(slab, slabs)) results.verify(job, volume, one, {}, false, quiet);
    const Volume& output = one.outputs.front();
    if (!result) result = roomFor(sweep, output.type());
    std::memcpy(placeOf(*result, part.begin), output.data(), static_cast<std::size_t>(output.bytes()));
  }
  FilterSums sums = results.sums(slabs, "slabs of the slice");
  return {source, result, std::move(sums.report), std::move(sums.verification)};
}

}  // namespace sscope
