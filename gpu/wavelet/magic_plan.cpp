#include "gpu/wavelet/magic_plan.h"

#include <algorithm>
#include <numeric>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/engine/plan_arrays.h"
#include "gpu/device/split_launch.h"
#include "gpu/run/device_limits.h"
#include "gpu/run/sizes.h"
#include "gpu/run/whole_input.h"

namespace sscope {

namespace {

class MagicPlan : public Plan {
 public:
  MagicPlan(DeviceEngine& engine, const MagicWorkload& workload, MagicDesign design, const PrepareOptions& options,
            const Control& control)
      : engine_(engine),
        workload_(workload),
        design_(std::move(design)),
        budget_(engine.budget(options.deviceMemoryLimit)) {
    checkMemory();
    const Stopwatch watch;
    std::vector<ProgramCache::Pending> pending;
    for (const MagicStep& step : design_.steps) {
      std::vector<KernelArgument> idle = arguments(step, kNoBuffer, kNoBuffer);
      idle.insert(idle.end(), 2, std::int32_t{0});
      pending.push_back(engine_.programs().start(step.source, idle));
    }
    for (const auto& one : pending) kernels_.push_back(ProgramCache::wait(one, control));
    compileSeconds_ = watch.seconds();
  }

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override;

  [[nodiscard]] std::int64_t scratchBytes() const override {
    const SlotBytes bytes = slotBytes();
    // A processor's device memory is this machine's memory.
    return properties().cpu ? std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0}) : 0;
  }
  [[nodiscard]] std::string description() const override { return design_.description; }

 private:
  [[nodiscard]] const DeviceProperties& properties() const { return engine_.device().properties(); }
  [[nodiscard]] static std::vector<KernelArgument> arguments(const MagicStep& step, const DeviceBuffer* from,
                                                             const DeviceBuffer* to) {
    std::vector<KernelArgument> all{from, to};
    all.insert(all.end(), step.arguments.begin(), step.arguments.end());
    return all;
  }

  // The input stays, results take turns in two other slots so that the last one is Output.
  [[nodiscard]] Slot target(std::size_t step) const {
    return (design_.steps.size() - 1 - step) % 2 == 0 ? Slot::Output : Slot::Sum;
  }
  [[nodiscard]] SlotBytes slotBytes() const {
    SlotBytes bytes{};
    const auto need = [&](Slot slot) {
      bytes[static_cast<std::size_t>(slot)] = workload_.input().bytes() + kSlackBytes;
    };
    need(Slot::Input);
    for (std::size_t i = 0; i < design_.steps.size(); ++i) need(target(i));
    return bytes;
  }
  void checkMemory() const;
  void compute(RunReport& report, const Control& control);
  void describeLaunch(RunReport& report) const;

  DeviceEngine& engine_;
  MagicWorkload workload_;
  MagicDesign design_;
  std::int64_t budget_;
  std::vector<std::shared_ptr<CompiledKernel>> kernels_;  // of the steps
  double compileSeconds_ = 0;                             // until it was reported
};

void MagicPlan::checkMemory() const {
  const SlotBytes bytes = slotBytes();
  const std::int64_t total = std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
  const std::int64_t largest = *std::max_element(bytes.begin(), bytes.end());
  const std::int64_t allowed = properties().largestAllocation;
  if (total <= budget_ && largest <= allowed) return;
  const auto megabytes = [](std::int64_t n) { return std::to_string((n + (1 << 20) - 1) >> 20) + " MiB"; };
  throw Error(ErrorKind::Memory,
              design_.variant + " needs " + megabytes(total) + " on " + engine_.info().id + ", " + megabytes(largest) +
                  " of them in one piece; " + megabytes(budget_) + " and " + megabytes(allowed) + " are there",
              "choose a smaller shape");
}

void MagicPlan::compute(RunReport& report, const Control& control) {
  std::vector<SplitLaunch> launches;
  for (std::size_t i = 0; i < design_.steps.size(); ++i) {
    const MagicStep& step = design_.steps[i];
    const Slot from = i == 0 ? Slot::Input : target(i - 1);
    launches.push_back(
        {kernels_[i].get(), step.source.group, step.columns, step.rows,
         std::max<std::int64_t>(1, static_cast<std::int64_t>(step.elementsPerRow)), step.operationsPerElement,
         arguments(step, &engine_.workspace().at(from), &engine_.workspace().at(target(i))), step.source.localBytes});
  }
  if (const auto seconds = runInRow(engine_.device(), launches, true, control)) {
    report.phases.kernel = *seconds;
    return;
  }
  const double steps = static_cast<double>(launches.size());
  for (std::size_t i = 0; i < launches.size(); ++i)
    report.phases.kernel += runSplit(engine_.device(), launches[i], control, [&](double share) {
      control.report(0.9 * (static_cast<double>(i) + share) / steps, "computing");
    });
}

void MagicPlan::describeLaunch(RunReport& report) const {
  report.launch = design_.launch;
  const KernelSource& source = design_.steps.back().source;
  report.launch["group x"] = static_cast<double>(source.group[0]);
  report.launch["group y"] = static_cast<double>(source.group[1]);
  const KernelAttributes taken = kernels_.back()->kernel->attributes();
  if (taken.registers > 0) report.launch["registers"] = taken.registers;
  if (taken.privateBytes > 0) report.launch["private bytes"] = static_cast<double>(taken.privateBytes);
  const std::int64_t local = taken.localBytes + source.localBytes;
  report.launch["local bytes"] = static_cast<double>(local);
  const double occupancy = expectedOccupancy(properties(), source.group.count(), taken, local);
  if (occupancy > 0) report.launch["occupancy"] = occupancy;
}

RunReport MagicPlan::run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) {
  const Stopwatch watch;
  requireArrays(workload_, inputs, outputs);
  control.check();
  RunReport report;
  report.engine = engine_.info().id;
  report.variant = design_.variant;
  const Work work = workload_.work();
  report.operations = work.operations;
  report.bytes = work.bytes;
  report.executedOperations = design_.executedOperations;
  describeLaunch(report);
  const auto lock = engine_.lock(control);
  engine_.workspace().require(slotBytes(), budget_);
  report.phases.upload = uploadWholeInput(engine_, inputs, workload_.input(), control);
  compute(report, control);
  const Stopwatch download;
  engine_.transfer().downloadSlices(engine_.workspace().at(Slot::Output), outputs[0], 0, outputs[0].extent[2], control);
  report.phases.download = download.seconds();
  report.phases.compile = std::exchange(compileSeconds_, 0.0);
  report.phases.total = watch.seconds();
  return report;
}

}  // namespace

std::unique_ptr<Plan> makeMagicPlan(DeviceEngine& engine, const MagicWorkload& workload, MagicDesign design,
                                    const PrepareOptions& options, const Control& control) {
  return std::make_unique<MagicPlan>(engine, workload, std::move(design), options, control);
}

}  // namespace sscope
