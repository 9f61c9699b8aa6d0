#include "core/filter/families/family.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/error.h"
#include "core/base/words.h"
#include "core/filter/families/family_rows.h"
#include "core/filter/families/gaussian_derivatives.h"
#include "core/filter/families/program.h"
#include "core/filter/families/tap_design.h"
#include "core/filter/grid.h"
#include "core/filter/stencil.h"

namespace sscope {

namespace {

bool boolean(const OptionValues& values, std::string_view name) { return std::get<bool>(values.find(name)->second); }

double tailMass(const std::array<double, 3>& sigma, double truncate, int dimensions) {
  double kept = 1;
  for (int a = 0; a < dimensions; ++a) kept *= 1 - gaussianTailMass(sigma[static_cast<std::size_t>(a)], truncate);
  return 1 - kept;
}

SeparableTerm gaussianTerm(const std::array<double, 3>& sigma, const std::array<int, 3>& order, double truncate,
                           int dimensions, double factor = 1) {
  SeparableTerm term;
  for (int a = 0; a < dimensions; ++a) {
    const auto i = static_cast<std::size_t>(a);
    term.axis[i] = gaussianDerivativeTaps(sigma[i], order[i], truncate);
  }
  if (factor != 1) term.axis[0] = scaled(term.axis[0], factor);
  return term;
}

Option sigmaOption(const char* name, const char* label, double fallback) {
  return lengthOption(name, label, fallback, 0.2, 64, 8,
                      "Standard deviation, in voxels, or in nm, um, mm, cm or m (0.8mm).");
}

Option truncateOption() {
  Option option =
      realOption("truncate", "Truncate", 4, 1, 8, "sigma", "Radius at which the taps end, in standard deviations.");
  return option;
}

Stencil makeBox(const OptionValues& v, const FilterGrid& grid) {
  Stencil filter;
  SeparableTerm term;
  for (int a = 0; a < grid.dimensions; ++a) term.axis[static_cast<std::size_t>(a)] = boxTaps(integerOf(v, "size"));
  filter.terms = {term};
  return filter;
}

Stencil makeGaussian(const OptionValues& v, const FilterGrid& grid) {
  const auto sigma = voxelsAlongAxes(v, "sigma", grid);
  const double truncate = realOf(v, "truncate");
  Stencil filter;
  const std::array<int, 3> order = ordersOf(v, grid);
  // From the third order on, taps cancel at smaller sigmas.
  constexpr double kNarrowest = 0.5;
  for (std::size_t a = 0; a < 3; ++a)
    if (order[a] > 2 && sigma[a] < kNarrowest)
      throw Error(ErrorKind::Usage,
                  "sigma is less than half a voxel along an axis of a derivative of third order or more",
                  "choose a longer one");
  filter.terms = {gaussianTerm(sigma, order, truncate, grid.dimensions)};
  filter.lostTailMass = tailMass(sigma, truncate, grid.dimensions);
  return filter;
}

Stencil makeDifference(const OptionValues& v, const FilterGrid& grid) {
  const auto narrow = voxelsAlongAxes(v, "sigma", grid);
  const double ratio = realOf(v, "ratio");
  const double truncate = realOf(v, "truncate");
  const std::array<double, 3> wide{narrow[0] * ratio, narrow[1] * ratio, narrow[2] * ratio};
  Stencil filter;
  filter.terms = {gaussianTerm(narrow, {0, 0, 0}, truncate, grid.dimensions),
                  gaussianTerm(wide, {0, 0, 0}, truncate, grid.dimensions, -1)};
  filter.lostTailMass = tailMass(wide, truncate, grid.dimensions);
  return filter;
}

Stencil makeLaplacianOfGaussian(const OptionValues& v, const FilterGrid& grid) {
  const auto sigma = voxelsAlongAxes(v, "sigma", grid), steps = stepsOf(v, grid);
  const double truncate = realOf(v, "truncate");
  Stencil filter;
  for (int a = 0; a < grid.dimensions; ++a) {
    std::array<int, 3> order{0, 0, 0};
    order[static_cast<std::size_t>(a)] = 2;
    const double step = steps[static_cast<std::size_t>(a)];
    filter.terms.push_back(gaussianTerm(sigma, order, truncate, grid.dimensions, 1 / (step * step)));
  }
  filter.lostTailMass = tailMass(sigma, truncate, grid.dimensions);
  return filter;
}

Stencil makeLaplacian(const OptionValues& v, const FilterGrid& grid) {
  const std::string neighbors = textOf(v, "neighbors");
  const int reach = neighbors == "faces" ? 1 : neighbors == "edges" ? 2 : 3;
  Stencil filter;
  DenseTaps& taps = filter.dense;
  taps.size = {3, 3, grid.dimensions == 3 ? 3 : 1};
  taps.anchor = {1, 1, grid.dimensions == 3 ? 1 : 0};
  taps.weights.clear();
  double sum = 0;
  for (std::int64_t z = -taps.anchor[2]; z <= taps.anchor[2]; ++z)
    for (std::int64_t y = -1; y <= 1; ++y)
      for (std::int64_t x = -1; x <= 1; ++x) {
        const auto distance = std::abs(x) + std::abs(y) + std::abs(z);
        const double w = distance > 0 && distance <= reach ? 1 : 0;
        taps.weights.push_back(w);
        sum += w;
      }
  taps.weights[taps.weights.size() / 2] = -sum;
  return filter;
}

Stencil makeGradient(const OptionValues& v, const FilterGrid& grid, const std::array<double, 3>& smooth) {
  const int axis = static_cast<int>(axisOf(v, grid));
  const bool normalize = boolean(v, "normalize");
  const double smoothSum = smooth[0] + smooth[1] + smooth[2];
  SeparableTerm term;
  for (int a = 0; a < grid.dimensions; ++a) {
    AxisTaps& taps = term.axis[static_cast<std::size_t>(a)];
    taps.anchor = 1;
    if (a == axis) {
      taps.weights = {-1, 0, 1};
      if (normalize) taps = scaled(taps, 0.5);
    } else {
      taps.weights.assign(smooth.begin(), smooth.end());
      if (normalize) taps = scaled(taps, 1 / smoothSum);
    }
  }
  Stencil filter;
  filter.terms = {term};
  return filter;
}

Stencil makeSharpen(const OptionValues& v, const FilterGrid& grid) {
  const auto sigma = voxelsAlongAxes(v, "sigma", grid);
  const double amount = realOf(v, "amount");
  const double truncate = realOf(v, "truncate");
  SeparableTerm identity;
  identity.axis[0] = scaled(identity.axis[0], 1 + amount);
  Stencil filter;
  filter.terms = {identity, gaussianTerm(sigma, {0, 0, 0}, truncate, grid.dimensions, -amount)};
  filter.lostTailMass = tailMass(sigma, truncate, grid.dimensions);
  return filter;
}

std::vector<FilterFamily> makeFamilies() {
  const std::array<Option, 3> orders = orderOptions();
  Option size = integerOption("size", "Size", 3, 1, 63, "Edge of the box.");
  size.unit = "voxels";
  size.sliderMaximum = 15;
  const Option axis = choiceOption("axis", "Axis", {"x", "y", "z"}, "Direction of the derivative.");
  const Option normalize =
      booleanOption("normalize", "Normalize", false, "Scale so that a ramp of slope one gives one.");
  const auto gradient = [](const std::array<double, 3>& smooth) {
    return [smooth](const OptionValues& v, const FilterGrid& grid) { return makeGradient(v, grid, smooth); };
  };
  Option ratio = realOption("ratio", "Ratio", 1.6, 1.05, 8, "", "Wide over narrow standard deviation.");
  ratio.sliderMaximum = 4;
  Option amount = realOption("amount", "Amount", 1, 0, 20, "", "The share of the detail that is added.");
  amount.sliderMaximum = 5;
  std::vector<FilterFamily> families{
      {"gaussian",
       "Gaussian",
       "Smooths, or takes smoothed derivatives up to fourth order.",
       {sigmaOption("sigma", "Sigma", 1.5), orders[0], orders[1], orders[2], truncateOption()},
       makeGaussian},
      {"box", "Box", "The mean of a box.", {size}, makeBox},
      {"dog",
       "Difference of gaussians",
       "A band pass: narrow minus wide gaussian.",
       {sigmaOption("sigma", "Sigma", 1.0), ratio, truncateOption()},
       makeDifference},
      {"laplacian",
       "Laplacian",
       "Sum of second differences over the nearest neighbors.",
       {choiceOption("neighbors", "Neighbors", {"faces", "edges", "corners"},
                     "Which neighbors count: 6, 18 or 26 in a volume, 4 or 8 in an image.")},
       makeLaplacian},
      {"log",
       "Laplacian of gaussian",
       "Blob and edge detector: the laplacian of the smoothed data.",
       {sigmaOption("sigma", "Sigma", 1.5), perOption(), truncateOption()},
       makeLaplacianOfGaussian},
      {"sobel",
       "Sobel",
       "Central difference along one axis, 1-2-1 smoothing along the others.",
       {axis, normalize},
       gradient({1, 2, 1})},
      {"prewitt",
       "Prewitt",
       "Central difference along one axis, 1-1-1 smoothing along the others.",
       {axis, normalize},
       gradient({1, 1, 1})},
      {"scharr",
       "Scharr",
       "Central difference along one axis, 3-10-3 smoothing along the others.",
       {axis, normalize},
       gradient({3, 10, 3})},
      {"sharpen",
       "Sharpen",
       "Unsharp mask: adds the difference to a smoothed copy.",
       {amount, sigmaOption("sigma", "Sigma", 1.0), truncateOption()},
       makeSharpen},
  };
  const auto append = [&](std::vector<FilterFamily> more) {
    for (FilterFamily& family : more) families.push_back(std::move(family));
  };
  append(rankFamilies());
  append(rangeFamilies());
  append(axisFamilies());
  append(directedFamilies());
  append(frequencyFamilies());
  append(steerableFamilies());
  append(localStatisticsFamilies());
  append({guidedFamily()});
  append(iteratedFamilies());
  append(morphologyFamilies());
  append(derivedFamilies());
#ifndef SSCOPE_WITHOUT_WAVELET
  for (FilterFamily& family : waveletFamilies()) families.push_back(std::move(family));
#endif
  families.push_back(formulaFamily());
  families.push_back({"custom", "Custom taps", "Your own dense taps, from a file or typed in.", {}, {}});
  return families;
}

void checkExtents(const Operator& made) {
  for (const std::int64_t extent : made.size())
    if (extent > kMaximumAxisTaps)
      throw Error(ErrorKind::Usage,
                  "the filter " + made.name + " would be " + std::to_string(extent) + " taps long, and at most " +
                      std::to_string(kMaximumAxisTaps) + " are possible",
                  "choose a shorter length or a smaller truncate");
}

}  // namespace

std::span<const FilterFamily> filterFamilies() {
  static const std::vector<FilterFamily> families = makeFamilies();
  return families;
}

const FormerOption* findFormerOption(const FilterFamily& family, std::string_view name) {
  const auto found =
      std::ranges::find_if(family.former, [&](const FormerOption& former) { return former.option.name == name; });
  return found == family.former.end() ? nullptr : &*found;
}

void renewOption(const FilterFamily& family, const FormerOption& former, const OptionValue& value,
                 OptionValues& given) {
  if (former.now.empty()) return;
  const Option& now = *findOption(family.options, former.now);
  given.try_emplace(former.now, std::clamp(1 / std::get<double>(value), now.minimum, now.maximum));
}

const FormerFamily* findFormerFamily(std::string_view name) {
  static const std::vector<FormerFamily> former{
      {"derivative", "gaussian", {{"sigma", Length{1, false}}, {"order_x", std::int64_t{1}}}},
  };
  const auto found = std::ranges::find(former, name, &FormerFamily::name);
  return found == former.end() ? nullptr : &*found;
}

const FilterFamily& filterFamily(std::string_view name) {
  if (const FormerFamily* former = findFormerFamily(name)) return filterFamily(former->now);
  constexpr std::size_t kLongestName = 200;  // that a message quotes
  const auto families = filterFamilies();
  const auto found =
      std::find_if(families.begin(), families.end(), [&](const FilterFamily& f) { return f.name == name; });
  if (found != families.end()) return *found;
  std::string known;
  for (const FilterFamily& family : families) known += (known.empty() ? "" : ", ") + family.name;
  throw Error(ErrorKind::Usage, "there is no filter family " + inOneLine(shortened(name, kLongestName)),
              "use one of " + known);
}

namespace {

// Errors name the filter, because a bank has several.
ProgramPart madeBy(const FilterFamily& family, const FilterRecipe& recipe, const FilterGrid& grid) {
  try {
    return family.make(completeOptions(optionsOf(family, recipe.parameters), recipe.parameters), grid);
  } catch (const Error& error) {
    throw Error(error.kind(), "the filter " + recipe.name + ": " + error.what());
  }
}

Stencil customTaps(const FilterRecipe& recipe, const FilterGrid& grid) {
  Stencil stencil;
  stencil.dense = recipe.taps;
  if (grid.dimensions == 2 && stencil.dense.size[2] > 1)
    throw Error(ErrorKind::Usage, "the filter " + recipe.name + " has taps along z, and this image has one slice",
                "use taps of size [nx, ny, 1]");
  return factored(std::move(stencil));
}

void requireInputs(const FilterFamily& family, const FilterRecipe& recipe) {
  if (!recipe.inputs.empty() && family.inputs.empty())
    throw Error(ErrorKind::Usage, "the filter " + recipe.name + " names its inputs twice",
                "name them in its formula alone");
  if (recipe.inputs.empty() || recipe.inputs.size() == family.inputs.size()) return;
  const std::size_t named = recipe.inputs.size();
  throw Error(ErrorKind::Usage,
              "the filter " + recipe.name + " names " + counted(static_cast<std::int64_t>(named), "input") + ", and " +
                  family.name + " reads " + std::to_string(family.inputs.size()),
              "name each input once");
}

}  // namespace

namespace {

// Whether a row's results are exact in the type of the data, including those of the rows that it reads.
bool keepsType(std::span<const FilterRecipe> above, const FilterRecipe& recipe, ElementType type) {
  const ResultValues results = filterFamily(recipe.family).results;
  const bool unsignedType = type == ElementType::u8 || type == ElementType::u16 || type == ElementType::u32;
  if (results == ResultValues::Computed || (results == ResultValues::Differences && !unsignedType)) return false;
  return std::ranges::all_of(recipe.inputs, [&](const std::string& input) {
    const auto row = std::ranges::find(above, input, &FilterRecipe::name);
    return row == above.end() || keepsType(above.first(static_cast<std::size_t>(row - above.begin())), *row, type);
  });
}

// Whether the type can hold the value outside.
bool holdsOutside(const FilterBank& bank, ElementType type) {
  if (bank.boundary != Boundary::constant || !isInteger(type)) return true;
  return dispatch(type, [&](auto zero) {
    using T = decltype(zero);
    return bank.constant >= static_cast<double>(std::numeric_limits<T>::lowest()) &&
           bank.constant <= static_cast<double>(std::numeric_limits<T>::max()) &&
           bank.constant == std::floor(bank.constant);
  });
}

}  // namespace

ElementType FilterBank::outputType(ElementType input) const {
  if (output.type) return *output.type;
  if (!output.automatic || input == ElementType::f32) return input;
  const auto rows = results();
  const bool kept =
      !rows.empty() && holdsOutside(*this, input) && std::ranges::all_of(rows, [&](const FilterRecipe* row) {
        const std::span<const FilterRecipe> all = filters;
        return keepsType(all.first(static_cast<std::size_t>(row - all.data())), *row, input);
      });
  if (kept) return input;
  const bool manyDigits = input == ElementType::u32 || input == ElementType::i32 || input == ElementType::f64;
  return manyDigits ? ElementType::f64 : ElementType::f32;
}

ProgramPart makePart(const FilterRecipe& recipe, const FilterGrid& grid) {
  const FilterFamily& family = filterFamily(recipe.family);
  ProgramPart part = family.make ? madeBy(family, recipe, grid) : ProgramPart(customTaps(recipe, grid));
  for (ProgramNode& node : part.nodes) {
    node.op.name = recipe.name;
    checkExtents(node.op);
  }
  requireInputs(family, recipe);
  if (!recipe.flip) return part;
  if (part.nodes.size() != 1)
    throw Error(ErrorKind::Usage, "the filter " + recipe.name + " has no taps that could be mirrored",
                "switch flip off");
  part.nodes.front().op = flipped(std::move(part.nodes.front().op));
  return part;
}

bool isOneOperator(const FilterRecipe& recipe, const FilterGrid& grid) {
  const ProgramPart part = makePart(recipe, grid);
  return part.nodes.size() == 1 && part.nodes.front().op.formula() == nullptr;
}

Operator makeOperator(const FilterRecipe& recipe, const FilterGrid& grid) {
  ProgramPart part = makePart(recipe, grid);
  if (part.nodes.size() != 1)
    throw Error(ErrorKind::Usage, "the filter " + recipe.name + " is not a single operator", "choose another filter");
  return std::move(part.nodes.front().op);
}

Stencil makeStencil(const FilterRecipe& recipe, const FilterGrid& grid) {
  Operator made = makeOperator(recipe, grid);
  if (made.stencil() == nullptr)
    throw Error(ErrorKind::Usage, "the filter " + made.name + " is not linear and has no taps",
                "choose another filter");
  return std::get<Stencil>(std::move(made.kind));
}

std::vector<Operator> makeOperators(const FilterBank& bank, const FilterGrid& grid) {
  FilterProgram program = makeProgram(bank, grid, true);
  if (!program.plain())
    throw Error(ErrorKind::Usage, "filters of the bank read each other's results", "use filters that read the data");
  std::vector<Operator> operators;
  for (ProgramNode& node : program.nodes) operators.push_back(std::move(node.op));
  return operators;
}

}  // namespace sscope
