#include "core/filter/formula/formula_interval.h"

#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "core/filter/formula/formula_value.h"
#include "core/filter/formula/interval.h"
#include "core/filter/formula/symmetric_eigen.h"

namespace sscope {

namespace {

// Conditions on intervals: true, false, or nothing if roundings leave both possible.
namespace decide {

std::optional<bool> less(const Interval& a, const Interval& b, bool orEqual) {
  if (a.empty() || b.empty()) return false;
  const bool unordered = a.nan || b.nan;
  if (orEqual ? a.low > b.high : a.low >= b.high) return false;
  if (!unordered && (orEqual ? a.high <= b.low : a.high < b.low)) return true;
  return std::nullopt;
}

std::optional<bool> equal(const Interval& a, const Interval& b) {
  if (a.empty() || b.empty() || a.high < b.low || b.high < a.low) return false;
  if (a.isPoint() && b.isPoint()) return true;
  return std::nullopt;
}

std::optional<bool> truth(const Interval& a) {
  if (a.empty() || a.low > 0 || a.high < 0) return true;  // NaN is true, too
  if (a.low == 0 && a.high == 0 && !a.nan) return false;
  return std::nullopt;
}

std::optional<bool> finite(const Interval& a) {
  if (a.empty() || (a.low == a.high && std::isinf(a.low))) return false;
  if (!a.nan && std::isfinite(a.low) && std::isfinite(a.high)) return true;
  return std::nullopt;
}

std::optional<bool> isNan(const Interval& a) {
  if (a.empty()) return true;
  if (!a.nan) return false;
  return std::nullopt;
}

std::optional<bool> inverse(std::optional<bool> a) {
  if (!a) return a;
  return !*a;
}

Interval decision(std::optional<bool> known) {
  if (known) return Interval::point(*known ? 1 : 0);
  return {0, 1, false, true};
}

Interval both(std::optional<bool> a, std::optional<bool> b) {
  if ((a && !*a) || (b && !*b)) return Interval::point(0);
  return decision(a && b ? std::optional(true) : std::nullopt);
}

// Overlapping branches count as continuous; others make a jump.
Interval choice(std::optional<bool> condition, const Interval& yes, const Interval& no) {
  if (condition) return *condition ? yes : no;
  Interval result = hull(yes, no);
  const bool overlap = !yes.empty() && !no.empty() && yes.low <= no.high && no.low <= yes.high;
  if (!overlap && !(yes.empty() && no.empty())) result.torn = true;
  return result;
}

}  // namespace decide

using Op = FormulaOp;
constexpr double kPi = std::numbers::pi;

// Evaluates one operation.
class Operation : public IntervalArithmetic {
 public:
  Operation(const FormulaNode& node, const IntervalRounding& rounding) : IntervalArithmetic(rounding), node_(node) {}

  // Sine (shift 0) or cosine (shift pi / 2).
  [[nodiscard]] Interval wave(const Interval& a, double shift) const {
    const auto f = [&](double x) { return shift == 0 ? std::sin(x) : std::cos(x); };
    if (std::isinf(a.low) && a.low == a.high) return Interval::nothingButNan();
    Interval result{-1, 1, false, false};
    const bool sure = std::abs(a.low) < 1e12 && std::abs(a.high) < 1e12;
    if (a.isPoint() && a.low == 0) return Interval::point(f(0));
    if (a.isPoint()) {
      result = {f(a.low), f(a.low), false, false};
    } else if (sure && a.width() < 2 * kPi) {
      result = ends({f(a.low), f(a.high)});
      // Maxima and minima alternate at (k + 1/2) pi of the shifted argument.
      const double first = std::ceil((a.low + shift) / kPi - 0.5 - 1e-9),
                   last = std::floor((a.high + shift) / kPi - 0.5 + 1e-9);
      for (double k = first; k <= last; ++k)
        result = hull(result, Interval::point(std::fmod(std::abs(k), 2) == 0 ? 1 : -1));
    }
    result.low -= kSumUnits * rounding_.roundoff();
    result.high += kSumUnits * rounding_.roundoff();
    return marked(rounding_.widened(result, kFunctionUnits), a, a, infinite(a));
  }

  [[nodiscard]] Interval tangent(const Interval& a) const {
    if (std::isinf(a.low) && a.low == a.high) return Interval::nothingButNan();
    if (a.isPoint()) return rounding_.rounded(std::tan(a.low), a.low == 0, 2 * kFunctionUnits);
    const auto branch = [](double x, double margin) { return std::floor(x / kPi + 0.5 + margin); };
    const bool sure = std::abs(a.low) < 1e6 && std::abs(a.high) < 1e6;
    if (!sure || branch(a.low, -1e-9) != branch(a.high, 1e-9))
      return marked({-kInfiniteBound, kInfiniteBound, false, false}, a, a, infinite(a));
    return marked(rounding_.widened({std::tan(a.low), std::tan(a.high), false, false}, 2 * kFunctionUnits), a, a,
                  false);
  }

