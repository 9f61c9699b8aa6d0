#include <cmath>
#include <string>

#include "core/base/error.h"
#include "core/filter/families/family_rows.h"
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
// the angle in a plane, half that of the doubled one. For constant data the result is 0; NaN stays NaN, because no
// comparison with NaN is true.
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

namespace {

// Keeps values above `high`, and of the rest those that touch kept values by a side or a corner. `growth` steps follow
// an edge that many voxels and no farther: each step is a row that reads its neighbors, so that a part of the data has
// the results of the whole. NaN joins no edge and stays NaN.
void addConnected(ProgramPart& part, std::size_t thin, double high, double unit, std::int64_t growth) {
  std::string neighbors;
  for (const int y : {-1, 0, 1})
    for (const int x : {-1, 0, 1})
      neighbors += (neighbors.empty() ? "k[" : ", k[") + std::to_string(x) + "," + std::to_string(y) + "]";
  std::size_t kept = addFormula(part, "if(edge > " + formulaNumber(high) + ", edge, 0)", {{"edge", thin}});
  const std::string step = "if(edge > 0 and max(" + neighbors + ") > 0, edge, 0)";
  for (std::int64_t i = 1; i < growth; ++i) kept = addFormula(part, step, {{"edge", thin}, {"k", kept}});
  addFormula(part, scaledText("if(isnan(edge), edge, " + step + ")", unit), {{"edge", thin}, {"k", kept}});
}

// The magnitude of the gradient where it is largest along its own direction, between neighbors on both sides, and
// hysteresis (J. Canny, 1986); slice by slice in x and y. Elsewhere, and below the threshold, 0. The conditions select
// voxels without an edge, and the maximum of all is taken, so that NaN stays NaN, even if only a compared slope is NaN.
ProgramPart makeEdges(const OptionValues& values, const FilterGrid& grid) {
  ProgramPart part;
  const std::array<double, 3> steps = stepsOf(values, grid);
  auto nodes = addGradient(part, values, grid, steps);
  nodes.resize(2);
  NamedNodes names = namedGradient(nodes);
  names.emplace_back("m", addFormula(part, "sqrt(gx^2 + gy^2)", names));
  const auto between = [](const char* steep, const char* same, const char* other, const char* share) {
    return "mix(" + std::string(steep) + ", if(gx * gy > 0, " + same + ", " + other + "), " + share + ")";
  };
  // The extent of the direction along each axis, in voxels.
  const auto voxels = [&](const char* slope, std::size_t axis) {
    return steps[axis] == 1 ? "abs(" + std::string(slope) + ")"
                            : "(abs(" + std::string(slope) + ") / " + formulaNumber(steps[axis]) + ")";
  };
  const std::string dx = voxels("gx", 0), dy = voxels("gy", 1);
  const std::string flat = dy + " / max(" + dx + ", 1e-30)", steep = dx + " / max(" + dy + ", 1e-30)";
  const std::string along = "min(" + flat + ", 1)", across = "min(" + steep + ", 1)";
  const std::string ahead = "if(" + dx + " >= " + dy + ", " + between("m[1,0]", "m[1,1]", "m[1,-1]", along.c_str()) +
                            ", " + between("m[0,1]", "m[1,1]", "m[-1,1]", across.c_str()) + ")";
  const std::string behind = "if(" + dx + " >= " + dy + ", " +
                             between("m[-1,0]", "m[-1,-1]", "m[-1,1]", along.c_str()) + ", " +
                             between("m[0,-1]", "m[-1,-1]", "m[1,-1]", across.c_str()) + ")";
  const double low = realOf(values, "threshold"), high = realOf(values, "high");
  if (high > 0 && high < low)
    throw Error(ErrorKind::Usage, "high=" + formatOption(high) + " is below threshold=" + formatOption(low),
                "choose a higher one, or 0 to keep every edge");
  names.emplace_back("beside", addFormula(part, "max(" + ahead + ", " + behind + ")", names));
  names.emplace_back("v", ProgramPart::rowInput(0));
  const std::string least = "max(" + formulaNumber(low / grid.unit) + ", " + formulaNumber(flatShare(steps, grid)) +
                            " * " + scaledText("abs(v)", 1 / grid.unit) + ")";
  const std::string text = "if(m <= " + least + " or m < beside, 0, max(m, beside))";
  const std::size_t thin = addFormula(part, high > 0 ? text : scaledText(text, grid.unit), names);
  if (high > 0) addConnected(part, thin, high / grid.unit, grid.unit, integerOf(values, "growth"));
  return part;
}

}  // namespace

FilterFamily edgesFamily() {
  const auto level = [](const char* name, const char* label, const char* help) {
    Option option = realOption(name, label, 0, 0, 1e12, "", help);
    option.sliderMaximum = 100;
    return option;
  };
  return {"edges",
          "Edges",
          "The slope where it is largest along its own direction, slice by slice; 0 elsewhere.",
          {scaleOption("sigma", "Sigma", 1.0, "Scale of the derivatives, in voxels or a length (0.8mm)."),
           level("threshold", "Threshold", "Slopes below this, over the length of per, are no edges."),
           level("high", "High", "Slopes above this begin an edge, which others continue; 0: each is one."),
           integerOption("growth", "Growth", 16, 1, 64, "With high: how many voxels an edge is followed."), perOption(),
           radiusOption()},
          makeEdges};
}

}  // namespace sscope
