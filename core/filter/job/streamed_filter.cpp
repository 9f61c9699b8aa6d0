#include "core/filter/job/streamed_filter.h"

#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <thread>
#include <utility>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/base/stopwatch.h"
#include "core/base/words.h"
#include "core/engine/joined_engine.h"
#include "core/filter/job/slab_run.h"
#include "core/filter/job/verify_part.h"
#include "core/filter/program/program_workload.h"
#include "core/measure/judged_parts.h"
#include "core/parts/pace.h"
#include "core/parts/partition.h"
#include "core/parts/plane_reader.h"
#include "core/parts/slab_takers.h"
#include "core/parts/slab_thickness.h"

namespace sscope {

namespace {

FilterJob partOf(const FilterJob& job, const Box& part) {
  FilterJob one = job;
  one.region = part;
  one.asWhole = true;
  return one;
}

std::unique_ptr<Workload> workloadOf(const StreamedFilter& filter) {
  const Volume& input = filter.input.volume();
  return bankWorkload(filter.job.bank, input.spec(), input.geometry(), filter.job.intermediates);
}

const Engine& engineOf(const StreamedFilter& filter) {
  return filter.job.engine.empty() ? filter.engines.preferred() : filter.engines.at(filter.job.engine);
}

// The planes that each of these parts reads. Parts far from the ends reach alike, which two of them prove; asking all
// would take longer than filtering many thin slabs.
std::vector<std::vector<Range>> reachOf(const Workload& workload, std::size_t axis, std::int64_t planes,
                                        const std::vector<Box>& parts) {
  std::vector<std::vector<Range>> needed(parts.size());
  const auto ask = [&](std::size_t part) { needed[part] = workload.reachAlong(axis, parts[part]); };
  constexpr std::size_t kFew = 8;
  const std::size_t middle = parts.size() / 2, other = middle + 1;
  std::int64_t before = -1, behind = -1;  // planes that the one in the middle reads beside its own
  if (parts.size() > kFew) {
    ask(middle), ask(other);
    const auto& box = parts[middle];
    if (const auto& one = needed[middle]; one.size() == 1 && needed[other].size() == 1) {
      before = box.begin[axis] - one.front().begin;
      behind = one.front().end - box.end[axis];
      const Range& two = needed[other].front();
      if (one.front().begin == 0 || two.end == planes || two.begin != parts[other].begin[axis] - before ||
          two.end != parts[other].end[axis] + behind)
        before = behind = -1;
    }
  }
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const std::int64_t begin = parts[part].begin[axis] - before, end = parts[part].end[axis] + behind;
    if (before >= 0 && behind >= 0 && begin > 0 && end < planes && part + 1 < parts.size()) {
      needed[part] = {{begin, end}};
    } else if (needed[part].empty()) {
      ask(part);
    }
  }
  return needed;
}

// Slabs of `thick` planes, but for their scratch.
StreamPlan cut(const StreamedFilter& filter, const Workload& workload, std::int64_t thick) {
  StreamPlan plan;
  const auto extent = filter.input.volume().spec().extent;
  plan.axis = filter.input.axis();
  plan.thick = thick;
  const std::int64_t planes = filter.input.planes();
  for (std::int64_t begin = 0; begin < planes; begin += thick)
    plan.parts.push_back(reach::slab(extent, plan.axis, {begin, std::min(planes, begin + thick)}));
  plan.needed = reachOf(workload, plan.axis, planes, plan.parts);
  plan.inputBytes = reach::mostPlanes(plan.needed) * filter.input.planeBytes();
  // One slab is computed while another is written.
  constexpr std::int64_t kAtOnce = 2;
  for (const ArraySpec& output : workload.outputs())
    plan.outputBytes += std::min(kAtOnce * thick, planes) * (output.bytes() / planes);
  return plan;
}

// The parts of which one takes the most memory: the one in the middle has whole surroundings, of two parts the last may
// be small, and programs cut parts further, not always the larger into the larger.
std::set<std::size_t> largestParts(const StreamPlan& plan) { return {0, plan.parts.size() / 2, plan.parts.size() - 1}; }

PreparedFilter prepare(const StreamedFilter& filter, const StreamPlan& plan, std::size_t part, const Control& control) {
  return {filter.engines, filter.variants, partOf(filter.job, plan.parts.at(part)), filter.input.volume(), control};
}

// Of the planes of data and results that are of use in one slab.
std::int64_t thickestUseful(const StreamedFilter& filter, const Workload& workload, std::int64_t grain) {
  const std::int64_t planes = filter.input.planes();
  std::int64_t bytes = filter.input.planeBytes();
  for (const ArraySpec& output : workload.outputs()) bytes += output.bytes() / planes;
  const Box middle =
      reach::slab(filter.input.volume().spec().extent, filter.input.axis(), {planes / 2, planes / 2 + 1});
  std::int64_t around = 0;
  for (const Range& range : workload.reachAlong(filter.input.axis(), middle)) around += range.size();
  return std::min(reach::wholeGrains(reach::thickestUseful(bytes, around), grain), planes);
}

// As many threads as hold an eighth of what is allowed, so that slabs are not thin because some of them are compared.
void planVerification(const StreamedFilter& filter, const Workload& workload, StreamPlan& plan) {
  if (!filter.verify) return;
  std::int64_t each = 1;
  for (const std::size_t number : largestParts(plan)) {
    const auto part = workload.cutTo(plan.parts[number]);
    each = std::max(each, verifyBytes(part ? *part : workload));
  }
  constexpr std::int64_t kShare = 8;
  plan.verifiers = static_cast<int>(
      std::clamp<std::int64_t>(filter.memory / kShare / each, 1, tbb::this_task_arena::max_concurrency()));
  plan.verifyBytes = plan.verifiers * each;
}

std::string tooLittle(const StreamedFilter& filter, const StreamPlan& plan, std::int64_t base) {
  std::int64_t most = 0;
  for (const auto& needed : plan.needed) {
    std::int64_t count = 0;
    for (const Range& range : needed) count += range.size();
    most = std::max(most, count);
  }
  return "filtering it in slabs of " + std::to_string(plan.thick) + (plan.thick == 1 ? " plane" : " planes") +
         " takes " + mebibytes(base + plan.bytes()) + " of memory: " + mebibytes(base) +
         " are the program's, its filters read " + std::to_string(most) + " of " +
         std::to_string(filter.input.planes()) + " planes at once, and " + mebibytes(filter.memory) + " are allowed";
}

}  // namespace

