#pragma once
// How each operator of a bank is to be computed.

#include <string>
#include <vector>

#include "core/filter/operator.h"
#include "core/filter/workload/filter_workload.h"

namespace sscope {

enum class FilterVariant : std::uint8_t { Auto, Separable, Dense, DenseBaked, Selection, Bisection };

// Windows of at most so many values are searched by selection: their values stay in registers.
inline constexpr std::int64_t kMostSelectedOnDevices = 49;

struct FilterMethod {
  enum class Kind : std::uint8_t { Separable, Dense, DenseBaked, Selection, Bisection };

  std::string name;  // of the operator
  Kind kind = Kind::Dense;
  std::vector<SeparableTerm> terms;  // separable
  DenseTaps taps;                    // dense
  RankWindow window;                 // selection, bisection

  // Multiply-adds per output that are executed, or comparisons.
  [[nodiscard]] double executedTaps() const;
};
[[nodiscard]] std::string_view toString(FilterMethod::Kind kind);

// Empty when every filter can be run separably (as given, or because its taps have rank one), else half a sentence.
[[nodiscard]] std::string whyNotSeparable(const FilterWorkload& workload);
// Whether selection takes it: a median of few values.
[[nodiscard]] bool selectable(const Operator& op);

// One method per operator; `why` gets a sentence for people where the variant left the choice open.
[[nodiscard]] std::vector<FilterMethod> chooseMethods(const FilterWorkload& workload, FilterVariant variant,
                                                      std::string& why);

}  // namespace sscope
