#include "gpu/wavelet/dwt_plan.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/engine/plan_arrays.h"
#include "core/wavelet/polyphase.h"
#include "core/workload/workload_options.h"
#include "gpu/device/split_launch.h"
#include "gpu/run/sizes.h"
#include "gpu/run/whole_input.h"

namespace sscope {

namespace {

using Extent = std::array<std::int64_t, 3>;

// An array on the device: rows and slices without gaps.
struct Place {
  Slot slot = Slot::Input;
  std::int64_t row = 0, slice = 0;
};
Place placeOf(Slot slot, const Extent& extent) { return {slot, extent[0], extent[0] * extent[1]}; }

// One launch (or several short ones): one axis of one level.
struct Pass {
  std::size_t axis = 0;
  Extent extent{};   // of the level
  Extent corner{};   // of the averages, for split sources and targets
  Extent present{};  // of the source, where it is extended
  Place source, averagesIn, target, averagesOut;
  bool extended = false, splitSource = false, splitTarget = false;
  std::shared_ptr<CompiledKernel> kernel;
};

std::string listOf(const std::vector<double>& taps, Precision precision) {
  std::string list;
  for (const double tap : taps) list += (list.empty() ? "" : ",") + kernelLiteral(tap, precision);
  return list;
}

// Sharing more loads is worth the registers where an element is large.
std::int64_t blockOf(const std::string& text, Precision precision) {
  if (text == "auto") return precision == Precision::f32 ? 4 : 16;
  return std::stoll(text);
}

class DwtDevicePlan final : public Plan {
 public:
  DwtDevicePlan(DeviceEngine& engine, const DwtWorkload& workload, DwtRung rung, const PrepareOptions& options,
                const Control& control)
      : engine_(engine),
        workload_(workload),
        rung_(rung),
        phases_(polyphaseOf(workload.wavelet(), workload.forward())),
        block_(rung == DwtRung::Tuned ? blockOf(textOf(options.values, "block"), workload.precision()) : 1),
        group_(engine.device().properties().cpu ? Grid{64, 1} : Grid{64, 4}),
        budget_(engine.budget(options.deviceMemoryLimit)) {
    while (group_.count() > engine.device().properties().largestGroup && group_.y > 1) group_.y /= 2;
    checkMemory();
    listPasses();
    const Stopwatch watch;
    std::vector<ProgramCache::Pending> pending;
    for (const Pass& pass : passes_) pending.push_back(engine_.programs().start(sourceOf(pass), idleArguments()));
    for (std::size_t i = 0; i < passes_.size(); ++i) passes_[i].kernel = ProgramCache::wait(pending[i], control);
    compileSeconds_ = watch.seconds();
  }

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override;

  [[nodiscard]] std::int64_t scratchBytes() const override {
    const SlotBytes bytes = slotBytes();
    // A processor's device memory is this machine's memory.
    return engine_.device().properties().cpu ? std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0}) : 0;
  }
  [[nodiscard]] std::string description() const override {
    return name() + ", " + std::to_string(passes_.size()) + " passes, groups of " + std::to_string(group_.x) + " x " +
           std::to_string(group_.y) +
           (rung_ == DwtRung::Tuned ? ", blocks of " + std::to_string(block_) + " pairs" : "");
  }

 private:
  [[nodiscard]] std::string name() const { return rung_ == DwtRung::Naive ? "naive" : "tuned"; }
  [[nodiscard]] std::int64_t bytesOfPlace(const Extent& n) const {
    return n[0] * n[1] * n[2] * (workload_.precision() == Precision::f32 ? 4 : 8) + kSlackBytes;
  }

  // Gathered and AfterZ: between the passes of a level; AfterY and Sum: averages of every second level.
  [[nodiscard]] SlotBytes slotBytes() const {
    const Pyramid& pyramid = workload_.pyramid();
    SlotBytes bytes{};
    const auto at = [&](Slot slot) -> std::int64_t& { return bytes[static_cast<std::size_t>(slot)]; };
    at(Slot::Input) = workload_.input().bytes() + kSlackBytes;
    at(Slot::Output) = workload_.outputs()[0].bytes() + kSlackBytes;
    if (pyramid.dimensions() > 1) at(Slot::Gathered) = bytesOfPlace(pyramid.extent);
    if (pyramid.dimensions() > 2) at(Slot::AfterZ) = bytesOfPlace(pyramid.extent);
    if (pyramid.levels > 1) at(Slot::AfterY) = bytesOfPlace(pyramid.extentAt(1));
    if (pyramid.levels > 2) at(Slot::Sum) = bytesOfPlace(pyramid.extentAt(2));
    return bytes;
  }

