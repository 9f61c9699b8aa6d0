#include "core/filter/job/slabbed_filter.h"

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

#include "core/base/stopwatch.h"
#include "core/filter/job/slab_run.h"
#include "core/filter/program/program_workload.h"
#include "core/volume/volume.h"

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
  if (const auto* filter = dynamic_cast<const FilterWorkload*>(&workload)) {
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
    slabs.boxes.push_back({{0, 0, 0}, {extent[0], extent[1], extent[2]}});
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
  for (std::int64_t part = 0, begin = 0; part < parts; ++part) {
    Box box{{0, 0, 0}, {extent[0], extent[1], extent[2]}};
    box.begin[slabs.axis] = begin;
    begin += count / parts + (part < count % parts ? 1 : 0);
    box.end[slabs.axis] = begin;
    slabs.boxes.push_back(box);
  }
  return slabs;
}

// Bytes of the input that have to be there for these outputs, counted from its beginning.
std::int64_t neededFor(const Workload& workload, const Slabs& slabs, const Box& box) {
  const ArraySpec input = workload.inputs().front();
  return input.bytes() / input.extent[slabs.axis] * workload.reach(box).end[slabs.axis];
}

SlabbedResult compute(const SlabbedFilter& filter, const Workload& workload, const Slabs& slabs,
                      reach::SlabQueue& queue, const Control& control) {
  SlabbedResult result;
  VolumePool pool;
  const Volume& input = filter.input.volume();
  const auto parts = static_cast<double>(slabs.boxes.size());
  for (std::size_t part = 0; part < slabs.boxes.size(); ++part) {
    Control share = control.part(static_cast<double>(part) / parts, static_cast<double>(part + 1) / parts);
    share.stop = queue.stop();
    filter.input.await(neededFor(workload, slabs, slabs.boxes[part]), share);
    queue.awaitRoom();
    const Stopwatch watch;
    FilterJob job = filter.job;
    job.region = slabs.boxes[part];
    const PreparedFilter prepared(filter.engines, filter.variants, job, input, share);
    FilterResult slab = prepared.makeRoom(pool);
    prepared.run(slab, share);
    slab.report.phases.total = watch.seconds();
    addPart(result.report, slab.report, static_cast<double>(prepared.outputBytes()));
    result.names = std::move(slab.names);
    result.nonFinite += nonFiniteOf(slab.outputs, share);
    result.lastSteps.resize(slab.lastSteps.size());
    for (std::size_t f = 0; f < slab.lastSteps.size(); ++f) result.lastSteps[f] += slab.lastSteps[f];
    queue.put(std::move(slab.outputs));
  }
  if (filter.ran) filter.ran(result.report);
  queue.finish();
  return result;
}

}  // namespace

SlabbedResult runInSlabs(const SlabbedFilter& filter, const Control& control) {
  const Volume& input = filter.input.volume();
  const auto workload = bankWorkload(filter.job.bank, input.spec(), input.geometry(), filter.job.intermediates);
  const Engine& engine = filter.job.engine.empty() ? filter.engines.preferred() : filter.engines.at(filter.job.engine);
  const Slabs slabs = slabsOf(*workload, engine, filter.slabBytes);
  reach::SlabQueue queue(filter.takers.size(), control.stop);
  SlabbedResult result;
  std::vector<std::jthread> threads;
  try {
    reach::startTakers(filter.takers, queue, threads);
    result = compute(filter, *workload, slabs, queue, control);
  } catch (...) {
    queue.fail(std::current_exception());
  }
  threads.clear();  // waits for them
  queue.rethrow();
  return result;
}

}  // namespace sscope
