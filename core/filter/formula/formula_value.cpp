#include "core/filter/formula/formula_value.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "core/filter/formula/symmetric_eigen.h"

namespace sscope {

namespace {

using Op = FormulaOp;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double smallest(double a, double b) { return std::isnan(a) || std::isnan(b) ? kNan : std::min(a, b); }
double largest(double a, double b) { return std::isnan(a) || std::isnan(b) ? kNan : std::max(a, b); }

double wholePower(double base, std::int32_t exponent) {
  double power = 1;
  for (int n = std::abs(exponent); n > 0; n /= 2, base *= base)
    if (n % 2 != 0) power *= base;
  return exponent < 0 ? 1 / power : power;
}

// With the sign of the divisor.
double modulo(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && std::signbit(rest) != std::signbit(b) ? rest + b : rest;
}

double sign(double a) { return a > 0 ? 1 : a < 0 ? -1 : a; }

double smoothStep(double low, double high, double x) {
  const double t = smallest(largest((x - low) / (high - low), 0), 1);
  return t * t * (3 - 2 * t);
}

double eigenvalue(std::span<const double> m, std::size_t index, bool absolute) {
  auto values = symmetricEigenvalues({m[0], m[1], m[2], m[3], m[4], m[5]});
  if (absolute && !std::isnan(values[0])) std::ranges::sort(values, {}, [](double value) { return std::abs(value); });
  return values[index];
}

double mapped(std::span<const double> m, std::size_t element) {
  return mappedElement(symmetricEigen({m[0], m[1], m[2], m[3], m[4], m[5]}), {m[6], m[7], m[8]}, element);
}

}  // namespace

double formulaValue(const FormulaNode& node, std::span<const double> arguments) {
  const auto arg = [&](std::size_t i) { return arguments[i]; };
  const auto fold = [&](auto f) {
    double value = arguments[0];
    for (const double next : arguments.subspan(1)) value = f(value, next);
    return value;
  };
  switch (node.op) {
    case Op::Negate: return -arg(0);
    case Op::Add: return arg(0) + arg(1);
    case Op::Subtract: return arg(0) - arg(1);
    case Op::Multiply: return arg(0) * arg(1);
    case Op::Divide: return arg(0) / arg(1);
    case Op::Power: return std::pow(arg(0), arg(1));
    case Op::WholePower: return wholePower(arg(0), node.exponent);
    case Op::Less: return arg(0) < arg(1) ? 1 : 0;
    case Op::LessEqual: return arg(0) <= arg(1) ? 1 : 0;
    case Op::Greater: return arg(0) > arg(1) ? 1 : 0;
    case Op::GreaterEqual: return arg(0) >= arg(1) ? 1 : 0;
    case Op::Equal: return arg(0) == arg(1) ? 1 : 0;
    case Op::NotEqual: return arg(0) != arg(1) ? 1 : 0;
    case Op::And: return arg(0) != 0 && arg(1) != 0 ? 1 : 0;
    case Op::Or: return arg(0) != 0 || arg(1) != 0 ? 1 : 0;
    case Op::Not: return arg(0) != 0 ? 0 : 1;
    case Op::If: return arg(0) != 0 ? arg(1) : arg(2);
    case Op::Min: return fold(smallest);
    case Op::Max: return fold(largest);
    case Op::Abs: return std::abs(arg(0));
    case Op::Sqrt: return std::sqrt(arg(0));
    case Op::Exp: return std::exp(arg(0));
    case Op::Log: return std::log(arg(0));
    case Op::Log2: return std::log2(arg(0));
    case Op::Log10: return std::log10(arg(0));
    case Op::Sin: return std::sin(arg(0));
    case Op::Cos: return std::cos(arg(0));
    case Op::Tan: return std::tan(arg(0));
    case Op::Asin: return std::asin(arg(0));
    case Op::Acos: return std::acos(arg(0));
    case Op::Atan: return std::atan(arg(0));
    case Op::Atan2: return std::atan2(arg(0), arg(1));
    case Op::Sinh: return std::sinh(arg(0));
    case Op::Cosh: return std::cosh(arg(0));
    case Op::Tanh: return std::tanh(arg(0));
    case Op::Floor: return std::floor(arg(0));
    case Op::Ceil: return std::ceil(arg(0));
    case Op::Round: return std::nearbyint(arg(0));  // halves to the even neighbor
    case Op::Sign: return sign(arg(0));
    case Op::Clamp: return smallest(largest(arg(0), arg(1)), arg(2));
    case Op::Mix: return arg(0) + arg(2) * (arg(1) - arg(0));
    case Op::Step: return arg(1) >= arg(0) ? 1 : 0;
    case Op::SmoothStep: return smoothStep(arg(0), arg(1), arg(2));
    case Op::Hypot: return std::isnan(arg(0)) || std::isnan(arg(1)) ? kNan : std::hypot(arg(0), arg(1));
    case Op::Mod: return modulo(arg(0), arg(1));
    case Op::IsNan: return std::isnan(arg(0)) ? 1 : 0;
    case Op::IsFinite: return std::isfinite(arg(0)) ? 1 : 0;
    case Op::EigMin: return symmetricEigenvalues(arg(0), arg(1), arg(2))[0];
    case Op::EigMax: return symmetricEigenvalues(arg(0), arg(1), arg(2))[1];
    case Op::Eig1: return eigenvalue(arguments, 0, false);
    case Op::Eig2: return eigenvalue(arguments, 1, false);
    case Op::Eig3: return eigenvalue(arguments, 2, false);
    case Op::EigAbs1: return eigenvalue(arguments, 0, true);
    case Op::EigAbs2: return eigenvalue(arguments, 1, true);
    case Op::EigAbs3: return eigenvalue(arguments, 2, true);
    case Op::EigMapXX: return mapped(arguments, 0);
    case Op::EigMapYY: return mapped(arguments, 1);
    case Op::EigMapZZ: return mapped(arguments, 2);
    case Op::EigMapXY: return mapped(arguments, 3);
    case Op::EigMapXZ: return mapped(arguments, 4);
    case Op::EigMapYZ: return mapped(arguments, 5);
    case Op::Number:
    case Op::Constant:
    case Op::Read:
    case Op::Position:
    case Op::Millimeters:
    case Op::Extent: break;
  }
  return kNan;
}

FormulaEvaluator::FormulaEvaluator(const Formula& formula) : formula_(formula), values_(formula.tree().nodes.size()) {}

double FormulaEvaluator::operator()(std::span<const double> reads, const FormulaPlace& place) {
  const FormulaTree& tree = formula_.tree();
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const FormulaNode& node = tree.nodes[n];
    const auto index = static_cast<std::size_t>(node.index);
    switch (node.op) {
      case Op::Number: values_[n] = node.value; break;
      case Op::Constant: values_[n] = formula_.constants()[index].value; break;
      case Op::Read: values_[n] = reads[index]; break;
      case Op::Position: values_[n] = static_cast<double>(place.voxel[node.axis]); break;
      case Op::Millimeters: values_[n] = static_cast<double>(place.voxel[node.axis]) * place.spacing[node.axis]; break;
      case Op::Extent: values_[n] = static_cast<double>(place.volume[node.axis]); break;
      default:
        arguments_.clear();
        for (const std::uint32_t argument : tree.argumentsOf(node)) arguments_.push_back(values_[argument]);
        values_[n] = formulaValue(node, arguments_);
    }
  }
  return values_.back();
}

}  // namespace sscope
