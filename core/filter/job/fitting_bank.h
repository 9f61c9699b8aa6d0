#pragma once
// What of a bank can run on given data: a filter that does not fit is left out and says why, the others run.

#include <string>
#include <vector>

#include "core/filter/recipe.h"
#include "core/volume/volume.h"

namespace sscope {

struct LeftOut {
  std::size_t place = 0;  // among the enabled filters
  std::string name;       // of the filter
  std::string reason;     // one sentence
  bool operator==(const LeftOut&) const = default;
};

struct FittingBank {
  FilterBank bank;               // the enabled filters that fit, in their order
  std::vector<LeftOut> leftOut;  // the other enabled ones
};

// Throws Error(Usage) when filters are enabled and none of them fits, or none is enabled.
[[nodiscard]] FittingBank fittingBank(const FilterBank& bank, const Volume& volume);

// What of a bank is computed: without names, and without what is switched off. Banks with equal parts have the same
// outputs.
[[nodiscard]] FilterBank computedPart(const FilterBank& bank);

}  // namespace sscope
