#include "core/ladder/sweep_data.h"

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/workload/catalog.h"
#include "core/workload/noise.h"

namespace sscope {

namespace {

const WorkloadKind& kindOf(const std::string& name) {
  const WorkloadKind* kind = findWorkloadKind(name);
  if (kind == nullptr) throw Error(ErrorKind::NotFound, "the workload " + name + " has no ladder");
  return *kind;
}

}  // namespace

SweepData::SweepData(const std::string& workload) : kind_(kindOf(workload)) {}

std::unique_ptr<Workload> SweepData::workload(const std::array<std::int64_t, 3>& shape,
                                              const OptionValues& values) const {
  const OptionValues complete = completeOptions(kind_.options, values);
  return kind_.make(kind_.inputSpec(shape, complete), complete);
}

ConstArrayView SweepData::input(const Workload& workload, const OptionValues& values, const Control& control) {
  const ArraySpec spec = workload.inputs().front();
  const std::int64_t seed = integerOf(completeOptions(kind_.options, values), "seed");
  if (seed != seed_ || noise_.spec().type != spec.type || noise_.spec().extent != spec.extent) {
    noise_ = {};
    requireMemory(bytesOf(workload));
    noise_ = noiseVolume({spec.extent[0], spec.extent[1], spec.extent[2], static_cast<int>(spec.extent[3])}, spec.type,
                         static_cast<std::uint64_t>(seed), control);
    seed_ = seed;
  } else {
    requireMemory(bytesOf(workload) - spec.bytes());
  }
  return std::as_const(noise_).view();
}

std::int64_t bytesOf(const Workload& workload) {
  std::int64_t bytes = 0;
  for (const ArraySpec& spec : workload.inputs()) bytes += spec.bytes();
  for (const ArraySpec& spec : workload.outputs()) bytes += spec.bytes();
  return bytes;
}

}  // namespace sscope
