#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/filter/families/family_rows.h"
#include "core/filter/families/gaussian_derivatives.h"
#include "core/filter/families/part_formula.h"

namespace sscope {

namespace {

constexpr std::size_t kIteratedInput = ProgramPart::rowInput(0);

// The neighbors that share a face: 4 in an image, 6 in a volume.
std::vector<std::array<int, 3>> faces(const FilterGrid& grid) {
  std::vector<std::array<int, 3>> offsets;
  for (std::size_t a = 0; a < static_cast<std::size_t>(grid.dimensions); ++a)
    for (const int side : {-1, 1}) {
      offsets.emplace_back();
      offsets.back()[a] = side;
    }
  return offsets;
}

// "first + second + ..." with the text of each neighbor.
template <class Text>
std::string sumOverFaces(const FilterGrid& grid, Text&& text) {
  std::string sum;
  for (const auto& offset : faces(grid)) sum += (sum.empty() ? "" : " + ") + text(offset);
  return sum;
}

// Repeats a step that reads only the previous one.
ProgramPart repeated(const std::string& text, const OptionValues& values) {
  ProgramPart part;
  std::size_t u = kIteratedInput;
  for (std::int64_t step = 0; step < integerOf(values, "steps"); ++step) u = addStep(part, text, {{"u", u}});
  return part;
}

// P. Perona and J. Malik, Scale-space and edge detection using anisotropic diffusion, 1990: the explicit scheme over
// face neighbors with their two conductances.
ProgramPart makePeronaMalik(const OptionValues& values, const FilterGrid& grid) {
  const bool exponential = textOf(values, "conductance") == "exponential";
  const std::string rate = formulaNumber(1 / realOf(values, "kappa"));
  const std::string sum = sumOverFaces(grid, [&](const std::array<int, 3>& offset) {
    const std::string difference = "(" + neighborText("u", offset) + " - u)",
                      relative = "(" + difference + " * " + rate + ")";
    return exponential ? difference + " * exp(-(" + relative + "^2))" : difference + " / (1 + " + relative + "^2)";
  });
  const std::string text = "u + " + formulaNumber(timeStepOf(values, grid)) + " * (" + sum + ")";
  return repeated(text, values);
}

// In this unit of values.
std::string centralSlope(std::size_t axis, double unit) {
  std::array<int, 3> ahead{}, behind{};
  ahead[axis] = 1;
  behind[axis] = -1;
  return "((" + neighborText("u", ahead) + " - " + neighborText("u", behind) + ") * " + formulaNumber(0.5 / unit) + ")";
}

std::string secondDifference(std::size_t first, std::size_t second, double unit) {
  std::array<int, 3> ahead{}, behind{};
  if (first == second) {
    ahead[first] = 1;
    behind[first] = -1;
    return scaledText("(" + neighborText("u", ahead) + " - 2 * u + " + neighborText("u", behind) + ")", 1 / unit);
  }
  std::array<int, 3> rising{}, falling{};
  ahead[first] = ahead[second] = rising[first] = falling[second] = 1;
  behind[first] = behind[second] = rising[second] = falling[first] = -1;
  return "((" + neighborText("u", ahead) + " + " + neighborText("u", behind) + " - " + neighborText("u", rising) +
         " - " + neighborText("u", falling) + ") * " + formulaNumber(0.25 / unit) + ")";
}

// Level sets move by the sum of their principal curvatures (S. Osher and J. Sethian, 1988; L. Alvarez et al., 1992):
// u_t = sum over axes i != j of (u_jj u_i^2 - u_ij u_i u_j), divided by |grad u|^2, by central differences.
ProgramPart makeCurvature(const OptionValues& values, const FilterGrid& grid) {
  std::string sum, square;
  const auto axes = static_cast<std::size_t>(grid.dimensions);
  const auto slope = [&](std::size_t axis) { return centralSlope(axis, grid.unit); };
  for (std::size_t i = 0; i < axes; ++i) {
    square += (square.empty() ? "" : " + ") + slope(i) + "^2";
    std::string others;
    for (std::size_t j = 0; j < axes; ++j)
      if (j != i) others += (others.empty() ? "" : " + ") + secondDifference(j, j, grid.unit);
    sum += (sum.empty() ? "" : " + ") + slope(i) + "^2 * (" + others + ")";
  }
  for (std::size_t i = 0; i < axes; ++i)
    for (std::size_t j = i + 1; j < axes; ++j)
      sum += " - 2 * " + slope(i) + " * " + slope(j) + " * " + secondDifference(i, j, grid.unit);
  const std::string text = "u + " + formulaNumber(timeStepOf(values, grid)) + " * (" + sum + ") / max(" + square +
                           ", 1e-30)" + (grid.unit == 1 ? "" : " * " + formulaNumber(grid.unit));
  return repeated(text, values);
}

}  // namespace

std::vector<FilterFamily> iteratedFamilies() {
  const Option steps = stepsOption();
  return {
      {"peronamalik",
       "Perona-Malik diffusion",
       "Smooths what differs little and keeps edges.",
       {contrastOption("kappa", "Kappa", 10, "Differences of neighbors well above this are kept."), steps,
        timeStepOption(0.125),
        choiceOption("conductance", "Conductance", {"exponential", "quadratic"},
                     "exp(-(d/kappa)^2), which keeps sharp edges, or 1/(1+(d/kappa)^2), which keeps wide regions.")},
       makePeronaMalik,
       {{"kappa", 0, 10 / 255.0}}},
      {"curvature",
       "Curvature flow",
       "Shortens the lines, and shrinks the surfaces, of equal value: smooths outlines and keeps edges.",
       {steps, timeStepOption(0.0625)},
       makeCurvature},
      totalVariationFamily(),
      coherenceFamily(),
  };
}

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
  // exp(-80) is negligible compared with alpha; the limit avoids a division by a tiny square.
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

  // The eigenvalue of D for the smallest or the middle one of J.
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

// Beyond the ends a row may be any constant, so elements of D are clamped to their range.
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
