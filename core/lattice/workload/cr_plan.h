#pragma once
// What a plan of the workload cr can do besides running the workload's number of iterations: solve to a tolerance,
// watched, and traced. Fields stay where the engine has them; only scalars travel between iterations.

#include <functional>
#include <string>
#include <vector>

#include "core/engine/plan.h"
#include "core/measure/kernel_trace.h"

namespace sscope {

struct CrRequest {
  int iterations = 1;    // the most
  double tolerance = 0;  // of |r| / |b|, as the recursion has it; 0: all iterations
  // Called by the calling thread for every iteration in order, some at a time; may be empty.
  std::function<void(int iteration, double residual)> onIteration;
  // Not null: is given the time of every kernel. The run is slower then.
  KernelTrace* trace = nullptr;
};

enum class CrEnd : std::uint8_t {
  Iterations,   // all of them were run
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
};

}  // namespace sscope
