#pragma once
// The magic filter on the processor: methods on dense arrays, and a plan around them.

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/control.h"
#include "core/engine/plan.h"
#include "core/engine/run_report.h"
#include "core/wavelet/workload/magic_workload.h"

namespace sscope::cpu {

// One way to compute it. Arrays are dense, x fastest, with the workload's extents.
class MagicMethod {
 public:
  virtual ~MagicMethod() = default;
  // Throws Canceled within 100 ms of a stop request. `trace`, not null: those of several steps are recorded in it.
  virtual void run(const double* in, double* out, const Control& control, RunTrace* trace) = 0;
  [[nodiscard]] virtual int threads() const { return 1; }
  [[nodiscard]] virtual std::int64_t scratchBytes() const { return 0; }
  [[nodiscard]] virtual std::string description() const = 0;
};

// A plan that runs the method, copies arrays that are not dense, and measures times. grain: as Plan::grain(). `trace`
// may be null.
[[nodiscard]] std::unique_ptr<Plan> makeMagicPlan(const MagicWorkload& workload, std::unique_ptr<MagicMethod> method,
                                                  std::string engine, std::string variant, std::int64_t grain = 1,
                                                  std::shared_ptr<RunTrace> trace = nullptr);

}  // namespace sscope::cpu