  [[nodiscard]] Interval arc(const Interval& y, const Interval& x) const {
    if (y.isPoint() && x.isPoint())
      return rounding_.rounded(std::atan2(y.low, x.low), y.low == 0 && x.low > 0, kFunctionUnits);
    const bool cut = x.low <= 0 && y.contains(0);  // the jump from pi to -pi
    if (cut) {
      Interval all = marked({-kPi - 1e-6, kPi + 1e-6, false, false}, y, x, false);
      all.torn = true;
      return all;
    }
    const auto f = [](double a, double b) { return std::atan2(a, b); };
    return marked(rounding_.widened(ends({f(y.low, x.low), f(y.low, x.high), f(y.high, x.low), f(y.high, x.high)}),
                                    kFunctionUnits),
                  y, x, false);
  }

  [[nodiscard]] Interval hypotenuse(const Interval& a, const Interval& b) const {
    const Interval x = absolute(a), y = absolute(b);
    const double low = std::hypot(x.low, y.low), high = std::hypot(x.high, y.high);
    if (a.isPoint() && b.isPoint() && low == 0) return Interval::point(0);
    return marked(rounding_.widened({low, high, false, false}, 2 * kRootUnits), a, b, false);
  }

  [[nodiscard]] Interval modulo(const Interval& a, const Interval& b) const {
    if (a.isPoint() && b.isPoint()) {
      const std::array<double, 2> values{a.low, b.low};
      const double rest = formulaValue(node_, values);
      return rounding_.rounded(rest, rest == std::fmod(a.low, b.low), kSumUnits);
    }
    Interval all =
        marked({std::min(b.low, 0.0), std::max(b.high, 0.0), false, false}, a, b, b.contains(0) || infinite(a));
    all.torn = true;
    if (infinite(a) || infinite(b) || b.contains(0)) return all;
    const double first = std::floor(a.low / b.low),
                 others[] = {std::floor(a.low / b.high), std::floor(a.high / b.low), std::floor(a.high / b.high)};
    if (std::abs(first) > 0x1p40) return all;
    for (const double other : others)
      if (other != first) return all;
    Interval rest =
        ends({a.low - first * b.low, a.low - first * b.high, a.high - first * b.low, a.high - first * b.high});
    const double slack = 0x1p-52 * std::max(std::abs(a.low), std::abs(a.high));
    rest.low -= slack;
    rest.high += slack;
    if (b.low > 0 ? rest.low < 0 || rest.high >= b.low : rest.high > 0 || rest.low <= b.high) return all;
    return marked(rounding_.widened(rest, kSumUnits), a, b, false);
  }

  // An eigenvalue of a matrix changes by at most the norm of the perturbation (H. Weyl, 1912).
  [[nodiscard]] Interval eigenvalue(std::span<const Interval> m) const {
    const Matrix matrix = matrixOf(m);
    if (matrix.open) return *matrix.open;
    const double value = formulaValue(node_, std::span(matrix.middle).first(m.size()));
    if (matrix.norm == 0 && matrix.radius == 0) return {0, 0, matrix.nan, matrix.torn};
    const double off = matrix.off(rounding_);
    Interval result = rounding_.widened({value - off, value + off, matrix.nan, matrix.torn}, kSumUnits);
    // The order by absolute values jumps if two eigenvalues have opposite signs and nearly the same size.
    if (node_.op >= Op::EigAbs1 && oppositeNeighbors(matrix.middle, 2 * off)) result.torn = true;
    return result;
  }

