#include "gpu/lattice/cr_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/engine/plan_arrays.h"
#include "gpu/device/split_launch.h"
#include "gpu/device/wait.h"
#include "gpu/run/device_limits.h"
#include "gpu/run/sizes.h"
#include "gpu/run/whole_input.h"

namespace sscope {

namespace {

// Iterations are queued at once for so long, and watched one by one where one takes longer.
constexpr double kBatchSeconds = 0.02;
// Between two looks at the residual, where somebody waits for it.
constexpr int kWatchedBatch = 8;

Slot slotOf(CrArray array) {
  switch (array) {
    case CrArray::Source: return Slot::Input;
    case CrArray::R: return Slot::Gathered;
    case CrArray::P: return Slot::AfterZ;
    case CrArray::Ap: return Slot::AfterY;
    case CrArray::Ar: return Slot::Sum;
    default: return Slot::Output;
  }
}

struct PreparedLaunch {
  CrLaunch what;
  std::shared_ptr<CompiledKernel> kernel;
};
using PreparedList = std::vector<PreparedLaunch>;

class DeviceCrPlan final : public CrPlan {
 public:
  DeviceCrPlan(DeviceEngine& engine, const CrWorkload& workload, CrProgram program, const PrepareOptions& options,
               const Control& control);

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    CrRequest request;
    request.iterations = workload_.cr().iterations;
    return solve(inputs, outputs, request, control).report;
  }
  CrOutcome solve(const Inputs& inputs, std::span<const ArrayView> outputs, const CrRequest& request,
                  const Control& control) override;

  [[nodiscard]] std::int64_t scratchBytes() const override {
    const SlotBytes bytes = slotBytes();
    // A processor's device memory is this machine's memory.
    return properties().cpu ? std::accumulate(bytes.begin(), bytes.end(), ownBytes_) : 0;
  }
  [[nodiscard]] std::string description() const override { return program_.description; }

 private:
  [[nodiscard]] Device& device() const { return engine_.device(); }
  [[nodiscard]] const DeviceProperties& properties() const { return device().properties(); }
  [[nodiscard]] std::int64_t fieldBytes() const {
    const std::int64_t site = kSpinorComponents * static_cast<std::int64_t>(sizeof(double));
    return workload_.inputs()[0].bytes() + program_.dirac.sitesBeyond * site + kSlackBytes;
  }
  [[nodiscard]] SlotBytes slotBytes() const {
    SlotBytes bytes;
    bytes.fill(fieldBytes());
    return bytes;
  }
  void checkGroup(const CrLaunch& launch) const;
  void checkMemory(std::int64_t largestOwn) const;
  void compile(const Control& control);
  [[nodiscard]] const DeviceBuffer* buffer(CrArray array) const;
  [[nodiscard]] std::vector<KernelArgument> argumentsOf(const CrLaunch& launch) const;

  // One solve(): what its parts share.
  struct Run {
    const CrRequest& request;
    const Control& control;
    CrOutcome outcome;
    std::unique_ptr<DeviceEvent> first;  // of a trace
    double ended = 0;
  };
  void begin(Run& run);
  void step(Run& run);
  void watched(Run& run, const PreparedList& list, int iteration);
  double queued(Run& run, int iterations);
  void note(Run& run, const std::string& kernel, std::unique_ptr<DeviceEvent> event, int iteration, bool piece) const;
  void look(Run& run);
  void describe(RunReport& report) const;

