#include "gpu/filter/tuned_plan.h"

#include <algorithm>
#include <numeric>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/engine/plan_arrays.h"
#include "gpu/run/whole_input.h"

namespace sscope {

TunedPlan::TunedPlan(DeviceEngine& engine, const FilterWorkload& workload, const PrepareOptions& options)
    : engine_(engine), workload_(workload), budget_(engine.budget(options.deviceMemoryLimit)) {}

std::int64_t TunedPlan::scratchBytes() const {
  // A processor's device memory is this machine's memory.
  if (!device().properties().cpu) return 0;
  const SlotBytes bytes = slotBytes();
  return std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
}

void TunedPlan::checkMemory() const {
  const SlotBytes bytes = slotBytes();
  const std::int64_t total = std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
  const std::int64_t largest = *std::max_element(bytes.begin(), bytes.end());
  const std::int64_t allowed = device().properties().largestAllocation;
  if (total <= budget_ && largest <= allowed) return;
  const auto megabytes = [](std::int64_t n) { return std::to_string((n + (1 << 20) - 1) >> 20) + " MiB"; };
  throw Error(ErrorKind::Memory,
              "the tuned kernels need " + megabytes(total) + " on " + engine_.info().id + ", " + megabytes(largest) +
                  " of them in one piece; " + megabytes(budget_) + " and " + megabytes(allowed) + " are there",
              "choose a smaller shape");
}

std::vector<std::int32_t> TunedPlan::places(std::size_t axis, std::int64_t extra) const {
  return placesOf({0, extent()[axis]}, box().size[axis], box().anchor[axis], extent()[axis], workload_.boundary(), 0,
                  extra);
}

void TunedPlan::fetch(Slot from, std::int64_t offset, const ArrayView& output, RunReport& report,
                      const Control& control) {
  const Stopwatch watch;
  engine_.transfer().downloadSlices(*slot(from), output, 0, output.extent[2], control, offset);
  report.phases.download += watch.seconds();
}

RunReport TunedPlan::run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) {
  const Stopwatch watch;
  requireArrays(workload_, inputs, outputs);
  control.check();
  RunReport report;
  report.engine = engine_.info().id;
  report.variant = "tuned";
  report.writtenOut = true;
  const Work work = workload_.workAs(true);
  report.operations = work.operations;
  report.bytes = work.bytes;
  report.saturated.assign(outputs.size(), 0);
  const auto lock = engine_.lock(control);
  engine_.workspace().require(slotBytes(), budget_);
  report.phases.upload = uploadWholeInput(engine_, inputs, workload_.input(), control);
  compute(outputs, report, control);
  report.phases.compile = std::exchange(compileSeconds_, 0.0);
  report.phases.total = watch.seconds();
  return report;
}

void defineTunedRows(KernelSource& source, const FilterWorkload& workload, std::int64_t tx) {
  defineStore(source, workload.outputType(), false, false);
  source.extra.emplace_back("tuned_rows.h");
  const DenseTaps& box = workload.stencil(0).dense;
  source.define("SIZE_X", box.size[0]);
  source.define("ANCHOR", box.anchor[0]);
  source.define("TX", tx);
  source.define("HAS_OUTSIDE", workload.boundary() == Boundary::constant ? 1 : 0);
}

}  // namespace sscope
