#include "core/filter/families/part_formula.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "core/base/error.h"
#include "core/filter/stencil.h"

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

std::string neighborText(const std::string& name, const std::array<int, 3>& offset) {
  return name + "[" + std::to_string(offset[0]) + "," + std::to_string(offset[1]) + "," + std::to_string(offset[2]) +
         "]";
}

std::size_t addStep(ProgramPart& part, const std::string& text, const NamedNodes& names) {
  const std::size_t node = addFormula(part, text, names);
  part.nodes[node].stepOf = std::ranges::find(names, "u", &NamedNodes::value_type::first)->second;
  return node;
}

double timeStepOf(const OptionValues& values, const FilterGrid& grid) {
  const double step = realOf(values, "timestep");
  if (step * 2 * grid.dimensions > 1 + 1e-9)
    throw Error(ErrorKind::Usage, "timestep=" + formatOption(step) + " is not stable in a volume",
                "choose at most 0.1666");
  return step;
}

Option stepsOption() { return integerOption("steps", "Steps", 5, 1, 20, "The number of repetitions of the step."); }

Option timeStepOption(double fallback) {
  return realOption("timestep", "Time step", fallback, 0.001, 0.25, "",
                    "The length of a step; at most 1/4 is stable in images, 1/6 in volumes.");
}

Option contrastOption(const char* name, const char* label, double fallback, const char* help) {
  Option option = realOption(name, label, fallback, 1e-6, 1e9, "", help);
  option.logarithmic = true;
  option.sliderMinimum = 0.01;
  option.sliderMaximum = 1000;
  return option;
}

}  // namespace sscope