  // The matrix with the same eigenvectors and other eigenvalues f. With the eigenvectors v of a matrix and w of one
  // that differs by `off`, (D' - D) has the elements (f'_i - f_j) v_i w_j, and |v_i w_j| is at most off divided by the
  // distance of the two eigenvalues (C. Davis and W. Kahan, 1970): if eigenvectors are undetermined, only differences
  // of f matter.
  [[nodiscard]] Interval mapped(std::span<const Interval> arguments) const {
    const Matrix matrix = matrixOf(arguments.first(6));
    if (matrix.open) return *matrix.open;
    Interval result{0, 0, matrix.nan, matrix.torn};
    std::array<double, 3> middle{}, half{};
    double size = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Interval& f = arguments[6 + i];
      if (infinite(f)) return Interval::anything();
      result = marked(result, f, f, false);
      middle[i] = f.low / 2 + f.high / 2;
      half[i] = std::max(f.high - middle[i], middle[i] - f.low) + 0x1p-52 * std::abs(middle[i]);
      size = std::max(size, std::abs(middle[i]) + half[i]);
    }
    const SymmetricEigen eigen = symmetricEigen(matrix.middle);
    const double off = matrix.off(rounding_);
    double square = 0;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        const double apart = std::abs(eigen.values[i] - eigen.values[j]) - off;
        const double share = i == j || apart <= off ? 1 : off / apart;
        const double error = (std::abs(middle[i] - middle[j]) + half[i]) * share;
        square += error * error;
      }
    const auto element = static_cast<std::size_t>(node_.op) - static_cast<std::size_t>(Op::EigMapXX);
    const double value = mappedElement(eigen, middle, element);
    const double error = std::sqrt(square) + kEigenUnits * rounding_.roundoff() * size;
    result.low = value - error;
    result.high = value + error;
    return rounding_.widened(result, kSumUnits);
  }

 private:
  // The region of a matrix: a ball around its midpoint in the Frobenius norm.
  struct Matrix {
    std::array<double, 6> middle{};
    double radius = 0, norm = 0;
    bool nan = false, torn = false;
    std::optional<Interval> open;  // the interval of the results instead

    // Includes the roundings of the method.
    [[nodiscard]] double off(const IntervalRounding& rounding) const {
      return radius + kEigenUnits * rounding.roundoff() * (norm + radius);
    }
  };
  [[nodiscard]] static Matrix matrixOf(std::span<const Interval> m) {
    Matrix result;
    const std::size_t diagonal = m.size() / 2 + (m.size() == 3 ? 1 : 0);
    for (std::size_t i = 0; i < m.size(); ++i) {
      if (m[i].empty() || (m[i].low == m[i].high && std::isinf(m[i].low))) {
        result.open = Interval::nothingButNan();
        return result;
      }
      if (infinite(m[i])) {
        result.open = Interval::anything();
        return result;
      }
      result.nan = result.nan || m[i].nan;
      result.torn = result.torn || m[i].torn;
      double& middle = result.middle[i];
      middle = m[i].low / 2 + m[i].high / 2;
      const double twice = i < diagonal ? 1 : std::numbers::sqrt2;  // above and below the diagonal
      const double half = twice * (std::max(m[i].high - middle, middle - m[i].low) + 0x1p-52 * std::abs(middle));
      result.radius = std::hypot(result.radius, half);
      result.norm = std::hypot(result.norm, twice * middle);
    }
    return result;
  }

  [[nodiscard]] bool oppositeNeighbors(const std::array<double, 6>& m, double distance) const {
    const auto values = symmetricEigenvalues(m);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (std::abs(values[i] + values[j]) <= distance && std::abs(values[i] - values[j]) > distance) return true;
    return false;
  }

  const FormulaNode& node_;
};

// Whether the result can be a number although an argument is NaN.
bool swallowsNan(Op op) {
  switch (op) {
    case Op::Less:
    case Op::LessEqual:
    case Op::Greater:
    case Op::GreaterEqual:
    case Op::Equal:
    case Op::NotEqual:
    case Op::And:
    case Op::Or:
    case Op::Not:
    case Op::If:
    case Op::Step:
    case Op::IsNan:
    case Op::IsFinite:
    case Op::Power:
    case Op::WholePower: return true;
    default: return false;
  }
}

}  // namespace

