#include "core/filter/formula/formula_program.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <tuple>

namespace sscope {

namespace {

using Op = FormulaOp;
using Id = std::uint32_t;

// Operations that become one step of the same meaning.
struct Direct {
  Op op;
  StepOp step;
};
constexpr Direct kDirect[] = {
    {Op::Negate, StepOp::Negate},
    {Op::Less, StepOp::Less},
    {Op::LessEqual, StepOp::LessEqual},
    {Op::Equal, StepOp::Equal},
    {Op::NotEqual, StepOp::NotEqual},
    {Op::And, StepOp::And},
    {Op::Or, StepOp::Or},
    {Op::Not, StepOp::Not},
    {Op::If, StepOp::Select},
    {Op::Abs, StepOp::Abs},
    {Op::Sqrt, StepOp::Sqrt},
    {Op::Exp, StepOp::Exp},
    {Op::Log, StepOp::Log},
    {Op::Log2, StepOp::Log2},
    {Op::Log10, StepOp::Log10},
    {Op::Sin, StepOp::Sin},
    {Op::Cos, StepOp::Cos},
    {Op::Tan, StepOp::Tan},
    {Op::Asin, StepOp::Asin},
    {Op::Acos, StepOp::Acos},
    {Op::Atan, StepOp::Atan},
    {Op::Atan2, StepOp::Atan2},
    {Op::Sinh, StepOp::Sinh},
    {Op::Cosh, StepOp::Cosh},
    {Op::Tanh, StepOp::Tanh},
    {Op::Floor, StepOp::Floor},
    {Op::Ceil, StepOp::Ceil},
    {Op::Round, StepOp::Round},
    {Op::Sign, StepOp::Sign},
    {Op::Hypot, StepOp::Hypot},
    {Op::Power, StepOp::Power},
    {Op::Mod, StepOp::Mod},
    {Op::IsNan, StepOp::IsNan},
    {Op::IsFinite, StepOp::IsFinite},
};

class Compiler {
 public:
  explicit Compiler(const Formula& formula) : formula_(formula), tree_(formula.tree()) {}

  FormulaProgram compile() {
    findUniform();
    for (const FormulaNode& node : tree_.nodes) withVectors_ = withVectors_ || node.op >= Op::EigMapXX;
    std::vector<Id> ids(tree_.nodes.size());
    for (std::size_t n = 0; n < tree_.nodes.size(); ++n) {
      if (uniform_[n]) continue;
      std::vector<Id> arguments;
      for (const std::uint32_t argument : tree_.argumentsOf(tree_.nodes[n]))
        arguments.push_back(uniform_[argument] ? uniformNode(argument) : ids[argument]);
      ids[n] = step(tree_.nodes[n], arguments);
    }
    const std::size_t last = tree_.nodes.size() - 1;
    if (uniform_[last]) ids[last] = uniformNode(static_cast<Id>(last));
    return finished(ids[last]);
  }

 private:
  // Finds the nodes that are the same for all voxels, those of them that do not depend on constants, and equal nodes.
  void findUniform() {
    uniform_.resize(tree_.nodes.size());
    fixed_.resize(tree_.nodes.size());
    equal_.resize(tree_.nodes.size());
    using Key = std::tuple<Op, int, std::int64_t, std::uint64_t, std::vector<Id>>;
    std::map<Key, Id> seen;
    for (std::size_t n = 0; n < tree_.nodes.size(); ++n) {
      const FormulaNode& node = tree_.nodes[n];
      bool same = node.op != Op::Read && node.op != Op::Position && node.op != Op::Millimeters;
      bool fixed = same && node.op != Op::Constant && node.op != Op::Extent;
      std::vector<Id> arguments;
      for (const std::uint32_t argument : tree_.argumentsOf(node)) {
        same = same && uniform_[argument];
        fixed = fixed && fixed_[argument];
        arguments.push_back(equal_[argument]);
      }
      uniform_[n] = same;
      fixed_[n] = fixed;
      const Key key{node.op, node.axis, (std::int64_t{node.index} << 32) + node.exponent,
                    std::bit_cast<std::uint64_t>(node.value), std::move(arguments)};
      equal_[n] = seen.emplace(key, static_cast<Id>(n)).first->second;
    }
  }

