#include "core/filter/templates/bank_template.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/grid.h"

namespace sscope {

using nlohmann::json;

namespace {

constexpr const char* kTemplateSchema = "stencilscope.template/1";
FilterRecipe* rowOf(FilterBank& bank, const std::string& name) {
  const auto found = std::ranges::find(bank.filters, name, &FilterRecipe::name);
  return found == bank.filters.end() ? nullptr : &*found;
}

void setByData(FilterBank& bank, const BankTemplate::RowShare& share, const DataScale& scale) {
  FilterRecipe* row = rowOf(bank, share.row);
  if (row == nullptr) return;
  const Option* option = findOption(filterFamily(row->family).options, share.share.option);
  if (const auto value = suggestion(share.share, *option, scale)) row->parameters[option->name] = *value;
}

bool areCubes(const FilterGrid& grid) {
  constexpr double kAlike = 1e-3;
  const auto end = grid.spacing.begin() + grid.dimensions;
  const auto [shortest, longest] = std::minmax_element(grid.spacing.begin(), end);
  return *longest <= *shortest * (1 + kAlike);
}

void useMillimeters(FilterBank& bank, const FilterGrid& grid) {
  const double edge = *std::min_element(grid.spacing.begin(), grid.spacing.begin() + grid.dimensions);
  for (FilterRecipe& recipe : bank.filters)
    for (const Option& option : optionsOf(filterFamily(recipe.family), recipe.parameters)) {
      if (option.name == kVoxelShape) recipe.parameters[option.name] = std::string("spacing");
      if (option.type != OptionType::Length) continue;
      const auto given = recipe.parameters.find(option.name);
      const auto length = std::get<Length>(given == recipe.parameters.end() ? option.fallback : given->second);
      if (!length.millimeters) recipe.parameters[option.name] = Length{threeDigits(length.value * edge), true};
    }
}

BankTemplate::RowShare shareFrom(const json& object) {
  return {object.at("filter"), {object.at("option"), object.at("times"), object.value("ofRange", 0.0)}};
}

// Checks that the rows that it names exist.
void requireRows(const BankTemplate& made) {
  for (FilterBank bank : {made.image, made.volume}) {
    bool there = rowOf(bank, made.shown) != nullptr;
    for (const auto& share : made.shares) {
      const FilterRecipe* row = rowOf(bank, share.row);
      there = there && row != nullptr && findOption(filterFamily(row->family).options, share.share.option) != nullptr;
    }
    if (!there)
      throw Error(ErrorKind::BadData, "the template " + made.name + " names a row or an option that does not exist");
  }
}

}  // namespace

BankTemplate templateFromJson(const std::string& name, const json& object) {
  try {
    if (object.at("schema") != kTemplateSchema)
      throw Error(ErrorKind::BadData, "the template " + name + " does not have the schema " + kTemplateSchema);
    const bool same = object.contains("bank");
    BankTemplate made{name,
                      object.at("label"),
                      object.at("help"),
                      object.at("show"),
                      bankFromJson(object.at(same ? "bank" : "image")),
                      bankFromJson(object.at(same ? "bank" : "volume")),
                      object.value("millimeters", false),
                      {}};
    for (const json& share : object.value("noise", json::array())) made.shares.push_back(shareFrom(share));
    requireRows(made);
    return made;
  } catch (const json::exception& error) {
    throw Error(ErrorKind::BadData, "the template " + name + " is not valid: " + error.what());
  }
}

const std::vector<BankTemplate>& bankTemplates() {
  static const std::vector<BankTemplate> all = [] {
    std::vector<BankTemplate> made;
    for (const TemplateFile& file : templateFiles())
      made.push_back(
          templateFromJson(std::string(file.name.substr(0, file.name.rfind('.'))), parseJson(std::string(file.text))));
    return made;
  }();
  return all;
}

const BankTemplate& bankTemplate(std::string_view name) {
  std::string names;
  for (const BankTemplate& made : bankTemplates()) {
    if (made.name == name) return made;
    names += (names.empty() ? "" : ", ") + made.name;
  }
  throw Error(ErrorKind::Usage, "there is no template " + std::string(name), "use one of " + names);
}

FilterBank bankFor(const BankTemplate& made, const FilterGrid& grid, const DataScale& scale) {
  FilterBank bank = made.form(grid.dimensions);
  if (made.millimeters && grid.withoutLength().empty() && !areCubes(grid)) useMillimeters(bank, grid);
  for (const auto& share : made.shares) setByData(bank, share, scale);
  return bank;
}

FilterBank appended(FilterBank bank, FilterBank rows) {
  FilterNames names(bank);
  std::set<std::string> own;
  for (const FilterRecipe& recipe : rows.filters) own.insert(recipe.name);
  for (FilterRecipe& recipe : rows.filters) {
    std::string name = names.take(recipe.name);
    // Names of rows that follow are avoided, because their readers would read this row.
    while (name != recipe.name && own.contains(name)) name = names.take(recipe.name);
    if (name == recipe.name) continue;
    renameInputs(rows, recipe.name, name);
    recipe.name = name;
  }
  bank.filters.insert(bank.filters.end(), rows.filters.begin(), rows.filters.end());
  return bank;
}

}  // namespace sscope
