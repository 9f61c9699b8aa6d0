#pragma once
// The conjugate residual on a device as launches that follow one another, around any design of the operator.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/lattice/workload/cr_workload.h"
#include "gpu/device/kernel_source.h"
#include "gpu/lattice/dirac_design.h"

namespace sscope {

// What kernels read and write. Squares and products: sums of groups, before they are added up. Mixed precision has the
// solution in two parts, of which X is the one in float32 and Whole that in float64, and the links in float64, too.
enum class CrArray : std::uint8_t {
  Source,
  R,
  P,
  Ap,
  Ar,
  X,
  Middle,
  Links,
  Neighbors,
  Scalars,
  Squares,
  Products,
  Whole,
  WholeLinks
};
inline constexpr std::size_t kCrArrays = static_cast<std::size_t>(CrArray::WholeLinks) + 1;
using CrArgument = std::variant<CrArray, std::int32_t>;

struct CrLaunch {
  std::string name;  // in traces: as the paper has it
  KernelSource source;
  std::int64_t columns = 1;  // work items along x
  std::int64_t rows = 1;     // time slices, or 1; the kernel's last two arguments
  double operations = 1;     // of a work item
  std::vector<CrArgument> arguments;
};

struct CrProgram {
  std::string variant, description;
  DiracDesign dirac;
  std::optional<DiracDesign> exact;      // mixed precision: the operator of true residuals
  bool fused = false;                    // fields lie in planes, and a sweep does what lies between two sums
  std::vector<CrLaunch> before, during;  // the first iteration; each of them
  std::optional<CrLaunch> after;         // brings X into the order of the output, in R
  std::int64_t squarePairs = 0, productPairs = 0;
  double executedPerSite = 0;  // operations of an iteration
};

// Scalars of cr_common.h: their places, and how many there are.
inline constexpr std::int64_t kCrOne = 14, kCrBb = 16, kCrTarget = 17, kCrEnded = 18, kCrIterations = 19,
                              kCrHistory = 23;
inline constexpr std::int64_t kCrHistoryLength = 256;
inline constexpr std::int64_t kCrScalars = kCrHistory + kCrHistoryLength;

// `exact`: iterates as `dirac` is stored and computed, and every so often begins anew from the true residual of this
// float64 operator, when the solution is collected in float64 (defect correction; compare the reliable updates of M. A.
// Clark et al., Comput. Phys. Commun. 181 (2010) 1517, which keep the directions: here they stalled, docs/lattice.md).
[[nodiscard]] CrProgram makeCrProgram(const CrWorkload& workload, DiracDesign dirac,
                                      std::optional<DiracDesign> exact = {});

}  // namespace sscope
