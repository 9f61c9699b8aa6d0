#pragma once
// The part of a bank that can run on given data: filters that do not fit are left out, with the reason.

#include <string>
#include <vector>

#include "core/filter/grid.h"
#include "core/filter/recipe.h"
#include "core/volume/volume.h"

namespace sscope {

struct LeftOut {
  std::size_t place = 0;  // index among the enabled filters
  std::string name;       // of the filter
  std::string reason;     // one sentence
  bool operator==(const LeftOut&) const = default;
};

struct FittingBank {
  FilterBank bank;               // the enabled filters that fit, in their order
  std::vector<LeftOut> leftOut;  // the other enabled ones
};

// Throws Error(Usage) if no filter is enabled or none of them fits.
[[nodiscard]] FittingBank fittingBank(const FilterBank& bank, const Volume& volume);
[[nodiscard]] FittingBank fittingBank(const FilterBank& bank, const FilterGrid& grid);

// The bank without disabled filters and with places for names. Banks with the same computed part have the same results,
// those of intermediate rows included.
[[nodiscard]] FilterBank computedPart(const FilterBank& bank);

}  // namespace sscope
