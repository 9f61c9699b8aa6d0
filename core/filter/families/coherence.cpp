#include "core/filter/families/family_rows.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/filter/families/gaussian_derivatives.h"
#include "core/filter/families/part_formula.h"

namespace sscope {

namespace {

// The diffusion tensor D of the structure tensor J with the eigenvalues m1 <= m2 (<= m3): J's eigenvectors with
// alpha + (1 - alpha) exp(-C / (m - mi)^2), m the largest eigenvalue: alpha across the structure.
class DiffusionTensor {
 public:
  // `unit`: of the slopes.
  DiffusionTensor(const OptionValues& values, double unit) : alpha_(realOf(values, "alpha")) {
    const double slope = realOf(values, "contrast") / unit;
    contrast_ = slope * slope * slope * slope;
  }

  // The elements by the names dxx, dyy, ...
  NamedNodes add(ProgramPart& part, NamedNodes structure, int dimensions) const {
    if (dimensions == 3)
      for (const char* number : {"1", "2"})
        structure.emplace_back("f" + std::string(number), addFormula(part, eigenvalue(number), structure));
    NamedNodes elements;
    for (const SecondDerivative& d : kSecondDerivatives)
      if (std::max(d.first, d.second) < static_cast<std::size_t>(dimensions))
        elements.emplace_back("d" + std::string(d.name),
                              addFormula(part, dimensions == 2 ? planar(d) : spatial(d), structure));
    return elements;
  }

 private:
  // exp(-80) is nothing beside alpha; above it the square may be divided by.
  [[nodiscard]] std::string square(const std::string& difference) const {
    return "max(" + difference + ", " + formulaNumber(contrast_ / 80) + ")";
  }
  [[nodiscard]] std::string along(const std::string& squaredDifference) const {
    return formulaNumber(1 - alpha_) + " * exp(-" + formulaNumber(contrast_) + " / " + squaredDifference + ")";
  }

  // In the plane with closed forms: (m2 I - J) / (m2 - m1) projects on the eigenvector of m1.
  [[nodiscard]] std::string planar(const SecondDerivative& which) const {
    const std::string apart = square("((xx - yy)^2 + 4 * xy^2)");
    const std::string share = along(apart), root = "sqrt(" + apart + ")";
    if (which.first != which.second) return "-(" + share + " * xy / " + root + ")";
    const std::string difference = which.first == 0 ? "(yy - xx)" : "(xx - yy)";
    return formulaNumber(alpha_) + " + 0.5 * " + share + " * (1 + " + difference + " / " + root + ")";
  }

  static constexpr const char* kTensor = "xx, yy, zz, xy, xz, yz";

  // Of D, for the smallest or the middle one of J.
  [[nodiscard]] std::string eigenvalue(const std::string& number) const {
    const std::string tensor = "(" + std::string(kTensor) + ")";
    return formulaNumber(alpha_) + " + " + along(square("(eig3" + tensor + " - eig" + number + tensor + ")^2"));
  }
  [[nodiscard]] std::string spatial(const SecondDerivative& which) const {
    return "eigmap" + std::string(which.name) + "(" + kTensor + ", f1, f2, " + formulaNumber(alpha_) + ")";
  }

  double alpha_, contrast_ = 0;
};

std::array<int, 3> moved(std::size_t axis, int by, std::size_t other = 0, int otherBy = 0) {
  std::array<int, 3> offset{};
  offset[axis] += by;
  offset[other] += otherBy;
  return offset;
}

// Beyond the ends a row may be any constant; elements of D are not larger.
std::string tensorAt(const std::string& name, const std::array<int, 3>& offset, bool diagonal) {
  return "clamp(" + neighborText(name, offset) + ", " + (diagonal ? "0" : "-1") + ", 1)";
}

// div(D grad u): means of D between two voxels along the axes, central differences for mixed derivatives, in units of
// the shortest edge.
std::string divergence(int dimensions, const std::array<double, 3>& edges) {
  std::string sum;
  const auto add = [&](double share, const std::string& term) {
    sum += (sum.empty() ? "" : " + ") + (share == 1 ? "" : formulaNumber(share) + " * ") + term;
  };
  for (const SecondDerivative& d : kSecondDerivatives) {
    if (std::max(d.first, d.second) >= static_cast<std::size_t>(dimensions)) continue;
    const std::string name = "d" + std::string(d.name);
    const double share = 1 / (edges[d.first] * edges[d.second]);
    if (d.first == d.second) {
      for (const int side : {-1, 1})
        add(0.5 * share, "(" + name + " + " + tensorAt(name, moved(d.first, side), true) + ") * (" +
                             neighborText("u", moved(d.first, side)) + " - u)");
      continue;
    }
    for (const auto& [a, b] : {std::pair(d.first, d.second), std::pair(d.second, d.first)})
      for (const int side : {-1, 1})
        add((side < 0 ? -0.25 : 0.25) * share, tensorAt(name, moved(a, side), false) + " * (" +
                                                   neighborText("u", moved(a, side, b, 1)) + " - " +
                                                   neighborText("u", moved(a, side, b, -1)) + ")");
  }
  return sum;
}

// J. Weickert, Coherence-enhancing diffusion filtering, 1999, with an explicit scheme. With elements of D from 0 to 1
// its matrix lies between those of no diffusion and of the heat equation, so that time steps up to 1 / (2 dimensions)
// let no norm grow.
ProgramPart makeCoherence(const OptionValues& values, const FilterGrid& grid) {
  const DiffusionTensor tensor(values, grid.unit);
  const std::array<double, 3> edges =
      isLength(values, "sigma") || isLength(values, "rho") ? edgeRatios(grid) : std::array<double, 3>{1, 1, 1};
  const std::string step =
      "u + " + formulaNumber(timeStepOf(values, grid)) + " * (" + divergence(grid.dimensions, edges) + ")";
  ProgramPart part;
  std::size_t u = ProgramPart::rowInput(0);
  for (std::int64_t i = 0; i < integerOf(values, "steps"); ++i) {
    NamedNodes names = tensor.add(part, addStructureTensor(part, values, grid, edges, u), grid.dimensions);
    names.emplace_back("u", u);
    u = addStep(part, step, names);
  }
  return part;
}

}  // namespace

FilterFamily coherenceFamily() {
  Option contrast =
      contrastOption("contrast", "Contrast", 1,
                     "Structures whose slopes, per shortest edge of a voxel, are well above this are smoothed along.");
  contrast.minimum = 1e-4;
  contrast.maximum = 1e6;
  Option truncate = radiusOption();
  truncate.fallback = 3.0;
  return {"coherence",
          "Coherence-enhancing diffusion",
          "Smooths along lines, and in volumes along surfaces, and closes gaps in them.",
          {contrast, scaleOption("sigma", "Sigma", 0.7, "Scale of the derivatives, in voxels or a length (0.8mm)."),
           scaleOption("rho", "Rho", 2.0, "Scale over which directions are averaged."),
           realOption("alpha", "Alpha", 0.001, 0.0001, 1, "", "Diffusion across structures and where there are none."),
           stepsOption(), timeStepOption(0.15), truncate},
          makeCoherence,
          {{"contrast", 0, 1 / 255.0}}};
}

}  // namespace sscope