  void checkMemory() const {
    const SlotBytes bytes = slotBytes();
    const std::int64_t total = std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
    const std::int64_t largest = *std::max_element(bytes.begin(), bytes.end());
    const std::int64_t allowed = engine_.device().properties().largestAllocation;
    if (total <= budget_ && largest <= allowed) return;
    const auto megabytes = [](std::int64_t n) { return std::to_string((n + (1 << 20) - 1) >> 20) + " MiB"; };
    throw Error(ErrorKind::Memory,
                "the transform needs " + megabytes(total) + " on " + engine_.info().id + ", " + megabytes(largest) +
                    " of them in one piece; " + megabytes(budget_) + " and " + megabytes(allowed) + " are there",
                "choose a smaller shape or another engine");
  }

  void listPasses();
  [[nodiscard]] KernelSource sourceOf(const Pass& pass) const;
  [[nodiscard]] SplitLaunch launchOf(const Pass& pass) const;
  [[nodiscard]] static std::vector<KernelArgument> idleArguments() {
    std::vector<KernelArgument> arguments(4, kNoBuffer);
    arguments.insert(arguments.end(), 8, std::int64_t{0});
    arguments.insert(arguments.end(), 11, std::int32_t{0});
    return arguments;
  }

  DeviceEngine& engine_;
  DwtWorkload workload_;
  DwtRung rung_;
  Polyphase phases_;
  std::int64_t block_;  // pairs a work item computes down its column
  Grid group_;
  std::int64_t budget_;
  std::vector<Pass> passes_;
  double compileSeconds_ = 0;  // until it was reported
};

void DwtDevicePlan::listPasses() {
  const Pyramid& pyramid = workload_.pyramid();
  const auto& given = workload_.input().extent;
  const Place input{Slot::Input, given[0], given[0] * given[1]};
  const Place output = placeOf(Slot::Output, pyramid.extent);
  const auto averages = [&](int level) {
    return placeOf(level % 2 == 1 ? Slot::AfterY : Slot::Sum, pyramid.extentAt(level));
  };
  const int last = pyramid.levels - 1;
  for (int step = 0; step < pyramid.levels; ++step) {
    const int level = phases_.forward ? step : last - step;
    std::size_t begin = passes_.size();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!pyramid.axes[axis]) continue;
      Pass pass;
      pass.axis = axis;
      pass.extent = pyramid.extentAt(level);
      pass.corner = pyramid.extentAt(level + 1);
      pass.present = {given[0], given[1], given[2]};
      const std::size_t done = passes_.size() - begin;
      if (done > 0) pass.source = passes_.back().target;
      pass.target = placeOf(done == 0 ? Slot::Gathered : Slot::AfterZ, pass.extent);
      passes_.push_back(std::move(pass));
    }
    Pass &head = passes_[begin], &tail = passes_.back();
    if (phases_.forward) {
      head.source = level == 0 ? input : averages(level);
      head.extended = level == 0 && pyramid.extent != head.present;
      tail.target = output;
      tail.splitTarget = level < last;
      tail.averagesOut = averages(level + 1);
    } else {
      head.source = input;
      head.splitSource = level < last;
      head.averagesIn = averages(level + 1);
      tail.target = level == 0 ? output : averages(level);
    }
  }
}

