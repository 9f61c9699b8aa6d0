#pragma once
// How each filter of a bank is to be computed.

#include <string>
#include <vector>

#include "core/filter/filter.h"
#include "core/filter/workload/filter_workload.h"

namespace sscope {

enum class FilterVariant : std::uint8_t { Auto, Separable, Dense, DenseBaked };

struct FilterMethod {
  std::string name;
  std::vector<SeparableTerm> terms;  // not empty: separable
  DenseTaps taps;                    // else dense
  bool baked = false;

  [[nodiscard]] bool separable() const { return !terms.empty(); }
  // Multiply-adds per output that are executed.
  [[nodiscard]] double executedTaps() const;
};

// Empty when every filter can be run separably (as given, or because its taps have rank one), else half a sentence.
[[nodiscard]] std::string whyNotSeparable(const FilterWorkload& workload);

// One method per filter; `why` gets a sentence for people where the variant left the choice open.
[[nodiscard]] std::vector<FilterMethod> chooseMethods(const FilterWorkload& workload, FilterVariant variant,
                                                      std::string& why);

}  // namespace sscope
