#pragma once
// One instruction set of this processor as an engine.

#include "core/cpu/run/kernel_table.h"
#include "core/engine/engine.h"
#include "core/engine/variant.h"

namespace sscope::cpu {

class CpuEngine final : public Engine {
 public:
  static constexpr std::string_view kEngines = "CPU engines";

  // The level must be present (absentReason() empty).
  explicit CpuEngine(SimdLevel level);

  [[nodiscard]] const EngineInfo& info() const override { return info_; }
  [[nodiscard]] Ceilings measureCeilings(int threads, const Control& control) override;
  [[nodiscard]] std::optional<ClockReading> readClock() override;
  [[nodiscard]] const KernelTable& kernels() const { return kernels_; }

 private:
  EngineInfo info_;
  const KernelTable& kernels_;
};

// Id, name and memory of a level, whether or not it is available.
[[nodiscard]] EngineInfo cpuEngineInfo(SimdLevel level);

}  // namespace sscope::cpu

namespace sscope {

// The CPU engines: cpu:scalar, cpu:sse4, cpu:avx2, cpu:avx512.

// Adds the four levels; those the processor (or the build) lacks are listed as absent with the reason.
void addCpuEngines(EngineSet& engines);
// Adds the rows "auto", "separable", "dense", "low-rank" and "fft" of workload "filter" for CPU engines.
void addCpuVariants(VariantTable& variants);

}  // namespace sscope