KernelSource DwtDevicePlan::sourceOf(const Pass& pass) const {
  const Precision precision = workload_.precision();
  const char* entry = rung_ == DwtRung::Naive ? "dwt_naive" : pass.axis == 0 ? "dwt_rows" : "dwt_columns";
  KernelSource source{entry, {"dwt_common.h"}, precision, 1, group_};
  source.define("AXIS", static_cast<std::int64_t>(pass.axis));
  source.define("FORWARD", phases_.forward ? 1 : 0);
  source.define("TERMS", phases_.terms);
  source.define("OFFSET", phases_.offset);
  source.define("PHASE", phases_.phase);
  source.define("TAPS_U", listOf(phases_.u, precision));
  source.define("TAPS_V", listOf(phases_.v, precision));
  source.define("EXTENDED", pass.extended ? 1 : 0);
  source.define("SPLIT_SOURCE", pass.splitSource ? 1 : 0);
  source.define("SPLIT_TARGET", pass.splitTarget ? 1 : 0);
  source.define("BLOCK", block_);
  return source;
}

SplitLaunch DwtDevicePlan::launchOf(const Pass& pass) const {
  const Extent& n = pass.extent;
  const std::int64_t pairs = n[pass.axis] / 2;
  const bool columns = rung_ == DwtRung::Tuned && pass.axis > 0;
  const std::int64_t along = columns ? (pairs + block_ - 1) / block_ : pairs;
  const auto buffer = [&](const Place& place, bool used) -> KernelArgument {
    return used ? &engine_.workspace().at(place.slot) : kNoBuffer;
  };
  SplitLaunch launch;
  launch.kernel = pass.kernel.get();
  launch.group = group_;
  launch.columns = pass.axis == 0 ? pairs : n[0];
  launch.groups = pass.axis == 0 ? n[1] * n[2] : along * n[3 - pass.axis];
  launch.elementsPerGroup = n[0] * (columns ? 2 * block_ : pass.axis == 0 ? 1 : 2);
  launch.operationsPerElement = 4.0 * static_cast<double>(phases_.terms);
  launch.arguments = {buffer(pass.source, true),
                      buffer(pass.averagesIn, pass.splitSource),
                      buffer(pass.target, true),
                      buffer(pass.averagesOut, pass.splitTarget),
                      pass.source.row,
                      pass.source.slice,
                      pass.averagesIn.row,
                      pass.averagesIn.slice,
                      pass.target.row,
                      pass.target.slice,
                      pass.averagesOut.row,
                      pass.averagesOut.slice,
                      int32(n[0]),
                      int32(n[1]),
                      int32(n[2]),
                      int32(pass.corner[0]),
                      int32(pass.corner[1]),
                      int32(pass.corner[2]),
                      int32(pass.present[0]),
                      int32(pass.present[1]),
                      int32(pass.present[2])};
  return launch;
}

RunReport DwtDevicePlan::run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) {
  const Stopwatch watch;
  requireArrays(workload_, inputs, outputs);
  control.check();
  RunReport report;
  report.engine = engine_.info().id;
  report.variant = name();
  const Work work = workload_.work();
  report.operations = work.operations;
  report.bytes = work.bytes;
  report.launch = {{"group x", static_cast<double>(group_.x)}, {"group y", static_cast<double>(group_.y)}};
  report.saturated = {0};
  const auto lock = engine_.lock(control);
  Workspace& workspace = engine_.workspace();
  workspace.require(slotBytes(), budget_);

  report.phases.upload = uploadWholeInput(engine_, inputs, workload_.input(), control);

  double done = 0, all = 0;
  for (const Pass& pass : passes_) all += static_cast<double>(pass.extent[0] * pass.extent[1] * pass.extent[2]);
  for (const Pass& pass : passes_) {
    const double share = static_cast<double>(pass.extent[0] * pass.extent[1] * pass.extent[2]) / all;
    report.phases.kernel += runSplit(engine_.device(), launchOf(pass), control,
                                     [&](double part) { control.report(0.9 * (done + share * part), "transforming"); });
    done += share;
  }

  const Stopwatch downloading;
  engine_.transfer().downloadSlices(workspace.at(Slot::Output), outputs[0], 0, workload_.pyramid().extent[2], control);
  report.phases.download = downloading.seconds();
  report.phases.compile = std::exchange(compileSeconds_, 0.0);
  report.phases.total = watch.seconds();
  return report;
}

}  // namespace

std::unique_ptr<Plan> makeDwtPlan(DeviceEngine& engine, const DwtWorkload& workload, DwtRung rung,
                                  const PrepareOptions& options, const Control& control) {
  return std::make_unique<DwtDevicePlan>(engine, workload, rung, options, control);
}

}  // namespace sscope
