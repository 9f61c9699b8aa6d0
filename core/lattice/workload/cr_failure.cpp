#include "core/lattice/workload/cr_failure.h"

namespace sscope {

std::string failureOf(const CrOutcome& outcome) {
  const std::string after = std::to_string(outcome.iterations) + " iterations";
  switch (outcome.end) {
    case CrEnd::Converged: return {};
    case CrEnd::Iterations: return "it did not converge in " + after;
    case CrEnd::ZeroImage: return "it broke down after " + after + " (A p is zero)";
    case CrEnd::ZeroProduct: return "it broke down after " + after + " ((r, A r) is zero)";
    case CrEnd::NotFinite: return "the residual is no longer finite";
  }
  return {};
}

}  // namespace sscope
