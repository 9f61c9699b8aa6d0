#pragma once
// The operations of formulas and the tree of a parsed text.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sscope {

enum class FormulaOp : std::uint8_t {
  Number,       // value
  Constant,     // index
  Read,         // index: of Formula::reads()
  Position,     // axis: voxel index in the volume, from 0
  Millimeters,  // axis: voxel index times spacing
  Extent,       // axis: voxels of the volume
  Negate,
  Add,
  Subtract,
  Multiply,
  Divide,
  Power,
  WholePower,  // exponent: a whole number, by multiplication
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  And,
  Or,
  Not,
  If,
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
  Clamp,
  Mix,
  Step,
  SmoothStep,
  Hypot,
  Mod,
  IsNan,
  IsFinite,
  EigMin,  // of (xx, yy, xy)
  EigMax,
  Eig1,  // of (xx, yy, zz, xy, xz, yz), ascending
  Eig2,
  Eig3,
  EigAbs1,  // ascending by absolute value
  EigAbs2,
  EigAbs3,
  EigMapXX,  // of (xx, yy, zz, xy, xz, yz, f1, f2, f3): an element of the matrix whose eigenvalues are these
  EigMapYY,
  EigMapZZ,
  EigMapXY,
  EigMapXZ,
  EigMapYZ,
};

// Arguments are nodes before it.
struct FormulaNode {
  FormulaOp op = FormulaOp::Number;
  std::uint8_t axis = 0;      // of Position, Millimeters and Extent
  std::int32_t index = 0;     // of Constant and Read
  std::int32_t exponent = 0;  // of WholePower
  std::uint32_t first = 0;    // its arguments are FormulaTree::arguments[first .. first + count)
  std::uint32_t count = 0;
  double value = 0;  // of Number
};

// The value of an input at an offset from the voxel.
struct FormulaRead {
  std::size_t input = 0;  // of Formula::inputs()
  std::array<std::int64_t, 3> offset{};
  bool operator==(const FormulaRead&) const = default;
};

// A node's arguments come before it, so that a loop can evaluate the tree without recursion. The last node is the whole
// formula.
struct FormulaTree {
  std::vector<FormulaNode> nodes;
  std::vector<std::uint32_t> arguments;
  std::vector<FormulaRead> reads;  // in order of first appearance

  [[nodiscard]] std::span<const std::uint32_t> argumentsOf(const FormulaNode& node) const {
    return std::span(arguments).subspan(node.first, node.count);
  }
};

// A function by its name.
struct FormulaFunction {
  std::string_view name;
  FormulaOp op;
  std::size_t least, most;  // arguments; most = 0: any number
};
// Null for an unknown name.
[[nodiscard]] const FormulaFunction* formulaFunction(std::string_view name);
[[nodiscard]] std::span<const FormulaFunction> formulaFunctions();

// Counted operations (docs/manual/measurement.md): 0 for leaves, 1 for arithmetic, comparisons and choices, n - 1 for
// the smallest of n, 4 for square roots and divisions, 16 for transcendental functions, 300 for eigenvalues of three
// dimensions.
[[nodiscard]] double operationsOf(const FormulaNode& node);

}  // namespace sscope