StreamPlan planStream(const StreamedFilter& filter, const Control& control) {
  const auto workload = workloadOf(filter);
  if (engineOf(filter).info().isDevice() && filter.input.volume().shape().nz == 1)
    throw Error(ErrorKind::Unsupported, "images larger than memory are not filtered on devices",
                "choose an engine of the processor");
  if (filter.input.planes() < 2)
    throw Error(ErrorKind::Unsupported, "data of a single row cannot be filtered in slabs", "use a larger machine");
  // What a plan chooses does not depend on how thick its part is.
  StreamPlan plan = cut(filter, *workload, filter.input.planes());
  const StreamPlan thin = cut(filter, *workload, 1);
  const std::int64_t grain = prepare(filter, thin, thin.parts.size() / 2, control).grain();
  if (grain < 1)
    throw Error(ErrorKind::Unsupported,
                "what computes these filters on " + engineOf(filter).info().id +
                    " gives other bits for slabs than for the whole",
                namesJoined(engineOf(filter).info().id) ? "choose one engine, or several of one kind"
                                                        : "choose another --variant");
  const std::int64_t base = residentMemory() + kStreamOverhead;
  const std::int64_t room = filter.memory - base;
  const std::int64_t planeBytes = plan.bytes() / filter.input.planes();
  std::int64_t most = thickestUseful(filter, *workload, grain);
  if (filter.mostPlanes > 0) most = std::min(most, reach::wholeGrains(filter.mostPlanes, grain));
  most = std::min(most,
                  reach::wholeGrains(std::max<std::int64_t>(room, 0) / std::max<std::int64_t>(planeBytes, 1), grain));
  const auto fits = [&](std::int64_t thick) {
    control.check();
    plan = cut(filter, *workload, thick);
    if (plan.inputBytes + plan.outputBytes > room) return false;
    for (const std::size_t part : largestParts(plan))
      plan.scratchBytes = std::max(plan.scratchBytes, prepare(filter, plan, part, control).scratchBytes());
    planVerification(filter, *workload, plan);
    return plan.bytes() <= room;
  };
  if (reach::thickestThatFits(most, grain, fits)) return plan;
  throw Error(ErrorKind::Memory, tooLittle(filter, plan, base),
              base >= filter.memory ? "give it more with --memory"
                                    : "give it more with --memory, or choose filters that reach less far");
}

