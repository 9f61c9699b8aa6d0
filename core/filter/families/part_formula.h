#pragma once
// Formulas as nodes of families that are small programs.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/filter/families/family.h"
#include "core/filter/grid.h"
#include "core/options/option.h"

namespace sscope {

// Names that a formula reads, and the nodes of the part (or ProgramPart::rowInput) that they stand for.
using NamedNodes = std::vector<std::pair<std::string, std::size_t>>;

// Adds the formula as a node and returns its place. Every name that it reads is in `names`.
std::size_t addFormula(ProgramPart& part, const std::string& text, const NamedNodes& names);

// A number in the syntax of formulas, with all its digits; negative ones in parentheses.
[[nodiscard]] std::string formulaNumber(double value);

// "x" times a number; "x" alone for 1.
[[nodiscard]] std::string scaledText(const std::string& x, double factor);

// Adds `factor` times the derivative of a gaussian of `sigma` (voxels) of these orders along x, y and z, in the grid's
// unit of values, so that their squares and products are within the range of the arithmetic.
std::size_t addDerivative(ProgramPart& part, const std::array<double, 3>& sigma, const std::array<int, 3>& order,
                          double truncate, const FilterGrid& grid, std::size_t input, double factor = 1);

// Options that several families have.
[[nodiscard]] Option scaleOption(const std::string& name, const std::string& label, double fallback,
                                 const std::string& help);
[[nodiscard]] Option radiusOption();

// The functions below are for families that repeat an explicit step.

// `name` at a neighbor, as formulas write it.
[[nodiscard]] std::string neighborText(const std::string& name, const std::array<int, 3>& offset);

// Adds the formula, which reads `u`, as a step from `u` to the node's result.
std::size_t addStep(ProgramPart& part, const std::string& text, const NamedNodes& names);

// The option "timestep". Throws Error(Usage) above 1 / (number of neighbors), where oscillations may grow.
[[nodiscard]] double timeStepOf(const OptionValues& values, const FilterGrid& grid);

[[nodiscard]] Option stepsOption();
[[nodiscard]] Option timeStepOption(double fallback);
// From 1e-6 to 1e9, on a logarithmic slider.
[[nodiscard]] Option contrastOption(const char* name, const char* label, double fallback, const char* help);

}  // namespace sscope
