#pragma once
// A formula as engines compute it: equal parts once, what is the same for all voxels computed beforehand, functions
// that are made of others taken apart, products joined with sums.

#include <array>
#include <cstdint>
#include <vector>

#include "core/filter/formula/formula.h"
#include "core/filter/formula/formula_value.h"

namespace sscope {

enum class StepOp : std::uint8_t {
  Read,      // index: of Formula::reads()
  Uniform,   // index: of FormulaProgram::uniforms
  Position,  // index: the axis
  Copy,
  Negate,
  Add,
  Subtract,
  Multiply,
  MultiplyAdd,          // a b + c
  MultiplySubtract,     // a b - c
  NegativeMultiplyAdd,  // c - a b
  Divide,
  Less,
  LessEqual,
  Equal,
  NotEqual,
  And,
  Or,
  Not,
  Select,  // a ? b : c
  Min,
  Max,
  Abs,
  Sqrt,
  Exp,
  Log,
  Log2,
  Log10,
  Sin,
  Cos,
  Tan,
  Asin,
  Acos,
  Atan,
  Atan2,
  Sinh,
  Cosh,
  Tanh,
  Floor,
  Ceil,
  Round,
  Sign,
  Hypot,
  Power,
  Mod,
  IsNan,
  IsFinite,
  Eigen,        // all three eigenvalues of six elements, ascending
  EigenAbs,     // the same by absolute value
  EigenSystem,  // the eigenvalues, then the three eigenvectors' elements in their order
  Pick,         // index: which result of an Eigen, EigenAbs or EigenSystem
};
// How many results it has, which Pick takes apart if they are more than one.
[[nodiscard]] std::size_t resultsOf(StepOp op);
inline constexpr std::size_t kMostStepResults = 12;
// How many values it takes.
[[nodiscard]] std::size_t operandsOf(StepOp op);

struct FormulaStep {
  StepOp op = StepOp::Copy;
  std::int32_t index = 0;
  std::array<std::uint32_t, 6> from{};  // steps before it
  bool operator==(const FormulaStep&) const = default;
};

// A number that is the same for all voxels.
struct FormulaUniform {
  enum class Kind : std::uint8_t { Node, Number, Spacing } kind = Kind::Number;
  std::uint32_t node = 0;  // of the tree, or the axis of Spacing
  double number = 0;
  bool fixed = true;  // whatever values the constants have
};

struct FormulaProgram {
  std::vector<FormulaStep> steps;  // the last is the result
  std::vector<FormulaUniform> uniforms;
};

// Depends on the formula's text, not on the values of its constants.
[[nodiscard]] FormulaProgram compileFormula(const Formula& formula);
// The numbers, in double precision.
[[nodiscard]] std::vector<double> uniformValues(const FormulaProgram& program, const Formula& formula,
                                                const FormulaPlace& place);

}  // namespace sscope
