#include "core/filter/families/gaussian_derivatives.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/error.h"
#include "core/filter/range_window.h"

namespace sscope {

double flatShare(const std::array<double, 3>& steps, const FilterGrid& grid) {
  return kFlatShare / *std::min_element(steps.begin(), steps.begin() + grid.dimensions);
}

Option perOption() {
  return choiceOption("per", "Per", {"sigma", "voxel", "mm"},
                      "The length over which slopes count: of sigma, voxels or mm, or one of these.");
}

std::array<double, 3> stepsOf(const OptionValues& values, const FilterGrid& grid) {
  const std::string per = textOf(values, "per");
  if (per == "voxel" || (per == "sigma" && !isLength(values, "sigma"))) return {1, 1, 1};
  requireLengths("per=mm", grid, "use per=voxel");
  return grid.spacing;
}

std::vector<std::size_t> addGradient(ProgramPart& part, const OptionValues& values, const FilterGrid& grid,
                                     const std::array<double, 3>& steps, std::size_t input) {
  const auto sigma = voxelsAlongAxes(values, "sigma", grid);
  std::vector<std::size_t> nodes;
  for (std::size_t a = 0; a < static_cast<std::size_t>(grid.dimensions); ++a) {
    std::array<int, 3> order{};
    order[a] = 1;
    nodes.push_back(addDerivative(part, sigma, order, realOf(values, "truncate"), grid, input, 1 / steps[a]));
  }
  return nodes;
}

NamedNodes namedGradient(const std::vector<std::size_t>& nodes) {
  NamedNodes names;
  for (std::size_t a = 0; a < nodes.size(); ++a) names.emplace_back("g" + std::string(1, "xyz"[a]), nodes[a]);
  return names;
}

namespace {

// The second derivatives at a scale, each times the factors of its axes, by name. With sigma as factors they do not
// depend on the scale nor on the edges of voxels (T. Lindeberg, 1998).
NamedNodes addHessian(ProgramPart& part, const std::array<double, 3>& sigma, const std::array<double, 3>& factors,
                      double truncate, const FilterGrid& grid) {
  NamedNodes names;
  for (const auto& [name, first, second] : kSecondDerivatives) {
    if (std::max(first, second) >= static_cast<std::size_t>(grid.dimensions)) continue;
    std::array<int, 3> order{};
    ++order[first];
    ++order[second];
    names.emplace_back(name, addDerivative(part, sigma, order, truncate, grid, ProgramPart::rowInput(0),
                                           factors[first] * factors[second]));
  }
  return names;
}

ProgramPart makeHessian(const OptionValues& values, const FilterGrid& grid) {
  ProgramPart part;
  const auto sigma = voxelsAlongAxes(values, "sigma", grid);
  std::array<double, 3> factors = sigma;
  if (!std::get<bool>(values.at("normalize")))
    std::ranges::transform(stepsOf(values, grid), factors.begin(), [](double step) { return 1 / step; });
  const NamedNodes names = addHessian(part, sigma, factors, realOf(values, "truncate"), grid);
  const std::string text = eigenvalueText(textOf(values, "eigenvalue")[0] - '0', grid.dimensions);
  addFormula(part, scaledText(text, grid.unit), names);
  return part;
}

// From the smallest scale to the largest in equal ratios, in voxels of the x axis.
std::vector<std::array<double, 3>> scalesOf(const OptionValues& values, const FilterGrid& grid) {
  const auto from = voxelsAlongAxes(values, "sigma", grid), to = voxelsAlongAxes(values, "to", grid);
  const auto count = integerOf(values, "scales");
  if (count > 1 && from[0] > to[0])
    throw Error(ErrorKind::Usage,
                "the smallest scale, sigma=" + quoted(values.at("sigma")) +
                    ", is larger than the largest, to=" + quoted(values.at("to")),
                "choose a smaller sigma or a larger to");
  std::vector<std::array<double, 3>> scales;
  for (std::int64_t s = 0; s < count; ++s) {
    const double share = count == 1 ? 0 : static_cast<double>(s) / static_cast<double>(count - 1);
    std::array<double, 3> sigma{};
    for (std::size_t a = 0; a < 3; ++a) sigma[a] = from[a] * std::pow(to[a] / from[a], share);
    scales.push_back(sigma);
  }
  return scales;
}

// The maximum of the formula `text` over all scales.
ProgramPart overScales(const OptionValues& values, const FilterGrid& grid, const std::string& text) {
  ProgramPart part;
  NamedNodes scales;
  std::string all;
  for (const auto& sigma : scalesOf(values, grid)) {
    const NamedNodes names = addHessian(part, sigma, sigma, realOf(values, "truncate"), grid);
    const std::string name = "s" + std::to_string(scales.size());
    scales.emplace_back(name, addFormula(part, text, names));
    all += (all.empty() ? "" : ", ") + name;
  }
  if (scales.size() > 1) addFormula(part, "max(" + all + ")", scales);
  return part;
}

// A. Frangi, W. Niessen, K. Vincken, M. Viergever, Multiscale vessel enhancement filtering, 1998, with a given c.
ProgramPart makeFrangi(const OptionValues& values, const FilterGrid& grid) {
  const bool volume = grid.dimensions == 3, bright = textOf(values, "polarity") == "bright";
  const auto rate = [&](const char* name) {
    const double value = realOf(values, name);
    return formulaNumber(1 / (2 * value * value));
  };
  // In units of c, so that squares of small or large data are within the range of single precision.
  const auto scaled = [&](int number) {
    return "(" + eigenvalueText(number, grid.dimensions, true) + " * " +
           formulaNumber(grid.unit / realOf(values, "c")) + ")";
  };
  const std::string a = scaled(1), b = scaled(2), c = volume ? scaled(3) : "";
  // The condition selects voxels without a vessel: NaN stays NaN, because no comparison with NaN is true.
  const std::string sign = bright ? " >= 0" : " <= 0";
  const std::string other = volume ? b + sign + " or " + c + sign : b + sign;
  const std::string blob =
      volume ? "(" + a + "^2 / max(abs(" + b + " * " + c + "), 1e-30))" : "(" + a + "^2 / max(" + b + "^2, 1e-30))";
  const std::string size = volume ? "(" + a + "^2 + " + b + "^2 + " + c + "^2)" : "(" + a + "^2 + " + b + "^2)";
  std::string value = "exp(-" + rate("beta") + " * " + blob + ") * (1 - exp(-0.5 * " + size + "))";
  if (volume) value += " * (1 - exp(-" + rate("alpha") + " * (" + b + "^2 / max(" + c + "^2, 1e-30))))";
  return overScales(values, grid, "if(" + other + ", 0, " + value + ")");
}

// Y. Sato et al., Three-dimensional multi-scale line filter for segmentation and visualization of curvilinear
// structures in medical images, 1998: the geometric mean of the eigenvalues across the line.
ProgramPart makeSato(const OptionValues& values, const FilterGrid& grid) {
  const bool bright = textOf(values, "polarity") == "bright";
  const auto across = [&](int fromEnd) {
    const int number = bright ? 1 + fromEnd : grid.dimensions - fromEnd;
    return "max(" + std::string(bright ? "-" : "") + eigenvalueText(number, grid.dimensions) + ", 0)";
  };
  const std::string value = grid.dimensions == 2 ? across(0) : "sqrt(" + across(0) + " * " + across(1) + ")";
  return overScales(values, grid, scaledText(value, grid.unit));
}

}  // namespace

std::string eigenvalueText(int number, int dimensions, bool absolute) {
  if (number > dimensions)
    throw Error(ErrorKind::Usage, "the third eigenvalue needs a volume, and this image has one slice", "choose 1 or 2");
  if (dimensions == 3) return (absolute ? "eigabs" : "eig") + std::to_string(number) + "(xx, yy, zz, xy, xz, yz)";
  const std::string low = "eigmin(xx, yy, xy)", high = "eigmax(xx, yy, xy)";
  if (!absolute) return number == 1 ? low : high;
  // The sum of both has the sign of the larger one.
  return number == 1 ? "if(xx + yy > 0, " + low + ", " + high + ")" : "if(xx + yy > 0, " + high + ", " + low + ")";
}

std::vector<FilterFamily> hessianFamilies() {
  const Option sigma = scaleOption("sigma", "Sigma", 1.5, "Scale of the derivatives, in voxels or a length (0.8mm).");
  const Option from = scaleOption("sigma", "Sigma", 1.0, "The smallest scale, about half the width of a vessel.");
  const Option to = scaleOption("to", "To", 3.0, "The largest scale, where there are several.");
  const Option scales = integerOption("scales", "Scales", 1, 1, 5, "The number of scales, in equal ratios.");
  const Option polarity =
      choiceOption("polarity", "Polarity", {"bright", "dark"}, "Lines brighter or darker than around.");
  const auto share = [](const char* name, const char* label, double fallback, double most, const char* help) {
    return realOption(name, label, fallback, most / 1e6, most, "", help);
  };
  Option strength = realOption("c", "C", 15, kSmallestRange, kLargestRange, "",
                               "Second derivatives, as a norm in units of the data, that count as structure.");
  strength.sliderMinimum = 0.001;
  strength.sliderMaximum = 1000;
  strength.logarithmic = true;
  return {
      {"hessian",
       "Hessian eigenvalue",
       "How strongly the data bend along the principal directions of the second derivatives.",
       {sigma, choiceOption("eigenvalue", "Eigenvalue", {"1", "2", "3"}, "1 is the smallest."),
        booleanOption("normalize", "Normalize", false, "Times sigma squared, to compare scales."), perOption(),
        radiusOption()},
       makeHessian},
      {"frangi",
       "Frangi vesselness",
       "Enhances tubes of the given widths, from 0 to 1.",
       {from, to, scales, polarity, share("alpha", "Alpha", 0.5, 10, "Separates tubes from plates, in volumes."),
        share("beta", "Beta", 0.5, 10, "Separates tubes from blobs."), strength, radiusOption()},
       makeFrangi,
       {{"c", 0, 15 / 255.0}}},
      {"sato",
       "Sato line filter",
       "Enhances lines of the given widths, in the data's own units.",
       {from, to, scales, polarity, radiusOption()},
       makeSato},
  };
}

NamedNodes addStructureTensor(ProgramPart& part, const OptionValues& values, const FilterGrid& grid,
                              const std::array<double, 3>& steps, std::size_t input) {
  const auto gradient = addGradient(part, values, grid, steps, input);
  const auto rho = voxelsAlongAxes(values, "rho", grid);
  FilterGrid inSquares = grid;
  inSquares.unit = 1;
  NamedNodes products;
  for (const auto& [name, first, second] : kSecondDerivatives) {
    if (std::max(first, second) >= gradient.size()) continue;
    const std::size_t product =
        addFormula(part, first == second ? "a^2" : "a * b", {{"a", gradient[first]}, {"b", gradient[second]}});
    products.emplace_back(name, addDerivative(part, rho, {0, 0, 0}, realOf(values, "truncate"), inSquares, product));
  }
  return products;
}

}  // namespace sscope
