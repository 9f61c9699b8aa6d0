#include "core/filter/families/derived_families.h"

#include <cmath>

#include "core/base/error.h"
#include "core/filter/families/hessian.h"
#include "core/filter/families/part_formula.h"

namespace sscope {

namespace {

constexpr std::size_t kInput = ProgramPart::rowInput(0);

Option perOption() { return choiceOption("per", "Per", {"voxel", "mm"}, "The length over which a slope is counted."); }

// By what derivatives along each axis are divided, so that they are per voxel or per millimeter.
std::array<double, 3> stepsOf(const OptionValues& values, const FilterGrid& grid) {
  if (textOf(values, "per") == "voxel") return {1, 1, 1};
  if (!grid.hasUnit)
    throw Error(ErrorKind::Usage, "per=mm has no meaning here: the data do not say how long a voxel is",
                "use per=voxel");
  return grid.spacing;
}

// The first derivatives along all axes of the data.
std::vector<std::size_t> addGradient(ProgramPart& part, const OptionValues& values, const FilterGrid& grid) {
  const auto sigma = voxelsAlongAxes(values, "sigma", grid);
  std::vector<std::size_t> nodes;
  for (std::size_t a = 0; a < static_cast<std::size_t>(grid.dimensions); ++a) {
    std::array<int, 3> order{};
    order[a] = 1;
    nodes.push_back(addDerivative(part, sigma, order, realOf(values, "truncate"), grid, kInput));
  }
  return nodes;
}

constexpr std::array kDerivative{"gx", "gy", "gz"};

NamedNodes named(const std::vector<std::size_t>& nodes) {
  NamedNodes names;
  for (std::size_t a = 0; a < nodes.size(); ++a) names.emplace_back(kDerivative[a], nodes[a]);
  return names;
}

// sqrt(gx^2 + gy^2 + gz^2) of gaussian derivatives.
ProgramPart makeSlope(const OptionValues& values, const FilterGrid& grid) {
  ProgramPart part;
  const auto steps = stepsOf(values, grid);
  const auto nodes = addGradient(part, values, grid);
  std::string sum;
  for (std::size_t a = 0; a < nodes.size(); ++a) {
    const std::string one = kDerivative[a];
    sum +=
        (sum.empty() ? "" : " + ") + (steps[a] == 1 ? one : "(" + one + " / " + formulaNumber(steps[a]) + ")") + "^2";
  }
  addFormula(part, "sqrt(" + sum + ")", named(nodes));
  return part;
}

Option planeOption() { return choiceOption("plane", "Plane", {"xy", "xz", "yz"}, "The plane of the angle."); }

std::string planeOf(const OptionValues& values, const FilterGrid& grid) {
  std::string plane = textOf(values, "plane");
  if (plane != "xy" && grid.dimensions == 2)
    throw Error(ErrorKind::Usage, "plane=" + plane + " needs a volume, and this image has one slice", "use plane=xy");
  return plane;
}

// The angle of the gradient in a plane, counted from its first axis toward its second.
ProgramPart makeDirection(const OptionValues& values, const FilterGrid& grid) {
  const std::string plane = planeOf(values, grid);
  ProgramPart part;
  const auto steps = stepsOf(values, grid);
  const auto nodes = addGradient(part, values, grid);
  const auto term = [&](char axis) {
    const auto a = static_cast<std::size_t>(axis - 'x');
    return std::string(kDerivative[a]) + " / " + formulaNumber(steps[a]);
  };
  addFormula(part, "atan2(" + term(plane[1]) + ", " + term(plane[0]) + ") * (180 / pi)", named(nodes));
  return part;
}

// The eigenvalues of the smoothed products of first derivatives (J. Bigun and G. Granlund, 1987; W. Forstner, 1987), or
// the angle in a plane, half that of the doubled one.
ProgramPart makeStructure(const OptionValues& values, const FilterGrid& grid) {
  ProgramPart part;
  const auto gradient = addGradient(part, values, grid);
  const auto rho = voxelsAlongAxes(values, "rho", grid);
  NamedNodes products;
  for (const auto& [name, first, second] : kSecondDerivatives) {
    if (std::max(first, second) >= gradient.size()) continue;
    const std::size_t product =
        addFormula(part, first == second ? "a^2" : "a * b", {{"a", gradient[first]}, {"b", gradient[second]}});
    products.emplace_back(name, addDerivative(part, rho, {0, 0, 0}, realOf(values, "truncate"), grid, product));
  }
  const std::string what = textOf(values, "value");
  const std::string plane = planeOf(values, grid);
  if (what == "orientation") {
    const std::string p(2, plane[0]), q(2, plane[1]);
    addFormula(part, "atan2(2 * " + plane + ", " + p + " - " + q + ") * (90 / pi)", products);
  } else if (what == "coherence") {
    const std::string low = eigenvalueText(1, grid.dimensions), high = eigenvalueText(grid.dimensions, grid.dimensions);
    addFormula(part, "if(" + high + " > 0, ((" + high + " - " + low + ") / (" + high + " + " + low + "))^2, 0)",
               products);
  } else {
    addFormula(part, eigenvalueText(what[0] - '0', grid.dimensions), products);
  }
  return part;
}

// The magnitude of the gradient where it is largest along its own direction, between neighbors on both sides
// (J. Canny, 1986, without hysteresis); slice by slice in x and y. Elsewhere, and below the threshold, 0.
ProgramPart makeEdges(const OptionValues& values, const FilterGrid& grid) {
  ProgramPart part;
  auto nodes = addGradient(part, values, grid);
  nodes.resize(2);
  NamedNodes names = named(nodes);
  names.emplace_back("m", addFormula(part, "sqrt(gx^2 + gy^2)", names));
  const auto between = [](const char* steep, const char* same, const char* other, const char* share) {
    return "mix(" + std::string(steep) + ", if(gx * gy > 0, " + same + ", " + other + "), " + share + ")";
  };
  const std::string flat = "abs(gy) / max(abs(gx), 1e-30)", steep = "abs(gx) / max(abs(gy), 1e-30)";
  const std::string along = "min(" + flat + ", 1)", across = "min(" + steep + ", 1)";
  const std::string ahead = "if(abs(gx) >= abs(gy), " + between("m[1,0]", "m[1,1]", "m[1,-1]", along.c_str()) + ", " +
                            between("m[0,1]", "m[1,1]", "m[-1,1]", across.c_str()) + ")";
  const std::string behind = "if(abs(gx) >= abs(gy), " + between("m[-1,0]", "m[-1,-1]", "m[-1,1]", along.c_str()) +
                             ", " + between("m[0,-1]", "m[-1,-1]", "m[1,-1]", across.c_str()) + ")";
  addFormula(
      part,
      "if(m > " + formulaNumber(realOf(values, "threshold")) + " and m >= " + ahead + " and m >= " + behind + ", m, 0)",
      names);
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
        planeOption(), radiusOption()},
       makeStructure});
  Option threshold =
      realOption("threshold", "Threshold", 0, 0, 1e12, "", "Slopes below this, per voxel, are no edges.");
  threshold.sliderMaximum = 100;
  families.push_back({"edges",
                      "Edges",
                      "The slope where it is largest along its own direction, slice by slice; 0 elsewhere.",
                      {sigma, threshold, radiusOption()},
                      makeEdges});
  return families;
}

}  // namespace sscope
