#include "ui/rooms/filter/bank_arrows.h"

#include <algorithm>
#include <unordered_map>

#include "core/filter/families/family.h"
#include "core/filter/families/family_rows.h"
#include "core/filter/families/program.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

std::unordered_map<std::string, int> placesOf(const FilterBank& bank) {
  std::unordered_map<std::string, int> places;
  for (std::size_t row = 0; row < bank.filters.size(); ++row)
    places.try_emplace(bank.filters[row].name, static_cast<int>(row));
  return places;
}

}  // namespace

std::vector<std::string> namesRead(const FilterRecipe& recipe) {
  try {
    return inputsOf(recipe);
  } catch (const Error&) {
    return {};
  }
}

std::vector<BankArrow> bankArrows(const FilterBank& bank) {
  const auto places = placesOf(bank);
  std::vector<BankArrow> arrows;
  for (int row = 0; row < static_cast<int>(bank.filters.size()); ++row)
    for (const std::string& name : namesRead(bank.filters[static_cast<std::size_t>(row)])) {
      const auto found = places.find(name);
      BankArrow arrow{name == kSourceName || found == places.end() ? -1 : found->second, row};
      if ((arrow.from < 0 && name != kSourceName) || arrow.from >= row) continue;
      if (std::ranges::find(arrows, arrow) == arrows.end()) arrows.push_back(arrow);
    }
  return arrows;
}

QString orderRefused(const FilterBank& before, const FilterBank& after) {
  const auto places = placesOf(after);
  for (const BankArrow& arrow : bankArrows(before)) {
    if (arrow.from < 0) continue;
    const std::string& read = before.filters[static_cast<std::size_t>(arrow.from)].name;
    const std::string& reader = before.filters[static_cast<std::size_t>(arrow.to)].name;
    if (places.at(read) > places.at(reader))
      return Words::tr("%1 reads %2 and has to stay below it; let it read something else first")
          .arg(toQt(reader), toQt(read));
  }
  return {};
}

FilterRecipe withFormula(FilterRecipe recipe, const std::string& text) {
  const Formula formula = Formula::parse(text);
  OptionValues kept;
  kept[kFormulaText] = text;
  for (const FormulaConstant& constant : formula.constants()) {
    const auto given = recipe.parameters.find(constant.name);
    if (constant.name == kFormulaText || given == recipe.parameters.end() ||
        !std::holds_alternative<double>(given->second))
      continue;
    const double value = std::clamp(std::get<double>(given->second), constant.minimum, constant.maximum);
    if (value != constant.value) kept[constant.name] = value;
  }
  recipe.parameters = std::move(kept);
  return recipe;
}

}  // namespace sscope
