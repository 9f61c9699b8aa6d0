#include "core/filter/formula/interval_functions.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <numbers>
#include <optional>

#include "core/filter/formula/formula_value.h"
#include "core/filter/formula/symmetric_eigen.h"

namespace sscope {

namespace {

using Op = FormulaOp;
constexpr double kPi = std::numbers::pi;
constexpr double kSumUnits = 2, kQuotientUnits = 6, kRootUnits = 8, kFunctionUnits = 20, kPowerUnits = 48,
                 kEigenUnits = 64;

// Of one operation.
class Operation {
 public:
  Operation(const FormulaNode& node, const IntervalRounding& rounding) : node_(node), rounding_(rounding) {}

  [[nodiscard]] Interval sum(const Interval& a, const Interval& b) const {
    if (a.isPoint() && b.isPoint()) {
      const double value = a.low + b.low, back = value - a.low;
      const double error = (a.low - (value - back)) + (b.low - back);  // of the sum (O. Møller, D. Knuth)
      return rounding_.rounded(value, error == 0 || std::isinf(a.low) || std::isinf(b.low), kSumUnits);
    }
    Interval result{a.low + b.low, a.high + b.high, false, false};
    const bool opposite = (a.high == kInfiniteBound && b.low == -kInfiniteBound) ||
                          (a.low == -kInfiniteBound && b.high == kInfiniteBound);
    if (std::isnan(result.low)) result.low = -kInfiniteBound;
    if (std::isnan(result.high)) result.high = kInfiniteBound;
    return marked(rounding_.widened(result, kSumUnits), a, b, opposite);
  }

  [[nodiscard]] static Interval negated(const Interval& a) { return {-a.high, -a.low, a.nan, a.torn}; }

  [[nodiscard]] Interval product(const Interval& a, const Interval& b) const {
    if (a.isPoint() && b.isPoint()) {
      const double value = a.low * b.low;
      const bool exact = std::isfinite(value)
                             ? std::fma(a.low, b.low, -value) == 0 && (value != 0 || a.low == 0 || b.low == 0)
                             : std::isinf(a.low) || std::isinf(b.low);
      return rounding_.rounded(value, exact, kSumUnits);
    }
    const auto times = [](double x, double y) { return x == 0 || y == 0 ? 0 : x * y; };
    const bool nan = (a.contains(0) && infinite(b)) || (b.contains(0) && infinite(a));
    return marked(
        rounding_.widened(
            ends({times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)}), kSumUnits),
        a, b, nan);
  }

  [[nodiscard]] Interval quotient(const Interval& a, const Interval& b) const {
    if (a.isPoint() && b.isPoint()) {
      const double value = a.low / b.low;
      return rounding_.rounded(value, b.low == 0 || a.low == 0 || std::isinf(a.low) || std::isinf(b.low),
                               kQuotientUnits);
    }
    const bool nan = (a.contains(0) && b.contains(0)) || (infinite(a) && infinite(b));
    if (b.contains(0)) return marked({-kInfiniteBound, kInfiniteBound, false, false}, a, b, nan);
    const auto over = [](double x, double y) { return std::isinf(y) ? (std::isinf(x) ? x * y : 0) : x / y; };
    Interval result = ends({over(a.low, b.low), over(a.low, b.high), over(a.high, b.low), over(a.high, b.high)});
    if (infinite(a) && infinite(b)) result = hull(result, Interval::point(0));
    return marked(rounding_.widened(result, kQuotientUnits), a, b, nan);
  }

  // Of a function that rises, or falls, wherever it is a number: from `low` to `high`.
  template <class F>
  [[nodiscard]] Interval monotone(const Interval& a, F f, double units, double low = -kInfiniteBound,
                                  double high = kInfiniteBound) const {
    if (a.high < low || a.low > high) return Interval::nothingButNan();
    const double first = f(std::max(a.low, low)), last = f(std::min(a.high, high));
    const bool sure =
        a.isPoint() && (first == 0 || std::isinf(first)) && !(std::isinf(first) && std::isfinite(a.low) && a.low != 0);
    if (sure) return rounding_.rounded(first, true, units);
    return marked(rounding_.widened(ends({first, last}), units), a, a, a.low < low || a.high > high);
  }

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
      // Crests lie at (k + 1/2) pi of the shifted argument, in turn up and down.
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
    const bool cut = x.low <= 0 && y.contains(0);  // where it jumps from pi to -pi
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

