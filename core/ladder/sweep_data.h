#pragma once
// The workload and input data of a sweep's points. Noise is reused by consecutive points where possible.

#include <array>
#include <memory>
#include <string>

#include "core/options/option.h"
#include "core/volume/volume.h"
#include "core/workload/catalog.h"

namespace sscope {

class SweepData {
 public:
  // Throws Error(NotFound) when there is no such workload.
  explicit SweepData(const std::string& workload);

  // Throws Error(Usage) when shape and values do not fit.
  [[nodiscard]] std::unique_ptr<Workload> workload(const std::array<std::int64_t, 3>& shape,
                                                   const OptionValues& values) const;
  // Noise from the seed in `values`; valid until the next call. Throws Error(Memory) when it, or the workload's
  // outputs, do not fit into memory.
  [[nodiscard]] ConstArrayView input(const Workload& workload, const OptionValues& values, const Control& control);

  [[nodiscard]] const WorkloadKind& kind() const { return kind_; }

 private:
  const WorkloadKind& kind_;
  Volume noise_;
  std::int64_t seed_ = -1;
};

// Bytes of all inputs and outputs.
[[nodiscard]] std::int64_t bytesOf(const Workload& workload);

}  // namespace sscope
