#include "gpu/lattice/dirac_plan.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/engine/plan_arrays.h"
#include "gpu/device/split_launch.h"
#include "gpu/run/device_limits.h"
#include "gpu/run/sizes.h"
#include "gpu/run/whole_input.h"

namespace sscope {

namespace {

Slot slotOf(DiracArray array) {
  switch (array) {
    case DiracArray::Input: return Slot::Input;
    case DiracArray::First: return Slot::Gathered;
    case DiracArray::Second: return Slot::Sum;
    default: return Slot::Output;
  }
}

class DiracPlan : public Plan {
 public:
  DiracPlan(DeviceEngine& engine, const DiracWorkload& workload, DiracDesign design, const PrepareOptions& options,
            const Control& control)
      : engine_(engine),
        workload_(workload),
        design_(std::move(design)),
        budget_(engine.budget(options.deviceMemoryLimit)) {
    const std::vector<std::byte> links = bytesOf(orderedLinks(workload_, design_.links), design_.stored);
    std::vector<std::int32_t> neighbors;
    if (design_.neighborTable) neighbors = neighborTable(workload_.field().lattice());
    ownBytes_ = static_cast<std::int64_t>(links.size() + neighbors.size() * sizeof(std::int32_t));
    checkGroups();
    checkMemory();
    const Stopwatch watch;
    std::vector<ProgramCache::Pending> pending;
    for (const DiracStep& step : design_.steps) {
      std::vector<KernelArgument> idle(5, kNoBuffer);
      idle.insert(idle.end(), 3, std::int32_t{0});
      pending.push_back(engine_.programs().start(step.source, idle));
    }
    for (const auto& one : pending) kernels_.push_back(ProgramCache::wait(one, control));
    compileSeconds_ = watch.seconds();
    links_ = upload(links, control);
    if (!neighbors.empty()) neighbors_ = upload(std::as_bytes(std::span(neighbors)), control);
  }

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override;

  [[nodiscard]] std::int64_t scratchBytes() const override {
    const SlotBytes bytes = slotBytes();
    // A processor's device memory is this machine's memory.
    return properties().cpu ? std::accumulate(bytes.begin(), bytes.end(), ownBytes_) : 0;
  }
  [[nodiscard]] std::string description() const override { return design_.description; }

 private:
  [[nodiscard]] const DeviceProperties& properties() const { return engine_.device().properties(); }
  [[nodiscard]] SlotBytes slotBytes() const {
    const ArraySpec spec = workload_.inputs()[0];
    const std::int64_t site = kSpinorComponents * static_cast<std::int64_t>(sizeof(double));
    SlotBytes bytes{};
    const auto need = [&](DiracArray array) {
      bytes[static_cast<std::size_t>(slotOf(array))] = spec.bytes() + design_.sitesBeyond * site + kSlackBytes;
    };
    need(DiracArray::Input);
    for (const DiracStep& step : design_.steps) {
      need(step.from);
      need(step.to);
    }
    return bytes;
  }
  [[nodiscard]] std::unique_ptr<DeviceBuffer> upload(std::span<const std::byte> data, const Control& control) {
    auto buffer = engine_.device().allocate(static_cast<std::int64_t>(data.size()));
    const auto lock = engine_.lock(control);
    engine_.transfer().write(*buffer, 0, data, control);
    return buffer;
  }
  void checkGroups() const;
  void checkMemory() const;
  void compute(RunReport& report, const Control& control);
  void describeLaunch(RunReport& report) const;

