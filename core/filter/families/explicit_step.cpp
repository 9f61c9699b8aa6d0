#include "core/filter/families/explicit_step.h"

#include <algorithm>
#include <vector>

#include "core/base/error.h"

namespace sscope {

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

Option stepsOption() { return integerOption("steps", "Steps", 5, 1, 20, "How often the step is repeated."); }

Option timeStepOption(double fallback) {
  return realOption("timestep", "Time step", fallback, 0.001, 0.25, "",
                    "How far a step goes; at most 1/4 is stable in images, 1/6 in volumes.");
}

Option contrastOption(const char* name, const char* label, double fallback, const char* help) {
  Option option = realOption(name, label, fallback, 1e-6, 1e9, "", help);
  option.logarithmic = true;
  option.sliderMinimum = 0.01;
  option.sliderMaximum = 1000;
  return option;
}

}  // namespace sscope
