#pragma once
// What families have in common that repeat an explicit step.

#include <array>
#include <string>

#include "core/filter/families/part_formula.h"

namespace sscope {

// `name` at a neighbor, as formulas write it.
[[nodiscard]] std::string neighborText(const std::string& name, const std::array<int, 3>& offset);

// Adds the formula, which reads `u`, as a step from that to the node's result.
std::size_t addStep(ProgramPart& part, const std::string& text, const NamedNodes& names);

// The option "timestep". Throws Error(Usage) above 1 / (number of neighbors), where oscillations may grow.
[[nodiscard]] double timeStepOf(const OptionValues& values, const FilterGrid& grid);

[[nodiscard]] Option stepsOption();
[[nodiscard]] Option timeStepOption(double fallback);
// From 1e-6 to 1e9, on a logarithmic slider.
[[nodiscard]] Option contrastOption(const char* name, const char* label, double fallback, const char* help);

}  // namespace sscope
