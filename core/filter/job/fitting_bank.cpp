#include "core/filter/job/fitting_bank.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/filter/families/program.h"
#include "core/filter/families/recipe_text.h"

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
  return fittingBank(bank, filterGrid(volume.shape().dimensions(), volume.geometry()));
}

FittingBank fittingBank(const FilterBank& bank, const FilterGrid& grid) {
  FittingBank fitting{withoutFilters(bank), {}};
  const auto enabled = bank.enabled();
  for (const RowError& error : rowErrors(bank, grid))
    fitting.leftOut.push_back({error.place, enabled[error.place]->name, error.reason});
  for (std::size_t place = 0; place < enabled.size(); ++place)
    if (std::ranges::none_of(fitting.leftOut, [&](const LeftOut& each) { return each.place == place; }))
      fitting.bank.filters.push_back(*enabled[place]);
  if (!fitting.bank.filters.empty()) return fitting;
  if (!fitting.leftOut.empty()) throw Error(ErrorKind::Usage, fitting.leftOut.front().reason);
  throw Error(ErrorKind::Usage, "the bank has no enabled filter", "add or enable one");
}

// Rows are called by their places, so that arrows stay.
FilterBank computedPart(const FilterBank& bank) {
  FilterBank part = withoutFilters(bank);
  const auto enabled = bank.enabled();
  for (const FilterRecipe* recipe : enabled) {
    part.filters.push_back(*recipe);
    part.filters.back().intermediate = false;
  }
  for (std::size_t place = 0; place < enabled.size(); ++place) {
    const std::string sign = "\x1f" + std::to_string(place);  // no name that anybody gives
    renameInputs(part, enabled[place]->name, sign);
    part.filters[place].name = sign;
  }
  return part;
}

}  // namespace sscope
