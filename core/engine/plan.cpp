#include "core/engine/plan.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/volume/volume.h"

namespace sscope {

std::vector<PlanBuffer> Plan::buffers() const {
  if (const std::int64_t bytes = scratchBytes(); bytes > 0) return {{"scratch of the plan", bytes}};
  return {};
}

ResidentRun Plan::runResident(const Inputs& inputs, std::span<const ArraySpec> specs, VolumePool& memory,
                              const Control& control) {
  std::int64_t bytes = 0;
  for (const ArraySpec& spec : specs) bytes += spec.bytes();
  requireMemory(bytes - memory.kept());
  std::vector<std::shared_ptr<Volume>> volumes;
  std::vector<ArrayView> views;
  for (const ArraySpec& spec : specs) {
    const auto [nx, ny, nz, nc] = spec.extent;
    volumes.push_back(
        std::make_shared<Volume>(memory.make({nx, ny, nz, static_cast<int>(nc)}, spec.type, {}, specs.size())));
    views.push_back(volumes.back()->view());
  }
  ResidentRun ran{run(inputs, views, control), {}};
  for (auto& volume : volumes) ran.outputs.push_back(hostArray(ran.report.engine, std::move(volume)));
  return ran;
}

void requireArrays(const Workload& workload, const Inputs& inputs, std::span<const ArrayView> outputs) {
  requireArrays(workload.inputs(), workload.outputs(), inputs, outputs);
}

namespace {

template <class Output>
void requireAll(std::span<const ArraySpec> in, std::span<const ArraySpec> out, const Inputs& inputs,
                std::span<const Output> outputs) {
  const auto fits = [](const auto& array, const ArraySpec& spec) {
    return array.type == spec.type && array.extent == spec.extent;
  };
  if (!std::equal(inputs.arrays.begin(), inputs.arrays.end(), in.begin(), in.end(), fits) ||
      !std::equal(outputs.begin(), outputs.end(), out.begin(), out.end(), fits))
    throw Error(ErrorKind::Usage, "the arrays do not match the prepared plan", "prepare it for their shape and type");
}

}  // namespace

void requireArrays(std::span<const ArraySpec> in, std::span<const ArraySpec> out, const Inputs& inputs,
                   std::span<const ArrayView> outputs) {
  requireAll(in, out, inputs, outputs);
}

void requireArrays(std::span<const ArraySpec> in, std::span<const ArraySpec> out, const Inputs& inputs,
                   std::span<const ArraySpec> outputs) {
  requireAll(in, out, inputs, outputs);
}

}  // namespace sscope