  // Equal steps are added once.
  Id add(const FormulaStep& step) {
    const auto key = std::tuple(step.op, step.index, step.from);
    const auto [place, isNew] = seen_.emplace(key, static_cast<Id>(steps_.size()));
    if (isNew) steps_.push_back(step);
    return place->second;
  }
  Id add(StepOp op, std::initializer_list<Id> from, std::int32_t index = 0) {
    FormulaStep step{op, index, {}};
    std::copy(from.begin(), from.end(), step.from.begin());
    return add(step);
  }
  Id uniformStep(const FormulaUniform& uniform, const std::tuple<int, Id, std::uint64_t>& key) {
    const auto [place, isNew] = uniformIds_.emplace(key, static_cast<std::int32_t>(uniforms_.size()));
    if (isNew) uniforms_.push_back(uniform);
    return add(StepOp::Uniform, {}, place->second);
  }
  Id number(double value) {
    return uniformStep({FormulaUniform::Kind::Number, 0, value, true}, {0, 0, std::bit_cast<std::uint64_t>(value)});
  }
  Id uniformNode(std::uint32_t n) {
    const FormulaNode& node = tree_.nodes[n];
    if (node.op == Op::Number) return number(node.value);
    if (const auto arguments = tree_.argumentsOf(node); node.op == Op::Negate)
      if (const FormulaNode& of = tree_.nodes[arguments[0]]; of.op == Op::Number) return number(-of.value);
    return uniformStep({FormulaUniform::Kind::Node, equal_[n], 0, fixed_[n] != 0}, {1, equal_[n], 0});
  }

  // The number of a step that the text fixes, or NaN.
  [[nodiscard]] double literal(Id id) const {
    if (steps_[id].op != StepOp::Uniform) return std::nan("");
    const FormulaUniform& uniform = uniforms_[static_cast<std::size_t>(steps_[id].index)];
    return uniform.kind == FormulaUniform::Kind::Number ? uniform.number : std::nan("");
  }

  Id product(Id a, Id b) {
    if (literal(a) == 1) return b;
    if (literal(b) == 1) return a;
    if (literal(a) == -1) return add(StepOp::Negate, {b});
    if (literal(b) == -1) return add(StepOp::Negate, {a});
    return add(StepOp::Multiply, {std::min(a, b), std::max(a, b)});
  }
  Id quotient(Id a, Id b) {
    int exponent = 0;
    const double divisor = literal(b);  // a power of two has an exact inverse
    if (std::abs(std::frexp(divisor, &exponent)) == 0.5 && std::abs(exponent) < 100)
      return product(a, number(1 / divisor));
    return add(StepOp::Divide, {a, b});
  }
  Id power(Id base, std::int32_t exponent) {
    if (exponent == 0) return number(1);
    Id square = base, result = 0;
    bool any = false;
    for (int n = std::abs(exponent); n > 0; n /= 2) {
      if (n % 2 != 0) {
        result = any ? product(result, square) : square;
        any = true;
      }
      if (n > 1) square = product(square, square);
    }
    return exponent < 0 ? quotient(number(1), result) : result;
  }
  Id sum(Id a, Id b) {
    if (steps_[b].op == StepOp::Negate) return add(StepOp::Subtract, {a, steps_[b].from[0]});
    return add(StepOp::Add, {a, b});
  }
  Id difference(Id a, Id b) {
    if (steps_[b].op == StepOp::Negate) return add(StepOp::Add, {a, steps_[b].from[0]});
    return add(StepOp::Subtract, {a, b});
  }
  Id clamped(Id value, Id low, Id high) { return add(StepOp::Min, {add(StepOp::Max, {value, low}), high}); }
  Id chain(StepOp op, const std::vector<Id>& values) {
    Id result = values[0];
    for (std::size_t i = 1; i < values.size(); ++i) result = add(op, {result, values[i]});
    return result;
  }
  Id eigen(StepOp op, const std::vector<Id>& a, int which) {
    return add(StepOp::Pick, {add(op, {a[0], a[1], a[2], a[3], a[4], a[5]})}, which);
  }
  Id eigenvalue(const std::vector<Id>& a, int which, bool absolute) {
    return eigen(absolute ? StepOp::EigenAbs : withVectors_ ? StepOp::EigenSystem : StepOp::Eigen, a, which);
  }
  Id mapped(const std::vector<Id>& a, int row, int column) {
    Id sum = 0;
    for (int i = 0; i < 3; ++i) {
      const int first = 3 + 3 * i;
      const Id both =
          product(eigen(StepOp::EigenSystem, a, first + row), eigen(StepOp::EigenSystem, a, first + column));
      const Id part = product(a[6 + static_cast<std::size_t>(i)], both);
      sum = i == 0 ? part : add(StepOp::Add, {sum, part});
    }
    return sum;
  }
  // Of two dimensions: the middle of the diagonal, and the distance from it. NaN where an element is not finite.
  Id planar(const std::vector<Id>& a, bool largest) {
    const Id half = number(0.5), none = number(0);
    const Id xx = product(a[0], half), yy = product(a[1], half);
    const Id distance = add(StepOp::Hypot, {add(StepOp::Subtract, {xx, yy}), a[2]});
    const Id value = add(largest ? StepOp::Add : StepOp::Subtract, {add(StepOp::Add, {xx, yy}), distance});
    Id bad = product(a[0], none);
    for (const Id element : {a[1], a[2]}) bad = add(StepOp::Add, {bad, product(element, none)});
    return add(StepOp::Add, {value, bad});
  }

