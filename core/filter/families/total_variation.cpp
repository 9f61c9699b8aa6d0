#include "core/filter/families/family_rows.h"

#include <array>
#include <string>
#include <vector>

#include "core/filter/families/part_formula.h"
#include "core/filter/grid.h"

namespace sscope {

namespace {

constexpr std::size_t kData = ProgramPart::rowInput(0);

// A. Chambolle, An algorithm for total variation minimization and applications, 2004. The u that minimizes the sum of
// |grad u| + (u - f)^2 / (2 weight) is f - weight div p, where |p| <= 1 and div p is as near to f / weight as such a
// div p can be (section 2). His section 3 finds p from p = 0 by
//
// p' = (p - rate grad u) / (1 + rate |grad u|),   u = f - weight div p,   rate = tau / weight.
//
// grad takes forward differences, 0 at the far ends, and div is minus its adjoint: neither depends on values beyond the
// ends. He proves convergence for tau up to 1 / (4 dimensions), and finds in practice that twice that works best, up to
// 1 / (2 dimensions), where no mode of p + tau grad div p grows.
class DualProjection {
 public:
  DualProjection(const OptionValues& values, const FilterGrid& grid)
      : axes_(static_cast<std::size_t>(grid.dimensions)),
        unit_(grid.unit),
        weight_(realOf(values, "weight")),
        edges_(voxelEdges(values, grid)) {}

  [[nodiscard]] ProgramPart repeated(std::int64_t steps) const {
    ProgramPart part;
    std::size_t u = kData;
    NamedNodes dual;
    for (std::int64_t step = 0; step < steps; ++step) {
      dual = projected(part, dual, u);
      const std::size_t next = addWith(part, result(), "weight", weight_, withData(dual));
      part.nodes[next].stepOf = u;
      u = next;
    }
    return part;
  }

 private:
  static constexpr std::array<const char*, 3> kPosition{"x", "y", "z"}, kExtent{"nx", "ny", "nz"},
      kDual{"px", "py", "pz"};

  [[nodiscard]] static std::array<int, 3> moved(std::size_t axis, int by) {
    std::array<int, 3> offset{};
    offset[axis] = by;
    return offset;
  }
  [[nodiscard]] static NamedNodes withData(NamedNodes names) {
    names.emplace_back("f", kData);
    return names;
  }

  // With a constant of the formula, engines keep the compiled program while its slider moves.
  static std::size_t addWith(ProgramPart& part, const std::string& text, const std::string& constant, double value,
                             const NamedNodes& names) {
    const std::size_t node = addFormula(part, text, names);
    part.nodes[node].op = part.nodes[node].op.formula()->withConstants({{constant, value}});
    return node;
  }

  [[nodiscard]] std::string scaled(std::size_t axis, const std::string& difference) const {
    return edges_[axis] == 1 ? difference : "(" + formulaNumber(1 / edges_[axis]) + " * " + difference + ")";
  }
  [[nodiscard]] std::string slope(std::size_t axis) const {
    return scaled(axis, "if(" + std::string(kPosition[axis]) + " < " + kExtent[axis] + " - 1, " +
                            neighborText("u", moved(axis, 1)) + " - u, 0)");
  }
  // p is 0 at the far ends, where slopes are.
  [[nodiscard]] std::string divergence() const {
    std::string sum;
    for (std::size_t a = 0; a < axes_; ++a)
      sum += (sum.empty() ? "" : " + ") + scaled(a, "(" + std::string(kDual[a]) + " - if(" + kPosition[a] + " > 0, " +
                                                        neighborText(kDual[a], moved(a, -1)) + ", 0))");
    return sum;
  }
  [[nodiscard]] std::string result() const { return "f - @weight=1[0..1e12] * (" + divergence() + ")"; }

  // p' of p; p is 0 where there is none yet.
  NamedNodes projected(ProgramPart& part, const NamedNodes& dual, std::size_t u) const {
    std::string square;
    for (std::size_t a = 0; a < axes_; ++a)
      square += (square.empty() ? "" : " + ") + scaledText(slope(a), 1 / unit_) + "^2";
    NamedNodes names = dual, made;
    names.emplace_back("u", u);
    for (std::size_t a = 0; a < axes_; ++a) {
      const std::string before = dual.empty() ? "0" : kDual[a];
      const std::string text = "(" + before + " - @rate=1[0..1e12] * " + slope(a) + ") / (1 + @rate * " +
                               scaledText("sqrt(" + square + ")", unit_) + ")";
      made.emplace_back(kDual[a], addWith(part, text, "rate", rate(), names));
    }
    return made;
  }
  [[nodiscard]] double rate() const { return 1 / (2 * static_cast<double>(axes_) * weight_); }

  std::size_t axes_;
  double unit_;
  double weight_;
  std::array<double, 3> edges_;  // the shortest is 1, so that the weight does not depend on the unit
};

ProgramPart makeTotalVariation(const OptionValues& values, const FilterGrid& grid) {
  return DualProjection(values, grid).repeated(integerOf(values, "steps"));
}

}  // namespace

FilterFamily totalVariationFamily() {
  Option steps = stepsOption();
  steps.fallback = std::int64_t{10};
  FilterFamily family{
      "tv",
      "Total variation",
      "Makes the data nearly constant between few edges, and keeps those sharp.",
      {contrastOption("weight", "Weight", 10, "The strength: a value near the noise of the data removes noise."), steps,
       voxelShapeOption()},
      makeTotalVariation,
      {{"weight", 0.7, 10 / 255.0}}};
  // T. Chan, S. Osher and J. Shen's digital filter approached the same minimum, with lambda = 1 / weight and slopes
  // that beta kept from 0.
  family.former = {{contrastOption("lambda", "Lambda", 0.1, ""), "weight"},
                   {contrastOption("beta", "Beta", 1, ""), ""}};
  return family;
}

}  // namespace sscope