Interval formulaInterval(const FormulaNode& node, std::span<const Interval> arguments,
                         const IntervalRounding& rounding) {
  const Operation o(node, rounding);
  const Interval& a = arguments[0];
  const Interval& b = arguments[std::min<std::size_t>(1, arguments.size() - 1)];
  const Interval& c = arguments[std::min<std::size_t>(2, arguments.size() - 1)];
  if (!swallowsNan(node.op))
    for (const Interval& argument : arguments)
      if (argument.empty()) return Interval::nothingButNan();
  const auto f = [&](double (*function)(double), double low = -kInfiniteBound, double high = kInfiniteBound) {
    return o.monotone(a, function, Operation::kFunctionUnits, low, high);
  };
  switch (node.op) {
    case Op::Negate: return Operation::negated(a);
    case Op::Add: return o.sum(a, b);
    case Op::Subtract: return o.sum(a, Operation::negated(b));
    case Op::Multiply: return o.product(a, b);
    case Op::Divide: return o.quotient(a, b);
    case Op::Power:
      if (a.nan || b.nan || a.empty() || b.empty()) {  // 1^NaN and NaN^0 are 1
        Interval result = a.empty() || b.empty() ? Interval::nothingButNan() : o.power(a, b);
        if (b.contains(0) || a.contains(1))
          result = b.isPoint() && b.low == 0 ? Interval::point(1) : hull(result, Interval::point(1));
        result.nan = !(b.isPoint() && b.low == 0);
        return result;
      }
      return o.power(a, b);
    case Op::WholePower: return o.wholePower(a, node.exponent);
    case Op::Less: return decide::decision(decide::less(a, b, false));
    case Op::LessEqual: return decide::decision(decide::less(a, b, true));
    case Op::Greater: return decide::decision(decide::less(b, a, false));
    case Op::GreaterEqual:
    case Op::Step: return decide::decision(node.op == Op::Step ? decide::less(a, b, true) : decide::less(b, a, true));
    case Op::Equal: return decide::decision(decide::equal(a, b));
    case Op::NotEqual: return decide::decision(decide::inverse(decide::equal(a, b)));
    case Op::And: return decide::both(decide::truth(a), decide::truth(b));
    case Op::Or: {
      const Interval neither = decide::both(decide::inverse(decide::truth(a)), decide::inverse(decide::truth(b)));
      return neither.isPoint() ? Interval::point(1 - neither.low) : neither;
    }
    case Op::Not: return decide::decision(decide::inverse(decide::truth(a)));
    case Op::If: return decide::choice(decide::truth(a), b, c);
    case Op::Min: return o.extreme(arguments, false);
    case Op::Max: return o.extreme(arguments, true);
    case Op::Abs: return Operation::absolute(a);
    case Op::Sqrt: return o.monotone(a, static_cast<double (*)(double)>(std::sqrt), Operation::kRootUnits, 0);
    case Op::Exp: return f(std::exp);
    case Op::Log: return f(std::log, 0);
    case Op::Log2: return f(std::log2, 0);
    case Op::Log10: return f(std::log10, 0);
    case Op::Sin: return o.wave(a, 0);
    case Op::Cos: return o.wave(a, kPi / 2);
    case Op::Tan: return o.tangent(a);
    case Op::Asin: return f(std::asin, -1, 1);
    case Op::Acos: return f(std::acos, -1, 1);
    case Op::Atan: return f(std::atan);
    case Op::Atan2: return o.arc(a, b);
    case Op::Sinh: return f(std::sinh);
    case Op::Cosh: {
      const Interval size = Operation::absolute(a);
      return o.monotone(size, static_cast<double (*)(double)>(std::cosh), Operation::kFunctionUnits);
    }
    case Op::Tanh: return f(std::tanh);
    case Op::Floor: return o.steps(a, static_cast<double (*)(double)>(std::floor));
    case Op::Ceil: return o.steps(a, static_cast<double (*)(double)>(std::ceil));
    case Op::Round: return o.steps(a, static_cast<double (*)(double)>(std::nearbyint));
    case Op::Sign: return o.steps(a, [](double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; });
    case Op::Clamp: {
      const Interval low[] = {o.extreme(std::array{a, b}, true), c};
      return o.extreme(low, false);
    }
    case Op::Mix: return o.sum(a, o.product(c, o.sum(b, Operation::negated(a))));
    case Op::SmoothStep: {
      const Interval zero = Interval::point(0), one = Interval::point(1), two = Interval::point(2),
                     three = Interval::point(3);
      const Interval share = o.quotient(o.sum(c, Operation::negated(a)), o.sum(b, Operation::negated(a)));
      if (share.empty()) return share;
      const Interval t = o.extreme(std::array{o.extreme(std::array{share, zero}, true), one}, false);
      // Rising from 0 to 1, it needs only the ends.
      const auto at = [&](double end) {
        const Interval p = Interval::point(end);
        return o.product(o.product(p, p), o.sum(three, Operation::negated(o.product(two, p))));
      };
      Interval result = hull(at(std::max(t.low, 0.0)), at(std::min(t.high, 1.0)));
      result.nan = result.nan || t.nan;
      result.torn = result.torn || t.torn;
      return result;
    }
    case Op::Hypot: return o.hypotenuse(a, b);
    case Op::Mod: return o.modulo(a, b);
    case Op::IsNan: return decide::decision(decide::isNan(a));
    case Op::IsFinite: return decide::decision(decide::finite(a));
    case Op::EigMapXX:
    case Op::EigMapYY:
    case Op::EigMapZZ:
    case Op::EigMapXY:
    case Op::EigMapXZ:
    case Op::EigMapYZ: return o.mapped(arguments);
    default: return o.eigenvalue(arguments);
  }
}

}  // namespace sscope
