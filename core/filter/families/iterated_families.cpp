#include "core/filter/families/family_rows.h"

#include <array>

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

// "first + second + ..." of what `text` gives for each neighbor.
template <class Text>
std::string sumOverFaces(const FilterGrid& grid, Text&& text) {
  std::string sum;
  for (const auto& offset : faces(grid)) sum += (sum.empty() ? "" : " + ") + text(offset);
  return sum;
}

// A step that reads nothing but the one before.
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

}  // namespace sscope
