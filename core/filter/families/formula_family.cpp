#include "core/filter/families/family_rows.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "core/base/error.h"
#include "core/filter/formula/formula.h"

namespace sscope {

namespace {

// Words that are next to the constants in a filter's spec.
constexpr std::array<std::string_view, 6> kTaken{kFormulaText, "name", "input", "inputs", "intermediate", "flip"};

std::vector<Option> constantsOf(const OptionValues& given) {
  std::vector<Option> options;
  const auto text = given.find(kFormulaText);
  if (text == given.end()) return options;
  const Formula formula = Formula::parse(std::get<std::string>(text->second));
  for (const FormulaConstant& constant : formula.constants()) {
    if (std::ranges::find(kTaken, constant.name) != std::ranges::end(kTaken))
      throw Error(ErrorKind::Usage, "a constant of a formula cannot be called @" + constant.name,
                  "give it another name");
    options.push_back(realOption(constant.name, "@" + constant.name, constant.value, constant.minimum, constant.maximum,
                                 "", "A constant of the formula."));
  }
  return options;
}

ProgramPart makeFormula(const OptionValues& values, const FilterGrid& /*grid*/) {
  Formula formula = Formula::parse(textOf(values, kFormulaText));
  std::map<std::string, double> constants;
  for (const FormulaConstant& constant : formula.constants()) constants[constant.name] = realOf(values, constant.name);
  if (!constants.empty()) formula = formula.withConstants(constants);
  ProgramPart part;
  std::vector<std::size_t> inputs;
  for (std::size_t i = 0; i < formula.inputs().size(); ++i) inputs.push_back(ProgramPart::rowInput(i));
  part.add(std::move(formula), std::move(inputs));
  return part;
}

}  // namespace

FilterFamily formulaFamily() {
  Option text = textOption(kFormulaText, "Formula",
                           "An expression over rows above and source, such as sqrt(gx^2 + gy^2); @k=0.5[0..1] is a "
                           "constant with a slider.");
  text.fallback = std::string("source");
  FilterFamily family{
      kFormulaFamily,
      "Formula",
      "A value for each voxel from an expression over the data and rows above, their neighbors and positions.",
      {text},
      makeFormula};
  family.inputs.clear();
  family.more = constantsOf;
  return family;
}

std::vector<Option> optionsOf(const FilterFamily& family, const OptionValues& given) {
  std::vector<Option> options = family.options;
  if (!family.more) return options;
  for (Option& option : family.more(given)) options.push_back(std::move(option));
  return options;
}

const std::string* formulaOf(const FilterRecipe& recipe) {
  if (recipe.family != kFormulaFamily) return nullptr;
  const auto text = recipe.parameters.find(kFormulaText);
  static const std::string kNothing = "source";
  return text == recipe.parameters.end() ? &kNothing : std::get_if<std::string>(&text->second);
}

bool hasFormulas(const FilterBank& bank) {
  return std::ranges::any_of(bank.enabled(), [](const FilterRecipe* recipe) { return formulaOf(*recipe) != nullptr; });
}

}  // namespace sscope