  DeviceEngine& engine_;
  DiracWorkload workload_;
  DiracDesign design_;
  std::int64_t budget_;
  std::int64_t ownBytes_ = 0;
  std::vector<std::shared_ptr<CompiledKernel>> kernels_;  // of the steps
  std::unique_ptr<DeviceBuffer> links_, neighbors_;
  double compileSeconds_ = 0;  // until it was reported
};

void DiracPlan::checkGroups() const {
  const std::int64_t largest = properties().largestGroup;
  for (const DiracStep& step : design_.steps)
    if (step.source.group.count() > largest)
      throw Error(ErrorKind::Unsupported,
                  design_.variant + " cannot run groups of " + std::to_string(step.source.group.count()) +
                      " work items on " + engine_.info().id,
                  "at most " + std::to_string(largest) + " make a group there");
}

void DiracPlan::checkMemory() const {
  const SlotBytes bytes = slotBytes();
  const std::int64_t total = std::accumulate(bytes.begin(), bytes.end(), ownBytes_);
  const std::int64_t largest = std::max(ownBytes_, *std::max_element(bytes.begin(), bytes.end()));
  const std::int64_t allowed = properties().largestAllocation;
  if (total <= budget_ && largest <= allowed) return;
  const auto megabytes = [](std::int64_t n) { return std::to_string((n + (1 << 20) - 1) >> 20) + " MiB"; };
  throw Error(ErrorKind::Memory,
              design_.variant + " needs " + megabytes(total) + " on " + engine_.info().id + ", " + megabytes(largest) +
                  " of them in one piece; " + megabytes(budget_) + " and " + megabytes(allowed) + " are there",
              "choose a smaller lattice");
}

void DiracPlan::compute(RunReport& report, const Control& control) {
  const lattice::Lattice& lattice = workload_.field().lattice();
  const auto steps = static_cast<double>(design_.steps.size());
  const auto buffer = [&](DiracArray array) { return &engine_.workspace().at(slotOf(array)); };
  for (std::size_t i = 0; i < design_.steps.size(); ++i) {
    const DiracStep& step = design_.steps[i];
    const SplitLaunch launch{
        kernels_[i].get(),
        step.source.group,
        step.columns,
        lattice.extent(3),
        lattice.spatialVolume(),
        step.operationsPerSite,
        {buffer(DiracArray::Input), buffer(step.from), buffer(step.to), links_.get(), neighbors_.get(), step.direction},
        step.source.localBytes};
    const double seconds = runSplit(engine_.device(), launch, control, [&](double share) {
      control.report(0.9 * (static_cast<double>(i) + share) / steps, "computing");
    });
    Phases& phases = report.phases;
    (step.phase == DiracPhase::Upload   ? phases.upload
     : step.phase == DiracPhase::Kernel ? phases.kernel
                                        : phases.download) += seconds;
  }
}

void DiracPlan::describeLaunch(RunReport& report) const {
  // Of the step that computes, the last one where there are several.
  std::size_t main = 0;
  for (std::size_t i = 0; i < design_.steps.size(); ++i)
    if (design_.steps[i].phase == DiracPhase::Kernel) main = i;
  const KernelSource& source = design_.steps[main].source;
  report.launch["group"] = static_cast<double>(source.group.count());
  const KernelAttributes taken = kernels_[main]->kernel->attributes();
  if (taken.registers > 0) report.launch["registers"] = taken.registers;
  if (taken.privateBytes > 0) report.launch["private bytes"] = static_cast<double>(taken.privateBytes);
  report.launch["local bytes"] = static_cast<double>(taken.localBytes + source.localBytes);
  const double occupancy =
      expectedOccupancy(properties(), source.group.count(), taken, taken.localBytes + source.localBytes);
  if (occupancy > 0) report.launch["occupancy"] = occupancy;
}

RunReport DiracPlan::run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) {
  const Stopwatch watch;
  requireArrays(workload_, inputs, outputs);
  control.check();
  RunReport report;
  report.engine = engine_.info().id;
  report.variant = design_.variant;
  const Work work = workload_.work();
  report.operations = work.operations;
  report.bytes = design_.stored == Precision::f32 ? work.bytes / 2 : work.bytes;
  report.executedOperations = design_.executedPerSite * static_cast<double>(workload_.field().lattice().volume());
  describeLaunch(report);
  const auto lock = engine_.lock(control);
  engine_.workspace().require(slotBytes(), budget_);
  report.phases.upload = uploadWholeInput(engine_, inputs, workload_.inputs()[0], control);
  compute(report, control);
  const Stopwatch download;
  engine_.transfer().downloadSlices(engine_.workspace().at(Slot::Output), outputs[0], 0, outputs[0].extent[2], control);
  report.phases.download += download.seconds();
  report.phases.compile = std::exchange(compileSeconds_, 0.0);
  report.phases.total = watch.seconds();
  return report;
}

}  // namespace

std::unique_ptr<Plan> makeDiracPlan(DeviceEngine& engine, const DiracWorkload& workload, DiracDesign design,
                                    const PrepareOptions& options, const Control& control) {
  return std::make_unique<DiracPlan>(engine, workload, std::move(design), options, control);
}

}  // namespace sscope
