#include "core/filter/job/fitting_bank.h"

#include <utility>

#include "core/base/error.h"
#include "core/filter/family.h"

namespace sscope {

namespace {

FilterBank withoutFilters(const FilterBank& bank) {
  FilterBank other;
  other.boundary = bank.boundary;
  other.constant = bank.constant;
  other.output = bank.output;
  return other;
}

}  // namespace

FittingBank fittingBank(const FilterBank& bank, const Volume& volume) {
  const FilterGrid grid = filterGrid(volume.shape().dimensions(), volume.geometry());
  FittingBank fitting{withoutFilters(bank), {}};
  const auto enabled = bank.enabled();
  for (std::size_t place = 0; place < enabled.size(); ++place) {
    const FilterRecipe* recipe = enabled[place];
    try {
      static_cast<void>(makeOperator(*recipe, grid));
      fitting.bank.filters.push_back(*recipe);
    } catch (const Error& error) {
      fitting.leftOut.push_back({place, recipe->name, error.what()});
    }
  }
  if (!fitting.bank.filters.empty()) return fitting;
  if (!fitting.leftOut.empty()) throw Error(ErrorKind::Usage, fitting.leftOut.front().reason);
  throw Error(ErrorKind::Usage, "the bank has no enabled filter", "add or enable one");
}

FilterBank computedPart(const FilterBank& bank) {
  FilterBank part = withoutFilters(bank);
  for (const FilterRecipe* recipe : bank.enabled()) {
    part.filters.push_back(*recipe);
    part.filters.back().name.clear();
  }
  return part;
}

}  // namespace sscope