  DeviceEngine& engine_;
  CrWorkload workload_;
  CrProgram program_;
  std::int64_t budget_;
  std::int64_t ownBytes_ = 0;
  PreparedList before_, during_, after_;
  std::array<std::unique_ptr<DeviceBuffer>, kCrArrays> own_;
  std::vector<double> scalars_;
  double iterationSeconds_ = 0;  // 0: not known yet
  double compileSeconds_ = 0;    // until it was reported
};

DeviceCrPlan::DeviceCrPlan(DeviceEngine& engine, const CrWorkload& workload, CrProgram program,
                           const PrepareOptions& options, const Control& control)
    : engine_(engine),
      workload_(workload),
      program_(std::move(program)),
      budget_(engine.budget(options.deviceMemoryLimit)),
      scalars_(static_cast<std::size_t>(kCrScalars)) {
  const DiracWorkload dirac(workload_.sharedField(), workload_.cr().wilson);
  const std::vector<std::byte> links = bytesOf(orderedLinks(dirac, program_.dirac.links), program_.dirac.stored);
  std::vector<std::byte> wholeLinks;
  if (program_.exact) wholeLinks = bytesOf(orderedLinks(dirac, program_.exact->links), program_.exact->stored);
  std::vector<std::int32_t> neighbors;
  if (program_.dirac.neighborTable) neighbors = neighborTable(workload_.field().lattice());
  const auto uses = [](const CrLaunch& launch) {
    return std::find(launch.arguments.begin(), launch.arguments.end(), CrArgument(CrArray::Middle)) !=
           launch.arguments.end();
  };
  const bool middle = std::any_of(program_.during.begin(), program_.during.end(), uses);
  std::array<std::int64_t, kCrArrays> bytes{};
  const auto need = [&](CrArray array, std::int64_t n) { bytes[static_cast<std::size_t>(array)] = n; };
  need(CrArray::Links, static_cast<std::int64_t>(links.size()));
  need(CrArray::Whole, program_.exact ? fieldBytes() : 0);
  need(CrArray::WholeLinks, static_cast<std::int64_t>(wholeLinks.size()));
  need(CrArray::Neighbors, static_cast<std::int64_t>(neighbors.size() * sizeof(std::int32_t)));
  need(CrArray::Middle, middle ? fieldBytes() : 0);
  need(CrArray::Scalars, kCrScalars * static_cast<std::int64_t>(sizeof(double)));
  need(CrArray::Squares, 2 * program_.squarePairs * static_cast<std::int64_t>(sizeof(double)));
  need(CrArray::Products, 2 * program_.productPairs * static_cast<std::int64_t>(sizeof(double)));
  ownBytes_ = std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
  for (const auto* list : {&program_.before, &program_.during})
    for (const CrLaunch& launch : *list) checkGroup(launch);
  checkMemory(*std::max_element(bytes.begin(), bytes.end()));
  compile(control);
  for (std::size_t i = 0; i < kCrArrays; ++i)
    if (bytes[i] > 0) own_[i] = device().allocate(bytes[i]);
  const auto lock = engine_.lock(control);
  engine_.transfer().write(*buffer(CrArray::Links), 0, links, control);
  if (program_.exact) engine_.transfer().write(*buffer(CrArray::WholeLinks), 0, wholeLinks, control);
  if (!neighbors.empty())
    engine_.transfer().write(*buffer(CrArray::Neighbors), 0, std::as_bytes(std::span(neighbors)), control);
}

void DeviceCrPlan::checkGroup(const CrLaunch& launch) const {
  const std::int64_t group = launch.source.group.count(), largest = properties().largestGroup;
  if (group > largest)
    throw Error(
        ErrorKind::Unsupported,
        program_.variant + " cannot run groups of " + std::to_string(group) + " work items on " + engine_.info().id,
        "at most " + std::to_string(largest) + " make a group there");
}

void DeviceCrPlan::checkMemory(std::int64_t largestOwn) const {
  const SlotBytes bytes = slotBytes();
  const std::int64_t total = std::accumulate(bytes.begin(), bytes.end(), ownBytes_);
  const std::int64_t largest = std::max(largestOwn, fieldBytes()), allowed = properties().largestAllocation;
  if (total <= budget_ && largest <= allowed) return;
  const auto megabytes = [](std::int64_t n) { return std::to_string((n + (1 << 20) - 1) >> 20) + " MiB"; };
  throw Error(ErrorKind::Memory,
              program_.variant + " needs " + megabytes(total) + " on " + engine_.info().id + ", " + megabytes(largest) +
                  " of them in one piece; " + megabytes(budget_) + " and " + megabytes(allowed) + " are there",
              "choose a smaller lattice");
}

void DeviceCrPlan::compile(const Control& control) {
  const Stopwatch watch;
  std::vector<CrLaunch> after;
  if (program_.after) after.push_back(*program_.after);
  std::vector<std::pair<PreparedLaunch*, ProgramCache::Pending>> pending;
  const auto start = [&](const std::vector<CrLaunch>& from, PreparedList& to) {
    for (const CrLaunch& launch : from) to.push_back({launch, nullptr});
    for (PreparedLaunch& one : to) {
      std::vector<KernelArgument> idle;
      for (const CrArgument& argument : one.what.arguments)
        idle.push_back(std::holds_alternative<CrArray>(argument) ? KernelArgument(kNoBuffer)
                                                                 : KernelArgument(std::int32_t{0}));
      idle.insert(idle.end(), 2, std::int32_t{0});
      pending.emplace_back(&one, engine_.programs().start(one.what.source, idle));
    }
  };
  start(program_.before, before_);
  start(program_.during, during_);
  start(after, after_);
  for (auto& [launch, build] : pending) launch->kernel = ProgramCache::wait(build, control);
  compileSeconds_ = watch.seconds();
}

const DeviceBuffer* DeviceCrPlan::buffer(CrArray array) const {
  if (array >= CrArray::Middle && array != CrArray::X) return own_[static_cast<std::size_t>(array)].get();
  return &engine_.workspace().at(slotOf(array));
}

std::vector<KernelArgument> DeviceCrPlan::argumentsOf(const CrLaunch& launch) const {
  std::vector<KernelArgument> arguments;
  for (const CrArgument& argument : launch.arguments)
    arguments.push_back(std::holds_alternative<CrArray>(argument) ? KernelArgument(buffer(std::get<CrArray>(argument)))
                                                                  : KernelArgument(std::get<std::int32_t>(argument)));
  return arguments;
}

// A part of a launch continues the span of the part before it.
void DeviceCrPlan::note(Run& run, const std::string& kernel, std::unique_ptr<DeviceEvent> event, int iteration,
                        bool piece) const {
  KernelTrace* trace = run.request.trace;
  if (trace == nullptr) return;
  const double start = run.first ? event->startsAfter(*run.first) : 0, end = start + event->seconds();
  if (piece) {
    trace->spans.back().end = end;
  } else {
    trace->spans.push_back({kernel, start, end, iteration});
  }
  if (!run.first) run.first = std::move(event);
}

// Launch by launch, in pieces where they take long.
void DeviceCrPlan::watched(Run& run, const PreparedList& list, int iteration) {
  for (const PreparedLaunch& one : list) {
    bool piece = false;
    SplitLaunch launch{one.kernel.get(), one.what.source.group, one.what.columns,      one.what.rows,
                       one.what.columns, one.what.operations,   argumentsOf(one.what), one.what.source.localBytes};
    if (run.request.trace != nullptr)
      launch.keep = [&](std::unique_ptr<DeviceEvent> event) {
        note(run, one.what.name, std::move(event), iteration, std::exchange(piece, true));
      };
    run.outcome.report.phases.kernel += runSplit(device(), launch, run.control, [](double) {});
  }
}

// So many iterations that nothing waits between; gives the seconds.
double DeviceCrPlan::queued(Run& run, int iterations) {
  std::vector<KernelLaunch> launches;
  for (const PreparedLaunch& one : during_) {
    const Grid group = one.what.source.group;
    KernelLaunch launch{
        one.kernel->kernel.get(),
        {{(one.what.columns + group.x - 1) / group.x, one.what.rows}, group, one.what.source.localBytes},
        argumentsOf(one.what)};
    launch.arguments.emplace_back(std::int32_t{0});
    launch.arguments.emplace_back(static_cast<std::int32_t>(one.what.rows));
    launches.push_back(std::move(launch));
  }
  const std::size_t each = launches.size();
  launches.reserve(each * static_cast<std::size_t>(iterations));
  for (std::size_t i = each; i < each * static_cast<std::size_t>(iterations); ++i)
    launches.push_back(launches[i - each]);
  if (run.request.trace == nullptr) {
    const auto event = device().launchInRow(launches);
    waitFor(*event, run.control);
    return event->seconds();
  }
  std::vector<std::unique_ptr<DeviceEvent>> events;
  for (const KernelLaunch& one : launches) events.push_back(device().launch(*one.kernel, one.shape, one.arguments));
  waitFor(*events.back(), run.control);
  const int done = run.outcome.iterations;
  const double seconds = events.back()->startsAfter(*events.front()) + events.back()->seconds();
  for (std::size_t i = 0; i < events.size(); ++i)
    note(run, during_[i % each].what.name, std::move(events[i]), done + 1 + static_cast<int>(i / each), false);
  return seconds;
}

// Reads the scalars, and tells what is new.
void DeviceCrPlan::look(Run& run) {
  engine_.transfer().read(*buffer(CrArray::Scalars), 0, std::as_writable_bytes(std::span(scalars_)), run.control);
  const auto at = [&](std::int64_t place) { return scalars_[static_cast<std::size_t>(place)]; };
  const double bb = at(kCrBb);
  CrOutcome& outcome = run.outcome;
  if (outcome.residuals.empty()) outcome.residuals.push_back(bb > 0 ? 1 : bb);
  const int done = static_cast<int>(at(kCrIterations));
  while (outcome.iterations < done) {
    const int iteration = ++outcome.iterations;
    outcome.residuals.push_back(std::sqrt(at(kCrHistory + iteration % kCrHistoryLength) / bb));
    if (run.request.onIteration) run.request.onIteration(iteration, outcome.residuals.back());
  }
  run.ended = at(kCrEnded);
  outcome.end = static_cast<CrEnd>(static_cast<int>(run.ended));
}

void DeviceCrPlan::begin(Run& run) {
  std::fill(scalars_.begin(), scalars_.end(), 0.0);
  scalars_[kCrOne] = 1;
  scalars_[kCrTarget] = run.request.tolerance * run.request.tolerance;
  engine_.transfer().write(*buffer(CrArray::Scalars), 0, std::as_bytes(std::span(scalars_)), run.control);
  watched(run, before_, 0);
  look(run);
}

void DeviceCrPlan::step(Run& run) {
  const int left = run.request.iterations - run.outcome.iterations;
  double& kernel = run.outcome.report.phases.kernel;
  if (iterationSeconds_ == 0 || iterationSeconds_ > kBatchSeconds) {
    const double before = kernel;
    watched(run, during_, run.outcome.iterations + 1);
    iterationSeconds_ = kernel - before;
  } else {
    const bool awaited = run.request.tolerance > 0 || run.request.onIteration;
    const double many = std::clamp(kBatchSeconds / iterationSeconds_, 1.0, static_cast<double>(kCrHistoryLength));
    const int count = std::min({left, static_cast<int>(many), awaited ? kWatchedBatch : left});
    const double seconds = queued(run, count);
    kernel += seconds;
    // Traced ones are slower, and what has ended does nothing.
    if (run.request.trace == nullptr) iterationSeconds_ = std::max(iterationSeconds_ / 2, seconds / count);
  }
  look(run);
}

void DeviceCrPlan::describe(RunReport& report) const {
  // Of the launch that works most.
  const PreparedLaunch& main = *std::max_element(during_.begin(), during_.end(), [](const auto& a, const auto& b) {
    return a.what.operations < b.what.operations;
  });
  const KernelSource& source = main.what.source;
  report.launch["group"] = static_cast<double>(source.group.count());
  report.launch["launches an iteration"] = static_cast<double>(during_.size());
  const KernelAttributes taken = main.kernel->kernel->attributes();
  if (taken.registers > 0) report.launch["registers"] = taken.registers;
  if (taken.privateBytes > 0) report.launch["private bytes"] = static_cast<double>(taken.privateBytes);
  report.launch["local bytes"] = static_cast<double>(taken.localBytes + source.localBytes);
  const double occupancy =
      expectedOccupancy(properties(), source.group.count(), taken, taken.localBytes + source.localBytes);
  if (occupancy > 0) report.launch["occupancy"] = occupancy;
}

CrOutcome DeviceCrPlan::solve(const Inputs& inputs, std::span<const ArrayView> outputs, const CrRequest& request,
                              const Control& control) {
  const Stopwatch watch;
  requireArrays(workload_, inputs, outputs);
  control.check();
  Run run{request, control, {}, nullptr};
  RunReport& report = run.outcome.report;
  report.engine = engine_.info().id;
  report.variant = program_.variant;
  describe(report);
  const auto lock = engine_.lock(control);
  engine_.workspace().require(slotBytes(), budget_);
  report.phases.upload = uploadWholeInput(engine_, inputs, workload_.inputs()[0], control);
  begin(run);
  while (run.ended == 0 && run.outcome.iterations < request.iterations) {
    control.report(static_cast<double>(run.outcome.iterations) / request.iterations, "iterating");
    step(run);
  }
  // What was queued beyond the end did nothing.
  if (request.trace != nullptr)
    std::erase_if(request.trace->spans, [&](const auto& span) { return span.iteration > run.outcome.iterations; });
  const double kernel = report.phases.kernel;
  watched(run, after_, run.outcome.iterations);
  const Stopwatch download;
  const Slot result = slotOf(program_.after ? CrArray::R : CrArray::X);
  engine_.transfer().downloadSlices(engine_.workspace().at(result), outputs[0], 0, outputs[0].extent[2], control);
  report.phases.download = download.seconds() + std::exchange(report.phases.kernel, kernel) - kernel;
  report.phases.compile = std::exchange(compileSeconds_, 0.0);
  const Work work = workload_.work();
  const auto volume = static_cast<double>(workload_.field().lattice().volume());
  report.operations = work.operations;
  report.bytes = program_.dirac.stored == Precision::f32 ? work.bytes / 2 : work.bytes;
  report.executedOperations =
      volume * (program_.executedPerSite * run.outcome.iterations + program_.dirac.executedPerSite);
  report.launch["relative residual"] = run.outcome.residuals.back();
  report.phases.total = watch.seconds();
  return std::move(run.outcome);
}

}  // namespace

std::unique_ptr<CrPlan> makeCrPlan(DeviceEngine& engine, const CrWorkload& workload, CrProgram program,
                                   const PrepareOptions& options, const Control& control) {
  return std::make_unique<DeviceCrPlan>(engine, workload, std::move(program), options, control);
}

}  // namespace sscope
