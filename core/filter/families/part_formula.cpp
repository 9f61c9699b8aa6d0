#include "core/filter/families/part_formula.h"

#include <algorithm>
#include <charconv>

#include "core/base/error.h"
#include "core/filter/taps.h"

namespace sscope {

std::size_t addFormula(ProgramPart& part, const std::string& text, const NamedNodes& names) {
  Formula formula = Formula::parse(text);
  std::vector<std::size_t> inputs;
  for (const std::string& name : formula.inputs())
    inputs.push_back(std::ranges::find(names, name, &NamedNodes::value_type::first)->second);
  return part.add(std::move(formula), std::move(inputs));
}

std::string formulaNumber(double value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  const std::string text(digits.data(), end);
  return value < 0 ? "(" + text + ")" : text;
}

std::size_t addDerivative(ProgramPart& part, const std::array<double, 3>& sigma, const std::array<int, 3>& order,
                          double truncate, const FilterGrid& grid, std::size_t input, double factor) {
  SeparableTerm term;
  for (std::size_t a = 0; a < static_cast<std::size_t>(grid.dimensions); ++a)
    term.axis[a] = gaussianTaps(sigma[a], order[a], truncate);
  for (double& weight : term.axis[0].weights) weight = weight * factor / grid.unit;
  Stencil stencil;
  stencil.terms = {term};
  return part.add(std::move(stencil), {input});
}

std::string scaledText(const std::string& x, double factor) {
  return factor == 1 ? x : "(" + x + " * " + formulaNumber(factor) + ")";
}

Option scaleOption(const std::string& name, const std::string& label, double fallback, const std::string& help) {
  return lengthOption(name, label, fallback, 0.2, 64, 8, help);
}

Option radiusOption() {
  return realOption("truncate", "Truncate", 4, 1, 8, "sigma", "Radius at which the taps end, in standard deviations.");
}

}  // namespace sscope