  Id step(const FormulaNode& node, const std::vector<Id>& a) {
    for (const Direct& direct : kDirect)
      if (direct.op == node.op) {
        FormulaStep one{direct.step, 0, {}};
        std::ranges::copy(a, one.from.begin());
        return add(one);
      }
    switch (node.op) {
      case Op::Read: return add(StepOp::Read, {}, node.index);
      case Op::Position: return add(StepOp::Position, {}, node.axis);
      case Op::Millimeters: {
        const Id spacing = uniformStep({FormulaUniform::Kind::Spacing, node.axis, 0, false}, {2, node.axis, 0});
        return add(StepOp::Multiply, {add(StepOp::Position, {}, node.axis), spacing});
      }
      case Op::Add: return sum(a[0], a[1]);
      case Op::Subtract: return difference(a[0], a[1]);
      case Op::Multiply: return product(a[0], a[1]);
      case Op::Divide: return quotient(a[0], a[1]);
      case Op::WholePower: return power(a[0], node.exponent);
      case Op::Greater: return add(StepOp::Less, {a[1], a[0]});
      case Op::GreaterEqual: return add(StepOp::LessEqual, {a[1], a[0]});
      case Op::Step: return add(StepOp::LessEqual, {a[0], a[1]});
      case Op::Min: return chain(StepOp::Min, a);
      case Op::Max: return chain(StepOp::Max, a);
      case Op::Clamp: return clamped(a[0], a[1], a[2]);
      case Op::Mix: return add(StepOp::Add, {a[0], product(a[2], add(StepOp::Subtract, {a[1], a[0]}))});
      case Op::SmoothStep: {
        const Id share = quotient(add(StepOp::Subtract, {a[2], a[0]}), add(StepOp::Subtract, {a[1], a[0]}));
        const Id t = clamped(share, number(0), number(1));
        return product(product(t, t), add(StepOp::Subtract, {number(3), product(number(2), t)}));
      }
      case Op::EigMin: return planar(a, false);
      case Op::EigMax: return planar(a, true);
      case Op::Eig1: return eigenvalue(a, 0, false);
      case Op::Eig2: return eigenvalue(a, 1, false);
      case Op::Eig3: return eigenvalue(a, 2, false);
      case Op::EigAbs1: return eigenvalue(a, 0, true);
      case Op::EigAbs2: return eigenvalue(a, 1, true);
      case Op::EigAbs3: return eigenvalue(a, 2, true);
      case Op::EigMapXX: return mapped(a, 0, 0);
      case Op::EigMapYY: return mapped(a, 1, 1);
      case Op::EigMapZZ: return mapped(a, 2, 2);
      case Op::EigMapXY: return mapped(a, 0, 1);
      case Op::EigMapXZ: return mapped(a, 0, 2);
      case Op::EigMapYZ: return mapped(a, 1, 2);
      default: return number(std::nan(""));  // not reached by leaves that are the same for all voxels
    }
  }

  // Fuses products that only one sum needs with that sum. Not if both sides are products and may cancel: a^2 - b^2 is
  // zero for a = b only if both are rounded.
  void joinProducts(const std::vector<std::uint32_t>& uses) {
    for (FormulaStep& step : steps_) {
      const bool sum = step.op == StepOp::Add;
      if (!sum && step.op != StepOp::Subtract) continue;
      const auto [left, right] = std::pair(step.from[0], step.from[1]);
      const bool first = steps_[left].op == StepOp::Multiply, second = steps_[right].op == StepOp::Multiply;
      const auto square = [&](Id id) { return steps_[id].from[0] == steps_[id].from[1]; };
      if (first && second && !(sum && square(left) && square(right))) continue;
      if (second && uses[right] == 1) {
        const FormulaStep& product = steps_[right];
        step = {sum ? StepOp::MultiplyAdd : StepOp::NegativeMultiplyAdd, 0, {product.from[0], product.from[1], left}};
      } else if (first && uses[left] == 1) {
        const FormulaStep& product = steps_[left];
        step = {sum ? StepOp::MultiplyAdd : StepOp::MultiplySubtract, 0, {product.from[0], product.from[1], right}};
      }
    }
  }

