#pragma once
// Plans for Wilson's operator on the processor, with float64 volumes in and out.

#include <memory>
#include <vector>

#include "core/cpu/lattice/dirac_kernels.h"
#include "core/engine/plan.h"
#include "core/lattice/fields.h"
#include "core/lattice/workload/dirac_workload.h"

namespace sscope::cpu {

// `report`: the base of every run's report; its threads are set here. The plan is also a HopPlan.
[[nodiscard]] std::unique_ptr<Plan> makeDiracPlan(const DiracWorkload& workload, DiracRows kernel, int threads,
                                                  RunReport report);
// Links are rounded to float32 once, the field before each application.
[[nodiscard]] std::unique_ptr<Plan> makeDiracPlan(const DiracWorkload& workload, BasicDiracRows<float> kernel,
                                                  int threads, RunReport report);

// The links in the layout of BasicDiracJob<float>.
[[nodiscard]] std::vector<float> floatsOf(const lattice::GaugeField& field);

}  // namespace sscope::cpu
