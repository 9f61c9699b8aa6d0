#include "gpu/filter/tuned_plan.h"

namespace sscope {

TunedPlan::TunedPlan(DeviceEngine& engine, const FilterWorkload& workload, const PrepareOptions& options)
    : DevicePlan(engine, workload, options),
      workload_(workload),
      extent_(workload.outputs().front().extent),
      input_(workload) {
  askInput(input_.bytes());
  report_.variant = "tuned";
  report_.writtenOut = true;
  const Work work = workload_.workAs(true);
  report_.operations = work.operations;
  report_.bytes = work.bytes;
  report_.saturated.assign(workload_.operators().size(), 0);
}

std::vector<std::int32_t> TunedPlan::places(std::size_t axis, std::int64_t extra) const {
  return input_.places(axis, {0, extent()[axis]}, extra);
}

void defineTunedRows(KernelSource& source, const FilterWorkload& workload, std::int64_t tx) {
  defineStore(source, workload.outputType(), false, false);
  source.extra.emplace_back("tile_store.h");
  source.extra.emplace_back("tuned_rows.h");
  const DenseTaps& box = workload.stencil(0).dense;
  source.define("SIZE_X", box.size[0]);
  source.define("ANCHOR", box.anchor[0]);
  source.define("TX", tx);
  source.define("HAS_OUTSIDE", workload.boundary() == Boundary::constant ? 1 : 0);
}

}  // namespace sscope