  // The steps that `last` needs, in their order.
  FormulaProgram finished(Id last) {
    const auto count = [&] {
      std::vector<std::uint32_t> uses(steps_.size());
      uses[last] = 1;
      for (std::size_t s = last + 1; s-- > 0;)
        if (uses[s] > 0)
          for (std::size_t i = 0; i < operandsOf(steps_[s].op); ++i) ++uses[steps_[s].from[i]];
      return uses;
    };
    joinProducts(count());
    const std::vector<std::uint32_t> uses = count();
    FormulaProgram program;
    std::vector<Id> moved(steps_.size());
    std::map<std::int32_t, std::int32_t> uniforms;
    for (std::size_t s = 0; s <= last; ++s) {
      if (uses[s] == 0) continue;
      FormulaStep step = steps_[s];
      for (std::size_t i = 0; i < operandsOf(step.op); ++i) step.from[i] = moved[step.from[i]];
      if (step.op == StepOp::Uniform) {
        const auto [place, isNew] = uniforms.emplace(step.index, static_cast<std::int32_t>(program.uniforms.size()));
        if (isNew) program.uniforms.push_back(uniforms_[static_cast<std::size_t>(step.index)]);
        step.index = place->second;
      }
      moved[s] = static_cast<Id>(program.steps.size());
      program.steps.push_back(step);
    }
    return program;
  }

  const Formula& formula_;
  const FormulaTree& tree_;
  std::vector<char> uniform_, fixed_;
  bool withVectors_ = false;  // eigenvectors are needed; they are computed with the eigenvalues
  std::vector<Id> equal_;     // the first node that is equal to it
  std::vector<FormulaStep> steps_;
  std::map<std::tuple<StepOp, std::int32_t, std::array<std::uint32_t, 6>>, Id> seen_;
  std::vector<FormulaUniform> uniforms_;
  std::map<std::tuple<int, Id, std::uint64_t>, std::int32_t> uniformIds_;
};

}  // namespace

std::size_t operandsOf(StepOp op) {
  switch (op) {
    case StepOp::Read:
    case StepOp::Uniform:
    case StepOp::Position: return 0;
    case StepOp::Add:
    case StepOp::Subtract:
    case StepOp::Multiply:
    case StepOp::Divide:
    case StepOp::Less:
    case StepOp::LessEqual:
    case StepOp::Equal:
    case StepOp::NotEqual:
    case StepOp::And:
    case StepOp::Or:
    case StepOp::Min:
    case StepOp::Max:
    case StepOp::Atan2:
    case StepOp::Hypot:
    case StepOp::Power:
    case StepOp::Mod: return 2;
    case StepOp::MultiplyAdd:
    case StepOp::MultiplySubtract:
    case StepOp::NegativeMultiplyAdd:
    case StepOp::Select: return 3;
    case StepOp::Eigen:
    case StepOp::EigenAbs:
    case StepOp::EigenSystem: return 6;
    default: return 1;
  }
}

std::size_t resultsOf(StepOp op) {
  if (op == StepOp::EigenSystem) return kMostStepResults;
  return op == StepOp::Eigen || op == StepOp::EigenAbs ? 3 : 1;
}

FormulaProgram compileFormula(const Formula& formula) { return Compiler(formula).compile(); }

std::vector<double> uniformValues(const FormulaProgram& program, const Formula& formula, const FormulaPlace& place) {
  FormulaEvaluator evaluate(formula);
  const std::vector<double> reads(formula.reads().size());
  static_cast<void>(evaluate(reads, place));
  std::vector<double> values;
  for (const FormulaUniform& uniform : program.uniforms) switch (uniform.kind) {
      case FormulaUniform::Kind::Node: values.push_back(evaluate.nodes()[uniform.node]); break;
      case FormulaUniform::Kind::Number: values.push_back(uniform.number); break;
      case FormulaUniform::Kind::Spacing: values.push_back(place.spacing[uniform.node]); break;
    }
  return values;
}

}  // namespace sscope
