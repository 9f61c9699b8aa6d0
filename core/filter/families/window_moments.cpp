#include "core/filter/families/window_moments.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/filter/families/part_formula.h"
#include "core/filter/taps.h"

namespace sscope {

namespace {

std::string neighborAlong(const char* name, std::size_t axis, std::int64_t offset) {
  std::string text = std::string(name) + "[";
  for (std::size_t a = 0; a < 3; ++a) text += (a == 0 ? "" : ",") + std::to_string(a == axis ? offset : 0);
  return text + "]";
}

std::size_t addLineMean(ProgramPart& part, std::size_t input, std::size_t axis, std::int64_t half) {
  HalfWidths line{};
  line[axis] = half;
  return addWindowMean(part, input, line);
}

// The mean of (a - p) (b - q), or of (a - p)^2, over a line, in squares of the unit.
std::string lineCovariance(std::size_t axis, std::int64_t half, bool same, double unit) {
  std::string sum;
  for (std::int64_t i = -half; i <= half; ++i) {
    const std::string a = scaledText("(" + neighborAlong("a", axis, i) + " - p)", 1 / unit),
                      b = scaledText("(" + neighborAlong("b", axis, i) + " - q)", 1 / unit);
    sum += (sum.empty() ? "" : " + ") + (same ? a + "^2" : a + " * " + b);
  }
  return "(" + sum + ") * " + formulaNumber(1 / static_cast<double>(2 * half + 1));
}

}  // namespace

HalfWidths halfWidthsOf(const OptionValues& values, const std::string& name, const FilterGrid& grid,
                        std::int64_t most) {
  constexpr double kSlack = 1e-9;  // for lengths that are whole voxels but for rounding
  const auto voxels = voxelsAlongAxes(values, name, grid);
  HalfWidths half{};
  for (std::size_t a = 0; a < static_cast<std::size_t>(grid.dimensions); ++a)
    half[a] = static_cast<std::int64_t>(std::floor(voxels[a] * (1 + kSlack)));
  const std::string given = name + "=" + quoted(values.find(name)->second);
  if (half == HalfWidths{})
    throw Error(ErrorKind::Usage, given + " is less than a voxel along every axis", "choose a longer one");
  if (*std::ranges::max_element(half) > most)
    throw Error(ErrorKind::Usage, given + " is more than " + std::to_string(most) + " voxels on this data",
                "choose a shorter one");
  return half;
}

std::size_t addWindowMean(ProgramPart& part, std::size_t input, const HalfWidths& half) {
  SeparableTerm term;
  for (std::size_t a = 0; a < 3; ++a)
    if (half[a] > 0) term.axis[a] = boxTaps(2 * half[a] + 1);
  Stencil stencil;
  stencil.terms = {term};
  return part.add(std::move(stencil), {input});
}

WindowMoments addCovariance(ProgramPart& part, std::size_t first, std::size_t second, const HalfWidths& half,
                            double unit) {
  const bool same = first == second;
  WindowMoments moments{first, second, 0};
  bool started = false;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (half[axis] == 0) continue;
    NamedNodes names{{"a", moments.firstMean}, {"b", moments.secondMean}};
    moments.firstMean = addLineMean(part, moments.firstMean, axis, half[axis]);
    moments.secondMean = same ? moments.firstMean : addLineMean(part, moments.secondMean, axis, half[axis]);
    names.emplace_back("p", moments.firstMean);
    names.emplace_back("q", moments.secondMean);
    std::string text = lineCovariance(axis, half[axis], same, unit);
    if (started) {
      names.emplace_back("within", addLineMean(part, moments.covariance, axis, half[axis]));
      text = "within + " + text;
    }
    moments.covariance = addFormula(part, text, names);
    started = true;
  }
  return moments;
}

}  // namespace sscope
