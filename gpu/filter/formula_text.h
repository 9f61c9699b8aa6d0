#pragma once
// The text of a formula's kernel, for both languages.

#include <cstdint>
#include <string>
#include <vector>

#include "core/filter/formula/formula_program.h"
#include "core/filter/formula/workload/formula_workload.h"
#include "core/workload/workload.h"

namespace sscope {

// Longer kernels take too long to compile.
inline constexpr std::size_t kMostFormulaSteps = 1500;

struct FormulaText {
  std::string text;  // of the function
  // The uniforms that the kernel reads from its buffer of numbers, in order; others are constants in the text. The
  // value outside the volume follows.
  std::vector<std::size_t> numbers;
};

// Depends on the formula's text, on the types of the arrays, and on whether the boundary is constant; not on shapes and
// values of constants.
//
// Parameters: the inputs, destination, places, numbers, saturated; length, rows, components, x0, y0, z0 (the region's
// first voxel); for each input n: placesn_x, _y, _z (where in `places` its indices for the region and its neighbors
// begin), voxeln (elements of a voxel), rown, slicen (elements between rows and slices); first, count.
[[nodiscard]] FormulaText formulaText(const FormulaWorkload& workload, const FormulaProgram& program,
                                      const std::vector<double>& uniforms);

// The same steps as a function that other kernels call, of a formula that reads only the voxel itself. Parameters: in0,
// in1, ... (the values of its inputs), number0, ... (of FormulaText::numbers).
[[nodiscard]] FormulaText formulaFunction(const std::string& name, const Formula& formula,
                                          const FormulaProgram& program, const std::vector<double>& uniforms,
                                          Precision precision);

}  // namespace sscope
