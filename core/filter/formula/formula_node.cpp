#include "core/filter/formula/formula_node.h"

#include <algorithm>
#include <cstdlib>

namespace sscope {

namespace {

using Op = FormulaOp;

constexpr FormulaFunction kFunctions[] = {
    {"if", Op::If, 3, 3},
    {"min", Op::Min, 1, 0},
    {"max", Op::Max, 1, 0},
    {"abs", Op::Abs, 1, 1},
    {"sqrt", Op::Sqrt, 1, 1},
    {"exp", Op::Exp, 1, 1},
    {"log", Op::Log, 1, 1},
    {"log2", Op::Log2, 1, 1},
    {"log10", Op::Log10, 1, 1},
    {"sin", Op::Sin, 1, 1},
    {"cos", Op::Cos, 1, 1},
    {"tan", Op::Tan, 1, 1},
    {"asin", Op::Asin, 1, 1},
    {"acos", Op::Acos, 1, 1},
    {"atan", Op::Atan, 1, 1},
    {"atan2", Op::Atan2, 2, 2},
    {"sinh", Op::Sinh, 1, 1},
    {"cosh", Op::Cosh, 1, 1},
    {"tanh", Op::Tanh, 1, 1},
    {"floor", Op::Floor, 1, 1},
    {"ceil", Op::Ceil, 1, 1},
    {"round", Op::Round, 1, 1},
    {"sign", Op::Sign, 1, 1},
    {"clamp", Op::Clamp, 3, 3},
    {"mix", Op::Mix, 3, 3},
    {"step", Op::Step, 2, 2},
    {"smoothstep", Op::SmoothStep, 3, 3},
    {"hypot", Op::Hypot, 2, 2},
    {"pow", Op::Power, 2, 2},
    {"mod", Op::Mod, 2, 2},
    {"isnan", Op::IsNan, 1, 1},
    {"isfinite", Op::IsFinite, 1, 1},
    {"eigmin", Op::EigMin, 3, 3},
    {"eigmax", Op::EigMax, 3, 3},
    {"eig1", Op::Eig1, 6, 6},
    {"eig2", Op::Eig2, 6, 6},
    {"eig3", Op::Eig3, 6, 6},
    {"eigabs1", Op::EigAbs1, 6, 6},
    {"eigabs2", Op::EigAbs2, 6, 6},
    {"eigabs3", Op::EigAbs3, 6, 6},
    {"eigmapxx", Op::EigMapXX, 9, 9},
    {"eigmapyy", Op::EigMapYY, 9, 9},
    {"eigmapzz", Op::EigMapZZ, 9, 9},
    {"eigmapxy", Op::EigMapXY, 9, 9},
    {"eigmapxz", Op::EigMapXZ, 9, 9},
    {"eigmapyz", Op::EigMapYZ, 9, 9},
};

// Multiplications of a whole power by repeated squaring.
double multiplications(std::int32_t exponent) {
  double count = 0;
  for (int n = std::abs(exponent); n > 1; n /= 2) count += n % 2 == 0 ? 1 : 2;
  return exponent < 0 ? count + 4 : count;
}

}  // namespace

std::span<const FormulaFunction> formulaFunctions() { return kFunctions; }

const FormulaFunction* formulaFunction(std::string_view name) {
  const auto* found = std::ranges::find(kFunctions, name, &FormulaFunction::name);
  return found == std::ranges::end(kFunctions) ? nullptr : found;
}

double operationsOf(const FormulaNode& node) {
  switch (node.op) {
    case Op::Number:
    case Op::Constant:
    case Op::Read:
    case Op::Position:
    case Op::Extent: return 0;
    case Op::Min:
    case Op::Max: return node.count - 1.0;
    case Op::Clamp: return 2;
    case Op::Mix: return 3;
    case Op::SmoothStep: return 12;
    case Op::WholePower: return multiplications(node.exponent);
    case Op::Divide:
    case Op::Sqrt: return 4;
    case Op::Hypot: return 8;
    case Op::EigMin:
    case Op::EigMax: return 14;
    case Op::Power:
    case Op::Exp:
    case Op::Log:
    case Op::Log2:
    case Op::Log10:
    case Op::Sin:
    case Op::Cos:
    case Op::Tan:
    case Op::Asin:
    case Op::Acos:
    case Op::Atan:
    case Op::Atan2:
    case Op::Sinh:
    case Op::Cosh:
    case Op::Tanh:
    case Op::Mod: return 16;
    case Op::Eig1:
    case Op::Eig2:
    case Op::Eig3:
    case Op::EigAbs1:
    case Op::EigAbs2:
    case Op::EigAbs3:
    case Op::EigMapXX:
    case Op::EigMapYY:
    case Op::EigMapZZ:
    case Op::EigMapXY:
    case Op::EigMapXZ:
    case Op::EigMapYZ: return 300;
    default: return 1;
  }
}

}  // namespace sscope
