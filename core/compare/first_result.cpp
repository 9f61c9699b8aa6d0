#include "core/compare/first_result.h"

#include <algorithm>
#include <utility>

#include "core/engine/run_trace.h"
#include "core/engine/tuning_store.h"
#include "core/measure/ceiling_store.h"
#include "core/measure/verify_variant.h"
#include "core/parts/partition.h"

namespace sscope::compare {

namespace {

// First results are looked at, not quoted: less is spent on comparing them than on quoted ones.
constexpr double kFirstBudget = 0.25;

// The planes that a slab of one plane reads beyond itself.
std::int64_t haloOf(const Workload& workload, const Box& whole, std::size_t axis) {
  Box middle = whole;
  middle.begin[axis] = whole.size(static_cast<int>(axis)) / 2;
  middle.end[axis] = middle.begin[axis] + 1;
  return std::max<std::int64_t>(0, workload.reach(middle).size(static_cast<int>(axis)) - 1);
}

std::int64_t bytesOf(const std::vector<PlanBuffer>& buffers) {
  std::int64_t sum = 0;
  for (const PlanBuffer& one : buffers) sum += one.bytes;
  return sum;
}

Box wholeOf(const ArraySpec& spec) { return {{0, 0, 0}, {spec.extent[0], spec.extent[1], spec.extent[2]}}; }

}  // namespace

std::vector<Box> slabsOf(const Workload& workload, int most) {
  const std::vector<ArraySpec> outputs = workload.outputs();
  const Box whole = wholeOf(outputs.front());
  const bool alike = std::ranges::all_of(outputs, [&](const ArraySpec& spec) { return wholeOf(spec) == whole; });
  const std::size_t axis = reach::slowestAxis(outputs.front().extent);
  const std::int64_t planes = whole.size(static_cast<int>(axis));
  Box one = whole;
  one.end[axis] = 1;
  if (!alike || most < 2 || planes < 2 || workload.restrictedTo(one) == nullptr) return {whole};
  const std::int64_t thinnest = std::max<std::int64_t>(1, 2 * haloOf(workload, whole, axis));
  const std::int64_t count = std::clamp<std::int64_t>(planes / thinnest, 1, most);
  if (count == 1) return {whole};
  std::vector<Box> slabs;
  for (const Range& part : reach::evenly(planes, count))
    slabs.push_back(reach::slab(outputs.front().extent, axis, part));
  return slabs;
}

FirstResult firstResult(const FirstRun& run, const BenchRow& contender, const std::vector<Box>& slabs,
                        std::vector<Volume>& outputs, const std::function<void(const SlabTime&)>& finished,
                        const std::function<void(const FirstResult&)>& computed, const Control& control) {
  for (Volume& output : outputs) poison(output.view());
  Engine& engine = run.engines.at(contender.engine);
  const Variant& variant = run.variants.at(run.workload.name(), engine.info(), contender.variant);
  PrepareOptions how{run.threads, 0, contender.values, storedCeilings(engine.info(), run.threads)};
  how.trace = std::make_shared<RunTrace>();
  const RunTrace& clock = *how.trace;
  FirstResult result;
  bool writtenOut = false;
  for (const Box& box : slabs) {
    SlabTime time{box, clock.now(), 0, {}};
    const std::unique_ptr<Workload> part = slabs.size() > 1 ? run.workload.restrictedTo(box) : nullptr;
    const Workload& workload = part ? *part : run.workload;
    const std::unique_ptr<Plan> plan = run.variants.prepare(engine, workload, contender.variant, how, control);
    const double prepared = clock.now() - time.begin;
    std::vector<ArrayView> views;
    for (Volume& output : outputs) views.push_back(viewOfBox(output.view(), box));
    const RunReport report = plan->run({{&run.input, 1}, run.identity}, views, control);
    control.check();
    writtenOut = writtenOut || report.writtenOut;
    time.phases = report.phases;
    time.phases.compile = std::max(prepared, report.phases.compile);
    time.end = clock.now();
    time.spans = how.trace->take();
    result.phases += time.phases;
    result.seconds = time.end;
    if (result.plan.empty()) result.plan = plan->description();
    result.scratchBytes = std::max(result.scratchBytes, plan->scratchBytes());
    if (std::vector<PlanBuffer> buffers = plan->buffers(); bytesOf(buffers) > bytesOf(result.buffers))
      result.buffers = std::move(buffers);
    result.slabs.push_back(time);
    finished(time);
  }
  result.phases.total = result.seconds;
  result.memory.input = run.workload.inputs().front().bytes();
  for (const Volume& output : outputs) result.memory.outputs += output.bytes();
  result.memory.device = engine.heldMemory();
  computed(result);
  std::vector<ConstArrayView> views;
  for (const Volume& output : outputs) views.push_back(output.view());
  VerifyOptions verifying;
  verifying.fullBudgetSeconds = kFirstBudget;
  verifying.writtenOut = writtenOut;
  result.verification = verify(variant, run.workload, {&run.input, 1}, views, verifying, control);
  return result;
}

}  // namespace sscope::compare
