#pragma once
// Formulas as nodes of families that are small programs.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/filter/families/family.h"
#include "core/filter/grid.h"
#include "core/filter/option_lengths.h"
#include "core/options/option.h"

namespace sscope {

// Names that a formula reads, and the nodes of the part (or ProgramPart::rowInput) that they stand for.
using NamedNodes = std::vector<std::pair<std::string, std::size_t>>;

// Adds the formula as a node and returns its place. Every name that it reads is in `names`.
std::size_t addFormula(ProgramPart& part, const std::string& text, const NamedNodes& names);

// A number as a formula takes it, with all its digits; negative ones in parentheses.
[[nodiscard]] std::string formulaNumber(double value);

// "x" times a number; "x" alone for 1.
[[nodiscard]] std::string scaledText(const std::string& x, double factor);

// Adds `factor` times the derivative of a gaussian of `sigma` (voxels) of these orders along x, y and z, in the grid's
// unit of values: squares and products of those are within the range of the arithmetic.
std::size_t addDerivative(ProgramPart& part, const std::array<double, 3>& sigma, const std::array<int, 3>& order,
                          double truncate, const FilterGrid& grid, std::size_t input, double factor = 1);

// Options that several families have.
[[nodiscard]] Option scaleOption(const std::string& name, const std::string& label, double fallback,
                                 const std::string& help);
[[nodiscard]] Option radiusOption();

}  // namespace sscope