  [[nodiscard]] Interval power(const Interval& a, const Interval& b) const {
    if (a.isPoint() && b.isPoint()) {
      const double value = std::pow(a.low, b.low);
      return rounding_.rounded(value,
                               value == 0          ? a.low == 0
                               : std::isinf(value) ? a.low == 0 || std::isinf(a.low) || std::isinf(b.low)
                                                   : b.low == 0,
                               kPowerUnits);
    }
    const auto f = [](double x, double y) { return std::pow(x, y); };
    if (a.low > 0)  // a product of b and a logarithm: its extremes lie in corners
      return marked(rounding_.widened(ends({f(a.low, b.low), f(a.low, b.high), f(a.high, b.low), f(a.high, b.high)}),
                                      kPowerUnits),
                    a, b, false);
    const bool whole = b.isPoint() && b.low == std::floor(b.low) && std::abs(b.low) < 0x1p52;
    if (!whole) {
      if (a.low < 0) return marked({-kInfiniteBound, kInfiniteBound, false, false}, a, b, true);
      Interval result = ends({f(a.high, b.low), f(a.high, b.high)});
      if (b.high > 0) result = hull(result, Interval::point(0));
      if (b.contains(0)) result = hull(result, Interval::point(1));
      if (b.low < 0) result = hull(result, Interval::point(kInfiniteBound));
      return marked(rounding_.widened(result, kPowerUnits), a, b, false);
    }
    if (b.low < 0) return quotient(Interval::point(1), wholePower(a, -b.low, kPowerUnits));
    return wholePower(a, b.low, kPowerUnits);
  }

  // For exponents from 0.
  [[nodiscard]] Interval wholePower(const Interval& a, double exponent, double units) const {
    Interval result = ends({std::pow(a.low, exponent), std::pow(a.high, exponent)});
    if (std::fmod(exponent, 2) == 0 && a.contains(0) && exponent > 0) result = hull(result, Interval::point(0));
    return marked(rounding_.widened(result, units), a, a, false);
  }

  [[nodiscard]] Interval wholePower(const Interval& a, int exponent) const {
    if (exponent == 0) return Interval::point(1);
    if (a.empty()) return a;
    const int count = std::abs(exponent);
    Interval result = a;
    if (a.isPoint()) {
      for (int i = 1; i < count; ++i) result = product(result, a);
    } else if (count > 1) {
      result = wholePower(a, count, 2.0 * count);
    }
    return exponent < 0 ? quotient(Interval::point(1), result) : result;
  }

  // floor, ceil, round, sign: jumps, and nothing to round.
  template <class F>
  [[nodiscard]] Interval steps(const Interval& a, F f) const {
    Interval result{f(a.low), f(a.high), a.nan, a.torn};
    result.torn = result.torn || result.low != result.high;
    return result;
  }

  [[nodiscard]] static Interval absolute(const Interval& a) {
    Interval result = a;
    if (a.high <= 0) result = negated(a);
    if (a.low < 0 && a.high > 0) result.low = 0, result.high = std::max(-a.low, a.high);
    if (result.low == 0) result.low = 0;  // no sign
    return result;
  }

  [[nodiscard]] Interval extreme(std::span<const Interval> arguments, bool largest) const {
    Interval result = arguments[0];
    for (const Interval& next : arguments.subspan(1)) {
      if (result.empty() || next.empty()) return Interval::nothingButNan();
      const bool zeros = result.contains(0) && next.contains(0);
      const auto f = [&](double a, double b) { return largest ? std::max(a, b) : std::min(a, b); };
      const bool both = result.torn && next.torn;
      const bool mine = largest ? next.low > result.high : next.high < result.low;
      const bool others = largest ? result.low > next.high : result.high < next.low;
      const bool torn = both || (result.torn && !mine) || (next.torn && !others);
      result = {f(result.low, next.low), f(result.high, next.high), result.nan || next.nan, torn};
      if (zeros && result.low == 0 && result.high == 0)  // its sign is open
        result.low = -rounding_.smallest(), result.high = rounding_.smallest();
    }
    return result;
  }

  // 0 or 1 as a decision between two intervals; nothing where it is open.
  [[nodiscard]] static std::optional<bool> less(const Interval& a, const Interval& b, bool orEqual) {
    if (a.empty() || b.empty()) return false;
    const bool unordered = a.nan || b.nan;
    if (orEqual ? a.low > b.high : a.low >= b.high) return false;
    if (!unordered && (orEqual ? a.high <= b.low : a.high < b.low)) return true;
    return std::nullopt;
  }
  [[nodiscard]] static std::optional<bool> equal(const Interval& a, const Interval& b) {
    if (a.empty() || b.empty() || a.high < b.low || b.high < a.low) return false;
    if (a.isPoint() && b.isPoint()) return true;
    return std::nullopt;
  }
  [[nodiscard]] static std::optional<bool> truth(const Interval& a) {
    if (a.empty() || a.low > 0 || a.high < 0) return true;  // NaN is true, too
    if (a.low == 0 && a.high == 0 && !a.nan) return false;
    return std::nullopt;
  }
  [[nodiscard]] static std::optional<bool> finite(const Interval& a) {
    if (a.empty() || (a.low == a.high && std::isinf(a.low))) return false;
    if (!a.nan && std::isfinite(a.low) && std::isfinite(a.high)) return true;
    return std::nullopt;
  }
  [[nodiscard]] static std::optional<bool> isNan(const Interval& a) {
    if (a.empty()) return true;
    if (!a.nan) return false;
    return std::nullopt;
  }
  [[nodiscard]] static std::optional<bool> inverse(std::optional<bool> a) {
    if (!a) return a;
    return !*a;
  }
  [[nodiscard]] static Interval decision(std::optional<bool> known) {
    if (known) return Interval::point(*known ? 1 : 0);
    return {0, 1, false, true};
  }
  [[nodiscard]] static Interval both(std::optional<bool> a, std::optional<bool> b) {
    if ((a && !*a) || (b && !*b)) return Interval::point(0);
    return decision(a && b ? std::optional(true) : std::nullopt);
  }

