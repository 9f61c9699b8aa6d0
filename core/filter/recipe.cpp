#include "core/filter/recipe.h"

#include <algorithm>
#include <cctype>

#include "core/base/error.h"
#include "core/base/words.h"

namespace sscope {

std::string toString(OutputType output) {
  if (output.type) return std::string(toString(*output.type));
  return output.automatic ? "auto" : "same";
}

std::optional<OutputType> parseOutputType(std::string_view text) {
  if (text == "auto") return OutputType{std::nullopt, true};
  if (text == "same") return OutputType{std::nullopt};
  if (const auto type = parseElementType(text)) return OutputType{*type};
  return std::nullopt;
}

std::vector<const FilterRecipe*> FilterBank::enabled() const {
  std::vector<const FilterRecipe*> result;
  for (const FilterRecipe& recipe : filters)
    if (recipe.enabled) result.push_back(&recipe);
  return result;
}

std::vector<const FilterRecipe*> FilterBank::results() const {
  std::vector<const FilterRecipe*> result = enabled();
  std::erase_if(result, [](const FilterRecipe* recipe) { return recipe->intermediate; });
  return result;
}

std::vector<std::string> FilterBank::resultNames() const {
  std::vector<std::string> names;
  for (const FilterRecipe* recipe : results()) names.push_back(recipe->name);
  return names;
}

namespace {

// "gaussian 12" without its number: the part before the last space or hyphen if only digits follow.
std::string_view withoutNumber(std::string_view name) {
  const std::size_t gap = name.find_last_of(" -");
  if (gap == std::string_view::npos || gap == 0 || gap + 1 == name.size()) return name;
  const auto digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  return std::ranges::all_of(name.substr(gap + 1), digit) ? name.substr(0, gap) : name;
}

}  // namespace

FilterNames::FilterNames(const FilterBank& bank) {
  for (const FilterRecipe& recipe : bank.filters) taken_.insert(recipe.name);
}

std::string FilterNames::take(std::string_view wanted) {
  std::string name(wanted);
  if (!taken_.insert(name).second) {
    const std::string stem(withoutNumber(wanted));
    std::int64_t& next = next_.try_emplace(stem, 2).first->second;
    do {
      name = stem + " " + std::to_string(next++);
    } while (!taken_.insert(name).second);
  }
  return name;
}

std::string uniqueName(const FilterBank& bank, std::string_view wanted) { return FilterNames(bank).take(wanted); }

}  // namespace sscope
