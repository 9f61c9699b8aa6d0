#pragma once
// Plans of the workload cr can also solve to a tolerance, with progress and kernel traces. Fields stay on the engine;
// only scalars are transferred between iterations.

#include <functional>
#include <string>
#include <vector>

#include "core/base/ability.h"
#include "core/engine/plan.h"
#include "core/measure/kernel_trace.h"

namespace sscope {

struct CrRequest {
  int iterations = 1;    // at most
  double tolerance = 0;  // of |r| / |b| from the recursion; 0: run all iterations
  // Called on the calling thread for every iteration in order, several at a time; may be empty.
  std::function<void(int iteration, double residual)> onIteration;
  // If not null, every kernel is recorded in it and the run is slower.
  KernelTrace* trace = nullptr;
};

enum class CrEnd : std::uint8_t {
  Iterations,   // all iterations were run
  Converged,    //
  ZeroImage,    // broke down: (Ap|Ap) is zero
  ZeroProduct,  // broke down: (r|Ar) is zero
  NotFinite,    // the residual is no longer finite
};

struct CrOutcome {
  CrEnd end = CrEnd::Iterations;
  int iterations = 0;             // finished ones
  std::vector<double> residuals;  // |r| / |b| before the first iteration and after each
  RunReport report;
};

class CrPlan : public Plan {
 public:
  // The arrays are those of run(). Throws as run().
  virtual CrOutcome solve(const Inputs& inputs, std::span<const ArrayView> outputs, const CrRequest& request,
                          const Control& control) = 0;

  [[nodiscard]] void* findAbility(const std::type_info& ability) override {
    return abilityAmong<CrPlan>(ability, this);
  }
};

}  // namespace sscope
