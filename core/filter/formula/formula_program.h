#pragma once
// A formula as engines compute it: equal parts are merged, parts that are the same for all voxels are computed
// beforehand, composite functions are expanded, products are fused with sums.

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
// The number of its results, which Pick separates if there are several.
[[nodiscard]] std::size_t resultsOf(StepOp op);
inline constexpr std::size_t kMostStepResults = 12;
// The number of its operands.
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
  bool fixed = true;  // it does not depend on constants
};

struct FormulaProgram {
  std::vector<FormulaStep> steps;  // the last is the result
  std::vector<FormulaUniform> uniforms;
};

// Depends on the formula's text, not on the values of its constants.
[[nodiscard]] FormulaProgram compileFormula(const Formula& formula);
// The values of the uniforms, in double precision.
[[nodiscard]] std::vector<double> uniformValues(const FormulaProgram& program, const Formula& formula,
                                                const FormulaPlace& place);

}  // namespace sscope
