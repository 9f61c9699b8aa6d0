#include "core/filter/job/slabbed_filter.h"

#include <algorithm>
#include <utility>

#include "core/filter/program/program_workload.h"
#include "core/parts/partition.h"

namespace sscope {

namespace {

// Parts of the outputs along the axis that files have slowest.
struct Slabs {
  std::size_t axis = 2;
  std::vector<Box> boxes;
};

// Whether parts are computed as the whole would be: an image is copied to a device as one slice, and narrow data fill
// vectors along the axis that is longest in the part.
bool partsSuit(const ArraySpec& input, const Engine& engine) {
  constexpr std::int64_t kNarrow = 32;
  const auto& extent = input.extent;
  return engine.info().isDevice() ? extent[2] > 1 : extent[0] >= kNarrow;
}

// How many planes of the data are read for one plane of the outputs, besides that one.
std::int64_t planesAround(const Workload& workload, std::size_t axis) {
  std::int64_t around = 0;
  if (const auto* filter = workloadIf<FilterWorkload>(workload)) {
    for (const Operator& op : filter->operators()) around = std::max(around, op.size()[axis] - 1);
    return around;
  }
  const auto extent = workload.outputs().front().extent;  // a copy: outputs() returns a temporary
  Box plane{{0, 0, 0}, {extent[0], extent[1], extent[2]}};
  plane.begin[axis] = extent[axis] / 2;
  plane.end[axis] = plane.begin[axis] + 1;
  const Box read = workload.reach(plane);
  return read.end[axis] - read.begin[axis] - 1;
}

Slabs slabsOf(const Workload& workload, const Engine& engine, std::int64_t bytes) {
  const ArraySpec input = workload.inputs().front();
  const auto& extent = input.extent;
  Slabs slabs;
  slabs.axis = extent[2] > 1 ? 2 : 1;
  const std::int64_t count = extent[slabs.axis];
  if (!partsSuit(input, engine)) {
    slabs.boxes.push_back(reach::slab(extent, slabs.axis, {0, count}));
    return slabs;
  }
  std::int64_t plane = 0;  // bytes of one plane of all outputs
  const std::int64_t reach = planesAround(workload, slabs.axis);
  for (const ArraySpec& output : workload.outputs()) plane += output.bytes() / count;
  const std::int64_t thick = std::clamp<std::int64_t>(std::max(bytes / plane, 2 * reach), 1, count);
  // Thinner than the taps, they would be computed as slices, in another order of sums.
  const std::int64_t parts =
      std::clamp<std::int64_t>((count + thick - 1) / thick, 1, std::max<std::int64_t>(count / (reach + 1), 1));
  // Of one size or one plane less, larger ones first, so that memory is used again.
  for (const Range& part : reach::evenly(count, parts))
    slabs.boxes.push_back(reach::slab(extent, slabs.axis, part));
  return slabs;
}

// Bytes of the input that have to be there for these outputs, counted from its beginning.
std::int64_t neededFor(const Workload& workload, const Slabs& slabs, const Box& box) {
  const ArraySpec input = workload.inputs().front();
  return input.bytes() / input.extent[slabs.axis] * workload.reach(box).end[slabs.axis];
}

}  // namespace

FilterSums runInSlabs(const SlabbedFilter& filter, const Control& control) {
  const Volume& input = filter.input.volume();
  const auto workload = bankWorkload(filter.job.bank, input.spec(), input.geometry(), filter.job.intermediates);
  const Engine& engine = filter.job.engine.empty() ? filter.engines.preferred() : filter.engines.at(filter.job.engine);
  const Slabs slabs = slabsOf(*workload, engine, filter.slabBytes);
  const auto parts = static_cast<double>(slabs.boxes.size());
  FilterParts results(filter.engines, filter.variants);
  reach::SlabPipe pipe;
  pipe.slabs = slabs.boxes.size();
  pipe.takers = filter.takers;
  pipe.controlOf = [&](std::size_t slab) {
    return control.part(static_cast<double>(slab) / parts, static_cast<double>(slab + 1) / parts);
  };
  pipe.awaitInput = [&](std::size_t slab, const Control& one) {
    filter.input.await(neededFor(*workload, slabs, slabs.boxes[slab]), one);
  };
  pipe.compute = [&](std::size_t slab, const Control& one) {
    FilterJob job = filter.job;
    job.region = slabs.boxes[slab];
    return results.run(job, input, one).outputs;
  };
  pipe.computed = [&] {
    if (filter.ran) filter.ran(results.report());
  };
  reach::runPipe(pipe, control);
  return results.sums(pipe.slabs, "slabs");
}

}  // namespace sscope
