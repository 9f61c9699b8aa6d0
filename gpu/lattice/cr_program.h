#pragma once
// The conjugate residual on a device as a sequence of launches, for any design of the operator.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/lattice/workload/cr_workload.h"
#include "gpu/device/kernel_source.h"
#include "gpu/lattice/dirac_design.h"

namespace sscope {

// Arrays of the kernels. Squares and products are partial sums of work-groups. Mixed precision has the solution in two
// parts, X in float32 and Whole in float64, and also the links in float64.
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
// For people: "residual".
[[nodiscard]] std::string nameOf(CrArray array);
using CrArgument = std::variant<CrArray, std::int32_t>;

// Sums of groups: this many per time slice, slice by slice.
struct CrSums {
  CrArray groups = CrArray::Squares;
  std::int64_t perSlice = 0;
};

struct CrLaunch {
  std::string name;  // in traces, as in the paper
  KernelSource source;
  std::int64_t columns = 1;  // work items along x
  std::int64_t rows = 1;     // time slices, or 1; the kernel's last two arguments
  double operations = 1;     // of a work item
  std::vector<CrArgument> arguments;
  std::optional<CrArray> neighborsOf{};  // the field whose slices around its own it reads
  std::vector<CrSums> adds{};            // the sums that it adds up
};

struct CrProgram {
  std::string variant, description;
  DiracDesign dirac;
  std::optional<DiracDesign> exact;      // mixed precision: the operator of true residuals
  bool fused = false;                    // fields are stored in planes, and one pass does all updates between two sums
  std::vector<CrLaunch> before, during;  // the first iteration; each of them
  std::optional<CrLaunch> after;         // reorders X for the output, into R
  std::int64_t squarePairs = 0, productPairs = 0;
  double executedPerSite = 0;  // operations of an iteration
};

// Scalars of cr_common.h: their places, and how many there are.
inline constexpr std::int64_t kCrOne = 14, kCrBb = 16, kCrTarget = 17, kCrEnded = 18, kCrIterations = 19,
                              kCrHistory = 23;
inline constexpr std::int64_t kCrHistoryLength = 256;
inline constexpr std::int64_t kCrScalars = kCrHistory + kCrHistoryLength;
// Iterations are queued together up to this duration; longer iterations are watched one by one.
inline constexpr double kCrBatchSeconds = 0.02;
// The seconds between two reports of the residual if an observer waits for it.
inline constexpr int kCrWatchedBatch = 8;

// `exact`: iterates in the precision of `dirac`, and regularly restarts from the true residual of this float64
// operator, accumulating the solution in float64 (defect correction; compare the reliable updates of M. A. Clark et
// al., Comput. Phys. Commun. 181 (2010) 1517, which keep the directions: here they stalled, docs/manual/lattice.md).
// `summed`: time slices whose sums of groups are added up, where that is more than the workload's own; 0: those.
[[nodiscard]] CrProgram makeCrProgram(const CrWorkload& workload, DiracDesign dirac,
                                      std::optional<DiracDesign> exact = {}, std::int64_t summed = 0);

}  // namespace sscope