  // Branches that overlap belong to a continuous function; others leave a jump.
  [[nodiscard]] static Interval choice(std::optional<bool> condition, const Interval& yes, const Interval& no) {
    if (condition) return *condition ? yes : no;
    Interval result = hull(yes, no);
    const bool overlap = !yes.empty() && !no.empty() && yes.low <= no.high && no.low <= yes.high;
    if (!overlap && !(yes.empty() && no.empty())) result.torn = true;
    return result;
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

  // Of matrices: an eigenvalue moves by no more than the norm of what is added (H. Weyl, 1912).
  [[nodiscard]] Interval eigenvalue(std::span<const Interval> m) const {
    std::array<double, 6> middle{};
    double radius = 0, norm = 0;
    bool nan = false, torn = false;
    const std::size_t diagonal = m.size() / 2 + (m.size() == 3 ? 1 : 0);
    for (std::size_t i = 0; i < m.size(); ++i) {
      if (m[i].empty() || (m[i].low == m[i].high && std::isinf(m[i].low))) return Interval::nothingButNan();
      if (infinite(m[i])) return Interval::anything();
      nan = nan || m[i].nan;
      torn = torn || m[i].torn;
      middle[i] = m[i].low / 2 + m[i].high / 2;
      const double twice = i < diagonal ? 1 : std::numbers::sqrt2;  // above and below the diagonal
      const double half =
          twice * (std::max(m[i].high - middle[i], middle[i] - m[i].low) + 0x1p-52 * std::abs(middle[i]));
      radius = std::hypot(radius, half);
      norm = std::hypot(norm, twice * middle[i]);
    }
    const double value = formulaValue(node_, std::span(middle).first(m.size()));
    if (norm == 0 && radius == 0) return {0, 0, nan, torn};
    const double off = radius + kEigenUnits * rounding_.roundoff() * (norm + radius);
    Interval result = rounding_.widened({value - off, value + off, nan, torn}, kSumUnits);
    // The order by absolute values jumps where two of them have opposite signs and nearly the same size.
    if (node_.op >= Op::EigAbs1 && oppositeNeighbors(middle, 2 * off)) result.torn = true;
    return result;
  }

 private:
  static bool infinite(const Interval& a) { return std::isinf(a.low) || std::isinf(a.high); }

  static Interval ends(std::initializer_list<double> values) {
    return {std::min(values), std::max(values), false, false};
  }

  // With the marks of its arguments.
  static Interval marked(Interval result, const Interval& a, const Interval& b, bool nan) {
    result.nan = result.nan || nan || a.nan || b.nan;
    result.torn = result.torn || a.torn || b.torn;
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
  const IntervalRounding& rounding_;
};

// Whether NaN among the arguments does not make the result NaN.
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
    return o.monotone(a, function, kFunctionUnits, low, high);
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
    case Op::Less: return Operation::decision(Operation::less(a, b, false));
    case Op::LessEqual: return Operation::decision(Operation::less(a, b, true));
    case Op::Greater: return Operation::decision(Operation::less(b, a, false));
    case Op::GreaterEqual:
    case Op::Step:
      return Operation::decision(node.op == Op::Step ? Operation::less(a, b, true) : Operation::less(b, a, true));
    case Op::Equal: return Operation::decision(Operation::equal(a, b));
    case Op::NotEqual: return Operation::decision(Operation::inverse(Operation::equal(a, b)));
    case Op::And: return Operation::both(Operation::truth(a), Operation::truth(b));
    case Op::Or: {
      const Interval neither =
          Operation::both(Operation::inverse(Operation::truth(a)), Operation::inverse(Operation::truth(b)));
      return neither.isPoint() ? Interval::point(1 - neither.low) : neither;
    }
    case Op::Not: return Operation::decision(Operation::inverse(Operation::truth(a)));
    case Op::If: return Operation::choice(Operation::truth(a), b, c);
    case Op::Min: return o.extreme(arguments, false);
    case Op::Max: return o.extreme(arguments, true);
    case Op::Abs: return Operation::absolute(a);
    case Op::Sqrt: return o.monotone(a, static_cast<double (*)(double)>(std::sqrt), kRootUnits, 0);
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
      return o.monotone(size, static_cast<double (*)(double)>(std::cosh), kFunctionUnits);
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
    case Op::IsNan: return Operation::decision(Operation::isNan(a));
    case Op::IsFinite: return Operation::decision(Operation::finite(a));
    default: return o.eigenvalue(arguments);
  }
}

}  // namespace sscope
