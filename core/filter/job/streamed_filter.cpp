#include "core/filter/job/streamed_filter.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/engine/joined_engine.h"
#include "core/filter/program/program_workload.h"
#include "core/parts/partition.h"

namespace sscope {

namespace {

std::unique_ptr<Workload> workloadOf(const StreamedFilter& filter) {
  const Volume& input = filter.input.volume();
  return bankWorkload(filter.job.bank, input.spec(), input.geometry(), filter.job.intermediates);
}

const Engine& engineOf(const StreamedFilter& filter) {
  return filter.job.engine.empty() ? filter.engines.preferred() : filter.engines.at(filter.job.engine);
}

Box boxOf(const StreamedFilter& filter, const Range& slab) {
  return reach::slab(filter.input.volume().spec().extent, filter.input.axis(), {slab.begin, slab.end});
}

FilterJob jobOf(const StreamedFilter& filter, const Range& slab) {
  FilterJob one = filter.job;
  one.region = boxOf(filter, slab);
  one.asWhole = true;
  return one;
}

// The planes that each of these slabs reads. Slabs far from the ends reach alike, which two of them prove; asking all
// would take longer than filtering many thin slabs.
std::vector<std::vector<Range>> reachOf(const Workload& workload, std::size_t axis, std::int64_t planes,
                                        const std::vector<Range>& parts, const std::array<std::int64_t, 4>& extent) {
  std::vector<std::vector<Range>> needed(parts.size());
  const auto ask = [&](std::size_t part) { needed[part] = workload.reachAlong(axis, reach::slab(extent, axis, {parts[part].begin, parts[part].end})); };
  constexpr std::size_t kFew = 8;
  const std::size_t middle = parts.size() / 2, other = middle + 1;
  std::int64_t before = -1, behind = -1;  // planes that the one in the middle reads beside its own
  if (parts.size() > kFew) {
    ask(middle), ask(other);
    const Range& own = parts[middle];
    if (const auto& one = needed[middle]; one.size() == 1 && needed[other].size() == 1) {
      before = own.begin - one.front().begin;
      behind = one.front().end - own.end;
      const Range& two = needed[other].front();
      if (one.front().begin == 0 || two.end == planes || two.begin != parts[other].begin - before ||
          two.end != parts[other].end + behind)
        before = behind = -1;
    }
  }
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const std::int64_t begin = parts[part].begin - before, end = parts[part].end + behind;
    if (before >= 0 && behind >= 0 && begin > 0 && end < planes && part + 1 < parts.size()) {
      needed[part] = {{begin, end}};
    } else if (needed[part].empty()) {
      ask(part);
    }
  }
  return needed;
}

// The slabs of which one takes the most memory: the one in the middle has whole surroundings, of two the last may be
// small, and programs cut parts further, not always the larger into the larger.
std::set<std::size_t> largestOf(const reach::SlabPlan& plan) {
  return {0, plan.slabs.size() / 2, plan.slabs.size() - 1};
}

PreparedFilter prepare(const StreamedFilter& filter, const Range& slab, const Control& control) {
  return {filter.engines, filter.variants, jobOf(filter, slab), filter.input.volume(), control};
}

// Of what computes the filters, which does not depend on how thick a slab is. Throws Error(Unsupported) where slabs do
// not have the bits of the whole.
std::int64_t grainOf(const StreamedFilter& filter, const Control& control) {
  const std::int64_t middle = filter.input.planes() / 2;
  const std::int64_t grain = prepare(filter, {middle, middle + 1}, control).grain();
  const std::string& engine = engineOf(filter).info().id;
  if (grain < 1)
    throw Error(ErrorKind::Unsupported,
                "what computes these filters on " + engine + " gives other bits for slabs than for the whole",
                namesJoined(engine) ? "choose one engine, or several of one kind" : "choose another --variant");
  return grain;
}

}  // namespace

reach::SlabPlan planStream(const StreamedFilter& filter, const Control& control) {
  const auto workload = workloadOf(filter);
  const reach::SparseVolume& input = filter.input;
  if (engineOf(filter).info().isDevice() && input.volume().shape().nz == 1)
    throw Error(ErrorKind::Unsupported, "images larger than memory are not filtered on devices",
                "choose an engine of the processor");
  if (input.planes() < 2)
    throw Error(ErrorKind::Unsupported, "data of a single row cannot be filtered in slabs", "use a larger machine");
  std::int64_t resultPlane = 0;  // bytes of a plane of all results
  for (const ArraySpec& output : workload->outputs()) resultPlane += output.bytes() / input.planes();
  const std::int64_t middle = input.planes() / 2;
  reach::SlabNeeds needs;
  needs.planes = needs.inputPlanes = input.planes();
  needs.planeBytes = input.planeBytes() + resultPlane;
  needs.around = 0;
  for (const Range& range : workload->reachAlong(input.axis(), boxOf(filter, {middle, middle + 1})))
    needs.around += range.size();
  needs.grain = grainOf(filter, control);
  needs.read = [&](const std::vector<Range>& slabs) {
    return reachOf(*workload, input.axis(), input.planes(), slabs, input.volume().spec().extent);
  };
  // One slab is computed while another is written.
  constexpr std::int64_t kAtOnce = 2;
  needs.held = [&](const reach::SlabPlan& plan) {
    return reach::mostPlanes(plan.needed) * input.planeBytes() +
           std::min(kAtOnce * plan.thick, input.planes()) * resultPlane;
  };
  needs.toRun = [&](const reach::SlabPlan& plan) {
    std::int64_t most = 0;
    for (const std::size_t slab : largestOf(plan))
      most = std::max(most, prepare(filter, plan.slabs[slab], control).scratchBytes());
    return most;
  };
  if (filter.verify)
    needs.toVerify = [&](const reach::SlabPlan& plan) {
      std::int64_t most = 0;
      for (const std::size_t slab : largestOf(plan)) {
        const auto part = workload->cutTo(boxOf(filter, plan.slabs[slab]));
        most = std::max(most, verifyBytes(part ? *part : *workload));
      }
      return most;
    };
  needs.verb = "filtering";
  needs.readers = "filters";
  needs.advice = ", or choose filters that reach less far";
  return planSlabs(needs, filter.memory, filter.mostPlanes, control);
}

StreamedResult runStreamed(const StreamedFilter& filter, const reach::SlabPlan& plan,
                           const std::vector<std::unique_ptr<VolumeSink>>& sinks, const Control& control) {
  const Volume& input = filter.input.volume();
  reach::SlabStream stream{filter.source, filter.input, plan, filter.see, {}, 0};
  for (const auto& sink : sinks) stream.sinks.push_back(sink.get());
  for (const ArraySpec& output : workloadOf(filter)->outputs()) stream.outputBytes += output.bytes();
  FilterParts results(filter.engines, filter.variants);
  const reach::Streamed streamed = reach::streamSlabs(
      stream,
      [&](std::size_t slab, const std::function<void()>&, const Control& one) {
        const FilterJob job = jobOf(filter, plan.slabs[slab]);
        FilterResult result = results.run(job, input, one);
        if (filter.verify && reach::isVerified(slab, plan.slabs.size()))
          results.verify(job, input, result, {.threads = plan.verifiers}, true, {one.stop, {}});
        return std::move(result.outputs);
      },
      control);
  StreamedResult result{results.sums(plan.slabs.size(), "slabs"), streamed};
  if (result.verification) requireVerified(*result.verification, result.report.engine);
  return result;
}

}  // namespace sscope