StreamedResult runStreamed(const StreamedFilter& filter, const StreamPlan& plan,
                           const std::vector<std::unique_ptr<VolumeSink>>& sinks, const Control& control) {
  const std::int64_t planes = filter.input.planes();
  std::int64_t outputs = 0;
  for (const ArraySpec& output : workloadOf(filter)->outputs()) outputs += output.bytes();
  StreamedResult result;
  const reach::Pace pace(plan.parts.size(), static_cast<double>(filter.input.volume().bytes() + outputs));
  reach::SlabQueue queue(sinks.size(), control.stop);
  std::vector<std::jthread> threads;
  std::vector<reach::TakeVolume> takers;
  for (const auto& sink : sinks)
    takers.push_back(reach::takerOf(*sink, outputs / planes / static_cast<std::int64_t>(sinks.size())));
  std::size_t verified = 0;
  try {
    reach::startTakers(takers, queue, threads);
    reach::PlaneReader reader(filter.source, filter.input, plan.needed, filter.see);
    VolumePool pool;
    for (std::size_t part = 0; part < plan.parts.size(); ++part) {
      const Control share{queue.stop(), [&](double fraction, std::string_view) { pace.tell(part, fraction, control); }};
      pace.tell(part, 0, control);
      reader.await(part, share);
      queue.awaitRoom();
      const Stopwatch watch;
      const FilterJob job = partOf(filter.job, plan.parts[part]);
      const PreparedFilter prepared(filter.engines, filter.variants, job, filter.input.volume(), share);
      FilterResult slab = prepared.makeRoom(pool);
      prepared.run(slab, share);
      slab.report.phases.total = watch.seconds();
      addPart(result.report, slab.report, static_cast<double>(prepared.outputBytes()));
      result.names = slab.names;
      result.nonFinite += nonFiniteOf(slab.outputs, share);
      result.lastSteps.resize(slab.lastSteps.size());
      for (std::size_t f = 0; f < slab.lastSteps.size(); ++f) result.lastSteps[f] += slab.lastSteps[f];
      if (filter.verify && reach::isVerified(part, plan.parts.size())) {
        result.verification =
            joined(result.verification.value_or(Verification{}),
                   verifyPart(job, filter.input.volume(), slab, {.threads = plan.verifiers}, {queue.stop(), {}}));
        if (verdictOf(*result.verification) == Verdict::Wrong)
          requireVerified(*result.verification, slab.report.engine);
        ++verified;
      }
      reader.done(part);
      queue.put(std::move(slab.outputs));
    }
    queue.finish();
    result.readBytes = reader.planesRead() * filter.input.planeBytes();
  } catch (...) {
    queue.fail(std::current_exception());
  }
  threads.clear();  // waits for them
  queue.rethrow();
  control.check();
  result.seconds = pace.seconds();
  result.writtenBytes = outputs;
  if (result.verification) {
    requireVerified(*result.verification, result.report.engine);
    result.verification->coverage = coverageOf(
        std::to_string(verified) + " of " + std::to_string(plan.parts.size()) + " slabs", *result.verification);
  }
  return result;
}

}  // namespace sscope
