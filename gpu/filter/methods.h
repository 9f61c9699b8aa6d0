#pragma once
// The devices' methods of workload "filter", and operators prepared for one of them.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/filter/method/method_choice.h"
#include "core/filter/operator.h"
#include "core/filter/workload/filter_workload.h"

namespace sscope {

// Windows of at most so many values are searched by selection: their values stay in registers.
inline constexpr std::int64_t kMostSelectedOnDevices = 49;

// More taps along an axis are summed in passes: sums of the fused kernel stay in registers and local memory.
inline constexpr std::int64_t kMostFusedTaps = 25;

// The most filters that one kernel computes at once.
inline constexpr std::size_t kMostTogether = 8;

// `processor`: for a device that is this machine's processor, which has no local memory of its own: nothing is fused
// there unless asked for. `doubles`: the device has double precision.
[[nodiscard]] std::span<const Method> deviceFilterMethods(bool processor = false, bool doubles = true);

// The work of operators, linear and with few taps along each axis, that one kernel computes together; empty if it has
// no room for all of them. `written`: the number of outputs that it writes if formulas with this many operations end
// the sums.
struct BankEnding {
  std::size_t written = 0;
  double operations = 0;  // of a voxel
};
[[nodiscard]] std::optional<MethodWork> fusedBankWork(std::span<const Operator* const> ops,
                                                      const MethodOutputs& outputs,
                                                      const std::optional<BankEnding>& ending = {});

struct FilterMethod {
  std::string name;  // of the operator
  MethodKind kind = MethodKind::Dense;
  std::vector<SeparableTerm> terms;  // separable, fused, low-rank
  bool wide = false;                 // low-rank: in double precision
  DenseTaps taps;                    // dense, low-rank
  RankWindow window;                 // of order statistics
  RangeWindow range;                 // weighted
  EntropyWindow entropy;             // counting

  // Multiply-adds per output that are executed, or comparisons.
  [[nodiscard]] double executedTaps() const;
};

// One per operator.
[[nodiscard]] std::vector<FilterMethod> methodsOf(const FilterWorkload& workload, const MethodChoice& choice);

// Empty when every linear filter can be run separably (as given, or because its taps have rank one), else half a
// sentence.
[[nodiscard]] std::string whyNotSeparable(const FilterWorkload& workload);

}  // namespace sscope
