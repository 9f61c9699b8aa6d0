#include "core/filter/families/family_rows.h"

#include <cmath>

#include "core/base/error.h"
#include "core/filter/families/gaussian_derivatives.h"
#include "core/filter/families/part_formula.h"

namespace sscope {

namespace {

// sqrt(gx^2 + gy^2 + gz^2) of gaussian derivatives.
ProgramPart makeSlope(const OptionValues& values, const FilterGrid& grid) {
  ProgramPart part;
  const NamedNodes gradient = namedGradient(addGradient(part, values, grid, stepsOf(values, grid)));
  std::string sum;
  for (const auto& [name, node] : gradient) sum += (sum.empty() ? "" : " + ") + name + "^2";
  addFormula(part, scaledText("sqrt(" + sum + ")", grid.unit), gradient);
  return part;
}

Option planeOption() { return choiceOption("plane", "Plane", {"xy", "xz", "yz"}, "The plane of the angle."); }

std::string planeOf(const OptionValues& values, const FilterGrid& grid) {
  std::string plane = textOf(values, "plane");
  if (plane != "xy" && grid.dimensions == 2)
    throw Error(ErrorKind::Usage, "plane=" + plane + " needs a volume, and this image has one slice", "use plane=xy");
  return plane;
}

// The angle of the gradient in a plane, counted from its first axis toward its second; 0 where there is none.
ProgramPart makeDirection(const OptionValues& values, const FilterGrid& grid) {
  const std::string plane = planeOf(values, grid);
  ProgramPart part;
  const auto steps = stepsOf(values, grid);
  NamedNodes names = namedGradient(addGradient(part, values, grid, steps));
  names.emplace_back("v", ProgramPart::rowInput(0));
  const std::string p = std::string("g") + plane[0], q = std::string("g") + plane[1];
  addFormula(part,
             "if(max(abs(" + p + "), abs(" + q + ")) <= " + formulaNumber(flatShare(steps, grid)) + " * " +
                 scaledText("abs(v)", 1 / grid.unit) + ", 0, atan2(" + q + ", " + p + ") * (180 / pi))",
             names);
  return part;
}

// The eigenvalues of the smoothed products of first derivatives (J. Bigun and G. Granlund, 1987; W. Forstner, 1987), or
// the angle in a plane, half that of the doubled one. 0 stands for what constant data have not; NaN, of which no
// comparison is true, stays NaN.
ProgramPart makeStructure(const OptionValues& values, const FilterGrid& grid) {
  ProgramPart part;
  const auto steps = stepsOf(values, grid);
  NamedNodes products = addStructureTensor(part, values, grid, steps, ProgramPart::rowInput(0));
  const std::string what = textOf(values, "value");
  const std::string plane = planeOf(values, grid);
  products.emplace_back("v", ProgramPart::rowInput(0));
  const std::string flat =
      " <= (" + formulaNumber(flatShare(steps, grid)) + " * " + scaledText("v", 1 / grid.unit) + ")^2, 0, ";
  if (what == "orientation") {
    const std::string p(2, plane[0]), q(2, plane[1]);
    addFormula(part,
               "if(max(" + p + ", " + q + ")" + flat + "atan2(2 * " + plane + ", " + p + " - " + q + ") * (90 / pi))",
               products);
  } else if (what == "coherence") {
    const std::string low = eigenvalueText(1, grid.dimensions), high = eigenvalueText(grid.dimensions, grid.dimensions);
    // Rounding may leave the smallest eigenvalue below 0.
    addFormula(part, "if(" + high + flat + "min(((" + high + " - " + low + ") / (" + high + " + " + low + "))^2, 1))",
               products);
  } else {
    const std::string inSquares = eigenvalueText(what[0] - '0', grid.dimensions);
    addFormula(part, scaledText(scaledText(inSquares, grid.unit), grid.unit), products);
  }
  return part;
}

}  // namespace

std::vector<FilterFamily> derivedFamilies() {
  const Option sigma = scaleOption("sigma", "Sigma", 1.0, "Scale of the derivatives, in voxels or a length (0.8mm).");
  std::vector<FilterFamily> families{
      {"gradient",
       "Gradient magnitude",
       "The steepest slope, from derivatives of gaussians along all axes.",
       {sigma, perOption(), radiusOption()},
       makeSlope},
      {"direction",
       "Gradient direction",
       "The angle of the slope in a plane, in degrees from its first axis.",
       {sigma, planeOption(), perOption(), radiusOption()},
       makeDirection},
  };
  for (FilterFamily& family : hessianFamilies()) families.push_back(std::move(family));
  families.push_back(
      {"structure",
       "Structure tensor",
       "Eigenvalues of the smoothed products of slopes, how strongly one direction prevails, or which.",
       {sigma, scaleOption("rho", "Rho", 2.0, "Scale over which products are smoothed."),
        choiceOption("value", "Value", {"1", "2", "3", "coherence", "orientation"},
                     "An eigenvalue, 1 the smallest; the coherence from 0 to 1; or the angle across lines "
                     "and edges, from -90 to 90 degrees."),
        planeOption(), perOption(), radiusOption()},
       makeStructure});
  families.push_back(edgesFamily());
  return families;
}

}  // namespace sscope
