#pragma once
// D x = b for the command solve: on an engine of this process, or on those of several ranks.

#include <memory>

#include <nlohmann/json_fwd.hpp>

#include "app/cli/lattice/lattice_command.h"
#include "core/engine/variant.h"
#include "core/lattice/solver.h"
#include "core/measure/kernel_trace.h"

namespace sscope::cli {

class SystemSolver {
 public:
  virtual ~SystemSolver() = default;
  [[nodiscard]] virtual const lattice::Lattice& lattice() const = 0;
  // With several ranks, the first one passes the source and receives the solution.
  [[nodiscard]] virtual lattice::SolverResult solve(const lattice::SpinorField& source, const Control& control,
                                                    const lattice::OnIteration& onIteration, KernelTrace* trace) = 0;
  // As WilsonBench::toJson(), with the number of ranks if there are several.
  [[nodiscard]] virtual nlohmann::json toJson() const = 0;
  // The verification of the operator.
  [[nodiscard]] virtual const Variant& row() = 0;
};

// Every rank. Reads the configuration, on the first rank alone. Throws what reading and preparing throw, on all ranks.
[[nodiscard]] std::unique_ptr<SystemSolver> makeSystemSolver(Program& program, const ConfigurationChoice& configuration,
                                                             const WilsonChoice& wilson,
                                                             const lattice::SolverOptions& solver);

}  // namespace sscope::cli
